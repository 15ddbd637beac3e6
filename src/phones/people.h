// SPDX-License-Identifier: Apache-2.0
// Tells people: the services notify.mobile_app_<phone>, notify.<person> and notify.everyone, and what each wants to
// hear of by themselves: alerts, and failed logins. A message to a person is in the page's list, and goes to their
// phones and browsers unless it is their quiet time. Bus thread only, except where noted.
//
// Bounds: of alerts and failed logins at most one in kOfAKind for each kind and person; of messages to a person's
// devices kMaxInAMinute.
#pragma once

#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/log/repeated_log.h"
#include "core/hub.h"
#include "core/rights/rights.h"
#include "domains/people/notifications.h"
#include "net/http/http_client.h"
#include "phones/browsers.h"
#include "phones/choice.h"
#include "phones/notice.h"
#include "phones/phones.h"
#include "phones/push_channels.h"
#include "phones/push_requests.h"
#include "phones/push_settings.h"

namespace hearth::phones {

class People {
 public:
  static constexpr base::Duration kOfAKind = std::chrono::minutes(1);
  static constexpr std::size_t kMaxInAMinute = 60;
  static constexpr std::size_t kMaxReplies = 200;  // notices whose actions a browser can still send
  static constexpr base::Duration kReplyLife = std::chrono::hours(24);

  using RightsOf = std::function<std::optional<core::Rights>(std::string_view token_id)>;

  // All must outlive this; the client has PushRequests::kBounds.
  People(core::Hub& hub, Phones& phones, domains::Notifications& notes, net::HttpClient& http, Phones::Write write,
         RightsOf rights_of, PushSettings settings);

  // Before the bus starts: what former runs knew.
  void restore(const std::vector<StoredRow>& rows);
  // When the home is up.
  void start();
  void stop();
  // Any thread. Ends what belongs to tokens that have ended.
  void keep_those(std::function<bool(const std::string& token_id)> alive);
  // Any thread. Somebody could not log in.
  void failed_login(std::string account, std::string address);

  PushChannels& channels() { return channels_; }
  Browsers& browsers() { return browsers_; }
  Phones& phones() { return phones_; }
  Choice choice(const std::string& user_id) const;
  void choose(const std::string& user_id, const Choice& choice);
  // To a person: the list, and their devices. Fails with full.
  base::Result<void> tell(const std::string& user_id, const Notice& notice, const core::Context& context,
                          bool urgent = false);

 private:
  void rebuild();
  void add_service(std::string name, std::string title, std::string description, core::ServiceHandler handler);
  // Replies with the first error, after all have been told.
  void tell_all(const std::set<std::string>& user_ids, const core::ServiceCall& call, const core::ServiceReply& reply);
  void on_alert(const core::Event& event);
  // For a person who has not heard of that kind just now.
  void tell_of_kind(const std::string& user_id, std::string_view kind, const Notice& notice, bool urgent);
  base::Result<void> send_to_devices(const std::string& user_id, const Notice& notice);
  void send_to_phone(const PhonePtr& phone, const Notice& notice, core::ServiceReply reply);
  void relay(const PhonePtr& phone, const Notice& notice, core::ServiceReply reply);
  std::string pushed(const Notice& notice, const std::string& user_id);
  std::string reply_address(const Notice& notice, const std::string& user_id);
  bool is_quiet(const std::string& user_id) const;
  std::vector<std::pair<std::string, core::Rights>> listeners() const;

  core::Hub& hub_;
  Phones& phones_;
  domains::Notifications& notes_;
  PushRequests requests_;
  const Phones::Write write_;
  const RightsOf rights_of_;
  const PushSettings settings_;
  PushChannels channels_{hub_.bus};
  Browsers browsers_;
  std::map<std::string, Choice, std::less<>> choices_;                     // by user
  std::map<std::pair<std::string, std::string>, base::SteadyTime> told_;   // by user and kind
  std::map<std::string, std::deque<base::SteadyTime>, std::less<>> sent_;  // by user
  std::list<core::Registration> services_;
  std::string services_are_for_;  // persons and phones
  std::deque<std::pair<std::string, base::Handle>> replies_;
  base::RepeatedLog log_{"phones"};
  std::vector<core::Subscription> subscriptions_;
  core::Timer rebuilding_;
  bool started_ = false;
};

}  // namespace hearth::phones
