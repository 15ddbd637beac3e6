// SPDX-License-Identifier: Apache-2.0
// The events of a simulated home, in their order. Bus thread only.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/bus/event_bus.h"
#include "core/states/state.h"

namespace hearth::simulation {

struct Happening {
  enum class Kind { call, event, state, run };
  Kind kind;
  base::Timestamp at;
  std::string name;           // the service, type of event, entity or automation
  json::object data = {};     // of the call or the event
  core::StatePtr state = {};  // null if the entity was removed
  std::string trigger = {};   // of the run
  std::string result = {};    // likewise: finished and so on; empty while it runs
  std::string error = {};     // likewise
  std::string context = {};   // its id
  bool by_test = false;       // a step of the scenario did it
  bool shown = true;          // the hub's own housekeeping is not
};

class Timeline final : public core::EventListener {
 public:
  static constexpr std::size_t kMost = 200'000;

  // Of the hub of this bus from now on.
  void follow(core::EventBus& bus);
  void leave() { subscription_ = {}; }
  // Changes in this context are the test's own work.
  void add_own(const core::Context& context) { own_.insert(std::string(context.id.str())); }
  void on_event(const core::EventPtr& event) override;
  // A run of the item has ended, as trace/list describes it. `entity_id`: of the automation.
  void end_run(const json::object& row, std::string entity_id, base::Timestamp now);

  const std::vector<Happening>& all() const { return all_; }
  bool is_full() const { return all_.size() >= kMost; }

 private:
  void add(Happening happening);
  void erase(std::size_t index);

  std::vector<Happening> all_;
  std::set<std::string, std::less<>> own_;
  using Places = std::map<std::string, std::size_t, std::less<>>;  // indices by context id
  Places runs_;                                                    // under way
  Places ended_;                                                   // that ended before their beginning was heard
  core::Subscription subscription_;
};

}  // namespace hearth::simulation
