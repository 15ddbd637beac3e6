// SPDX-License-Identifier: Apache-2.0
// The phones whose companion apps have registered: each belongs to the session or token that it came with, may do what
// that may, and ends with it. Changes happen on the bus thread; any thread finds a phone.
//
// Bounds: kMaxOfUser phones of a user, kMaxNewOfUser registrations of a user in an hour, Phone::kMaxSensors sensors of
// a phone.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/threads/published.h"
#include "core/view.h"
#include "domains/entities/entity_table.h"
#include "phones/phone.h"
#include "phones/phone_entities.h"
#include "phones/phone_store.h"

namespace hearth::phones {

class Phones {
 public:
  static constexpr std::size_t kMaxOfUser = 20, kMaxNewOfUser = 60;

  // Runs the task soon on the thread of the store; false if too much waits there.
  using Work = std::move_only_function<void(PhoneStore&)>;
  using Write = std::function<bool(Work work)>;
  // An answer to an app: JSON and a status.
  struct Answer {
    json::value body = json::object();
    int status = 200;
  };
  using Done = std::function<void(base::Result<Answer>)>;

  // The hub and the entities must outlive this.
  Phones(core::Hub& hub, domains::EntityTable& entities, Write write);

  // Before the bus starts: those of former runs.
  void restore(std::vector<StoredRow> rows);
  // Bus thread, once: their entities.
  void start();
  // Bus thread: nothing is written from now on.
  void stop() { stopped_ = true; }

  // Any thread. Null if there is none.
  PhonePtr find(std::string_view webhook_id) const;
  std::vector<PhonePtr> all() const;
  std::vector<PhonePtr> of_user(std::string_view user_id) const;

  // Any thread. Adds the phone, in place of the same user's same app on the same device; `done` is called when it is
  // stored, on any thread. Fails with full, throttled, unavailable.
  void add(Phone phone, std::function<void(base::Result<PhonePtr>)> done);
  // Any thread. The app's messages that change what is kept of it, or its entities: `knows` says which. `done` runs
  // when it is stored, on any thread, or at once if the bus is full.
  static bool knows(std::string_view type);
  void receive(const PhonePtr& phone, std::string type, json::value data, const core::Context& context, Done done);
  // Any thread. Ends the phones whose token has ended.
  void keep_those(const std::function<bool(const Phone& phone)>& alive);

  // Any thread. Which of its sensors people have disabled, and its device in the registry; empty if there is none.
  json::object sensors_of(const Phone& phone) const;
  std::string device_of(const Phone& phone) const;
  // Any thread. The home as a phone's owner may see and change it.
  core::View view(core::Rights rights) const { return {hub_, std::move(rights)}; }
  // Any thread. An event of a phone that everybody's may fire, as about notifications. Fails with unavailable.
  base::Result<void> fire(std::string_view type, std::string data_json, core::FiredBy by,
                          const core::Context& context) const;
  // Bus thread. Called after each change of the list.
  void on_change(std::function<void()> changed) { changed_ = std::move(changed); }

 private:
  using Table = std::unordered_map<std::string, PhonePtr>;

  base::Result<PhonePtr> put(Phone phone);
  base::Result<Answer> try_to_answer(const PhonePtr& phone, const std::string& type, const json::value& data,
                                     const core::Context& context);
  base::Result<Answer> register_sensor(const PhonePtr& phone, const json::object& data, const core::Context& context);
  base::Result<Answer> update_states(const PhonePtr& phone, const json::array& data, const core::Context& context);
  base::Result<Answer> update_registration(const PhonePtr& phone, const json::object& data);
  base::Result<Answer> enable_encryption(const PhonePtr& phone);
  void remove(const std::string& webhook_id);
  void replace(Phone phone);
  void publish(const std::function<void(Table&)>& change);
  void save_later(const std::string& webhook_id);
  void save();
  std::string free_key(const Phone& phone) const;
  void follow_person(const Phone& phone, std::string_view tracker_id) const;

  core::Hub& hub_;
  domains::EntityTable& entities_;
  const Write write_;
  base::Published<Table> table_;                                                    // written on the bus thread
  std::map<std::string, PhoneEntities, std::less<>> shown_;                         // by webhook id
  std::map<std::string, std::deque<base::SteadyTime>, std::less<>> registrations_;  // by user
  std::set<std::string> changed_phones_;                                            // to be saved
  std::vector<std::function<void(base::Result<void>)>> waiting_;                    // for that
  core::Timer saving_;
  std::function<void()> changed_ = [] {};
  bool stopped_ = false;
};

}  // namespace hearth::phones
