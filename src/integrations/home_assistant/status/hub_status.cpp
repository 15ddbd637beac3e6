// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/status/hub_status.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "base/log/log.h"
#include "base/text/timestamp.h"
#include "base/text/utf8.h"

namespace hearth::integrations::home_assistant {
namespace {

using Health = domains::ConnectionHealth;

constexpr std::string_view kToken = "bridge_token", kTokenEnds = "bridge_token_ends", kRights = "bridge_rights",
                           kSelf = "bridge_self", kTwice = "bridge_twice", kDouble = "bridge_double",
                           kFlood = "bridge_flood";
constexpr base::Duration kWindow = std::chrono::seconds(10);

json::value text_or_null(const std::string& text) {
  return text.empty() ? json::value() : json::value(text);
}

}  // namespace

std::string_view to_string(HubStatus::State state) {
  using enum HubStatus::State;
  switch (state) {
    case connecting:
      return "connecting";
    case starting:
      return "starting";
    case connected:
      return "connected";
    case lost:
      return "lost";
    case refused:
      return "refused";
    case self:
      return "self";
    case twice:
      return "twice";
  }
  return "connecting";
}

HubStatus::HubStatus(const domains::IntegrationHome& home, const Options& options) : home_(home), options_(options) {
  home_.report({Health::State::waiting, fmt::format("Connecting to {}.", options_.url)});
}

std::string HubStatus::title() const {
  const std::string name = base::utf8_excerpt(base::utf8_repaired(hub_.name));
  return name.empty() ? options_.name : name;
}

void HubStatus::opened(const OtherHub& hub) {
  hub_ = hub;
  ++connections_;
  state_ = State::starting;
  next_try_ = {};
  issues_.erase(std::string(kToken));
  rights_missing(!hub.administrator);
  home_.report({Health::State::waiting, fmt::format("{} answers, and tells what it has.", title())});
  base::log_info("home_assistant", "{}: connected to {} {}", options_.name,
                 hub.hearth_version.empty() ? "Home Assistant" : "Hearth",
                 hub.hearth_version.empty() ? hub.version : hub.hearth_version);
}

void HubStatus::rights_missing(bool missing) {
  if (missing || !hub_.administrator)
    set(std::string(kRights), {{"hub", title()}, {"user", base::utf8_excerpt(base::utf8_repaired(hub_.user_name))}});
  else
    issues_.erase(std::string(kRights));
  raise();
}

void HubStatus::pictured(bool running) {
  if (has_ended()) return;
  if (running) return this->running();
  state_ = State::starting;
  home_.report({Health::State::waiting, fmt::format("{} is starting.", title())});
}

void HubStatus::running() {
  if (has_ended()) return;
  state_ = State::connected;
  last_error_.clear();
  logged_.clear();
  home_.report({});
}

void HubStatus::changed(std::size_t count) {
  const base::SteadyTime now = home_.hub.clock.steady_now();
  if (recent_.empty() || now - recent_.back().first >= std::chrono::seconds(1))
    recent_.emplace_back(now, count);
  else
    recent_.back().second += count;
  while (now - recent_.front().first > kWindow) recent_.pop_front();
}

double HubStatus::changes_a_second() const {
  const base::SteadyTime now = home_.hub.clock.steady_now();
  std::size_t count = 0;
  for (const auto& [time, changes] : recent_)
    if (now - time <= kWindow) count += changes;
  const double seconds = std::chrono::duration<double>(kWindow).count();
  return std::round(static_cast<double>(count) / seconds * 10) / 10;
}

void HubStatus::lost(const Lost& why) {
  if (has_ended()) return;
  if (state_ == State::connected || state_ == State::starting) ++losses_;
  const bool refused = why.why == Lost::Why::refused;
  state_ = refused ? State::refused : State::lost;
  last_error_ = base::utf8_excerpt(base::utf8_repaired(why.message), 500);
  latency_ = {};
  next_try_ = home_.hub.clock.now() + why.retry_in;
  if (std::exchange(logged_, last_error_) != last_error_)
    base::log_warning("home_assistant", "{}: {}", options_.name, last_error_);
  if (why.why == Lost::Why::flood) set(std::string(kFlood), {{"hub", title()}});
  if (refused) set(std::string(kToken), {{"hub", title()}, {"url", options_.url}});
  raise();
  home_.report({refused ? Health::State::needs_person : Health::State::waiting, last_error_});
}

void HubStatus::token_ends(std::optional<base::Timestamp> at) {
  if (at && *at - home_.hub.clock.now() <= kTokenWarning)
    set(std::string(kTokenEnds), {{"hub", title()}, {"date", base::to_string(*at).substr(0, 10)}});
  else
    issues_.erase(std::string(kTokenEnds));
  raise();
}

void HubStatus::is_self() {
  state_ = State::self;
  last_error_ = "The address is that of this hub.";
  set(std::string(kSelf), {{"url", options_.url}});
  raise();
  base::log_warning("home_assistant", "{}: {}", options_.name, last_error_);
  home_.report({Health::State::needs_person, last_error_});
}

void HubStatus::is_twice(const std::string& other) {
  state_ = State::twice;
  last_error_ = fmt::format("It is the same hub as {}.", other);
  set(std::string(kTwice), {{"hub", title()}, {"other", other}});
  raise();
  base::log_warning("home_assistant", "{}: {}", options_.name, last_error_);
  home_.report({Health::State::needs_person, last_error_});
}

void HubStatus::doubles(std::string names) {
  const auto known = issues_.find(kDouble);
  if (names.empty()) {
    if (known == issues_.end()) return;
    issues_.erase(known);
  } else {
    if (known != issues_.end() && known->second.at("automations") == names) return;
    set(std::string(kDouble), {{"hub", title()}, {"automations", std::move(names)}});
  }
  raise();
}

void HubStatus::set(std::string kind, std::map<std::string, std::string> details) {
  issues_.insert_or_assign(std::move(kind), std::move(details));
}

void HubStatus::raise() {
  std::vector<core::ConnectionIssue> all;
  for (const auto& [kind, details] : issues_) all.push_back({kind, details});
  home_.raise(std::move(all));
}

json::object HubStatus::json() const {
  json::array missing;
  for (const std::string& command : hub_.missing) missing.emplace_back(command);
  const json::value version = text_or_null(hub_.hearth_version.empty() ? hub_.version : hub_.hearth_version);
  json::object json{{"name", options_.name},
                    {"url", options_.url},
                    {"state", to_string(state_)},
                    {"location_name", text_or_null(hub_.name)},
                    {"version", version},
                    {"is_hearth", !hub_.hearth_version.empty()},
                    {"user", text_or_null(hub_.user_name)},
                    {"administrator", hub_.user_id.empty() ? json::value() : json::value(hub_.administrator)},
                    {"missing", std::move(missing)},
                    {"services", services_},
                    {"changes_per_second", changes_a_second()},
                    {"latency_ms", latency_ ? json::value(latency_->count()) : json::value()},
                    {"connections", connections_},
                    {"losses", losses_},
                    {"last_error", text_or_null(last_error_)}};
  json["next_try"] = next_try_ ? json::value(base::to_string(*next_try_)) : json::value();
  return json;
}

}  // namespace hearth::integrations::home_assistant
