// SPDX-License-Identifier: Apache-2.0
// How the connection to the hub there does: for the connection's state and repairs, and for the page. Bus thread only.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "domains/integration.h"
#include "integrations/home_assistant/options/options.h"
#include "integrations/home_assistant/session/news.h"

namespace hearth::integrations::home_assistant {

class HubStatus {
 public:
  enum class State {
    connecting,  // for the first time
    starting,    // the hub there says that it has not started yet
    connected,
    lost,     // it is tried again by itself
    refused,  // its token
    self,     // the hub there is this one
    twice,    // another connection has the same hub
  };
  // The token is warned of so long before its end.
  static constexpr base::Duration kTokenWarning = std::chrono::hours(14 * 24);

  // All must outlive this.
  HubStatus(const domains::IntegrationHome& home, const Options& options);

  void opened(const OtherHub& hub);
  void pictured(bool running);
  void running();
  void changed(std::size_t count);
  void services(std::size_t count) { services_ = count; }
  // The token may not do what the section asks for.
  void rights_missing(bool missing);
  void lost(const Lost& why);
  void measured(const Latency& latency) { latency_ = latency.time; }
  void token_ends(std::optional<base::Timestamp> at);
  void is_self();
  void is_twice(const std::string& other);
  // Automations that are on in both hubs, for people; empty: none.
  void doubles(std::string names);

  State state() const { return state_; }
  // True if nothing goes on until somebody reloads the connection.
  bool has_ended() const { return state_ == State::self || state_ == State::twice; }
  const OtherHub& hub() const { return hub_; }
  std::string title() const;

  // Of GET /api/home_assistant, without what the mirror knows.
  json::object json() const;

 private:
  void raise();
  void set(std::string kind, std::map<std::string, std::string> details);
  double changes_a_second() const;

  const domains::IntegrationHome home_;
  const Options& options_;
  State state_ = State::connecting;
  OtherHub hub_;
  std::optional<std::chrono::milliseconds> latency_;
  std::size_t services_ = 0;
  std::uint64_t connections_ = 0, losses_ = 0;
  std::string last_error_, logged_;
  std::optional<base::Timestamp> next_try_;
  std::map<std::string, std::map<std::string, std::string>, std::less<>> issues_;  // by kind
  // Changes by second, the newest last.
  std::deque<std::pair<base::SteadyTime, std::size_t>> recent_;
};

std::string_view to_string(HubStatus::State state);

}  // namespace hearth::integrations::home_assistant
