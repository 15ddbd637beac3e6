// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/calls/event_exchange.h"

#include <algorithm>
#include <utility>

#include "base/json/json_fields.h"
#include "base/text/utf8.h"

namespace hearth::integrations::home_assistant {
namespace {

constexpr std::string_view kMark = "hearth_instance";
constexpr std::size_t kLongestType = 64;
constexpr std::chrono::milliseconds kFireLimit = std::chrono::seconds(30);

constexpr std::string_view kNever[] = {"state_changed",     "state_reported",    "state_confirmed",
                                       "call_service",      "component_loaded",  "core_config_updated",
                                       "time_changed",      "logging_changed",   "stream_gap",
                                       "timer_out_of_sync", "collection_updated"};
constexpr std::string_view kNeverBegins[] = {"service_", "homeassistant_", "recorder_", "platform_"};

}  // namespace

bool EventExchange::is_never_received(std::string_view type) {
  return type.empty() || type.size() > kLongestType || std::ranges::find(kNever, type) != std::end(kNever) ||
         type.ends_with("_registry_updated") ||
         std::ranges::any_of(kNeverBegins, [&](std::string_view begin) { return type.starts_with(begin); });
}

EventExchange::EventExchange(const CallsHome& home) : home_(home) {
  core::EventFilter filter;
  for (const std::string& type : home_.options.send)
    if (!is_never_received(type) && type != "*") filter.types.insert(type);
  if (!filter.all()) sending_ = home_.bus.hear(std::move(filter), [this](const core::EventPtr& event) { send(event); });
}

void EventExchange::opened(const OtherHub& hub) {
  connected_ = true;
  other_is_hearth_ = !hub.hearth_version.empty();
}

void EventExchange::lost() {
  connected_ = false;
  unanswered_.clear();
  // It is not known whose those are that may be from here.
  std::erase_if(held_, [](const Held& held) { return held.until > 0; });
  release();
}

// ---- from here to there

void EventExchange::send(const core::EventPtr& event) {
  if (event->origin != core::Origin::local || !connected_) return;
  if (unanswered_.size() >= kMaxUnanswered)
    return log_.log(event->type, "events are not sent, because too many are under way");
  std::string text;
  core::write_data_json(text, *event);
  auto data = base::parse_json(text);
  if (!data || !data->is_object()) return;
  const json::object* const given = data->if_object();
  if (given->contains(kMark)) return;
  json::object command{{"type", "fire_event"}, {"event_type", event->type}};
  // Another hub of this kind is told that it must not send it on.
  if (other_is_hearth_) command["remote"] = true;
  command["event_data"] = home_.ids.to_there(std::move(*data));
  const std::uint64_t number = ++last_;
  unanswered_.push_back(number);
  home_.requests.ask(std::move(command), kFireLimit,
                     [this, number, type = event->type, context = event->context,
                      alive = std::weak_ptr(alive_)](const Answer& answer) {
                       if (alive.expired()) return;
                       if (const json::object* const result = answer.result.if_object()) {
                         if (const json::object* const made = base::value_at(*result, "context").if_object())
                           sent(base::short_text_at(*made, "id"), context);
                       }
                       answered(number, type, answer);
                     });
}

void EventExchange::sent(std::string context_id, const core::Context& context) {
  if (context_id.empty()) return;
  home_.contexts.know(context_id, context);
  forget_old();
  sent_ids_.emplace(context_id, '\0');
  sent_.push_back({std::move(context_id), home_.hub.clock.steady_now()});
}

void EventExchange::forget_old() {
  const base::SteadyTime now = home_.hub.clock.steady_now();
  while (!sent_.empty() && (sent_.size() >= kMaxSent || now - sent_.front().at > kSentFor)) {
    sent_ids_.erase(sent_.front().context_id);
    sent_.pop_front();
  }
}

void EventExchange::answered(std::uint64_t number, const std::string& type, const Answer& answer) {
  std::erase(unanswered_, number);
  const bool missing = answer.outcome == Answer::Outcome::refused &&
                       base::text_view_at(answer.error, "code") == std::string_view("unauthorized");
  if (answer.outcome == Answer::Outcome::refused)
    log_.log(type, base::utf8_excerpt(base::text_view_at(answer.error, "message"), 300));
  if (missing && home_.rights_missing) home_.rights_missing(true);
  release();
}

// ---- from there to here

bool EventExchange::may_be_ours(const OtherEvent& event) const {
  return !unanswered_.empty() && home_.contexts.is_of_token(event.context) && home_.options.send.contains(event.type);
}

void EventExchange::take(const OtherEvent& event) {
  const std::set<std::string>& wanted = home_.options.receive;
  if (is_never_received(event.type) || !(wanted.contains("*") || wanted.contains(event.type))) return;
  // That hub has the event of another one: it would go in a circle of three.
  if (const json::object* const data = event.data.if_object(); data && data->contains(kMark)) return;
  const bool waits = may_be_ours(event);
  if (!waits && held_.empty()) return fire(event);
  if (held_.size() >= kMaxHeld) return log_.log(event.type, "events are not taken, because too many wait");
  held_.push_back({event, waits ? unanswered_.back() : 0, home_.hub.clock.steady_now()});
  if (held_.size() == 1) release();
}

void EventExchange::release() {
  const base::SteadyTime now = home_.hub.clock.steady_now();
  while (!held_.empty()) {
    const Held& first = held_.front();
    const bool settled = unanswered_.empty() || unanswered_.front() > first.until;
    const bool late = now - first.since >= kHeldFor;
    if (!settled && !late) {
      release_ = home_.bus.schedule(first.since + kHeldFor - now, [this] { release(); });
      return;
    }
    const OtherEvent event = std::move(held_.front().event);
    held_.pop_front();
    if (settled)
      fire(event);
    else
      log_.log(event.type, "an event is not taken, because it may be one that was sent from here");
  }
  release_ = core::Timer();
}

void EventExchange::fire(const OtherEvent& event) {
  forget_old();
  if (sent_ids_.contains(event.context.id)) return;
  json::value data = home_.ids.to_here(event.data);
  if (!data.is_object()) data = json::object();
  data.get_object()[kMark] = home_.options.name;
  std::string text = base::to_json(data);
  if (auto fits = core::check_event_data(text.size(), home_.hub.limits); !fits)
    return log_.log(event.type, fits.error().message);
  const auto fired = std::make_shared<core::Event>(event.type, std::move(text), core::Origin::remote,
                                                   home_.contexts.mapped(event.context));
  // Whatever its type says, it is none of this hub's own.
  fired->by_client = true;
  fired->time_there = event.time;
  core::EventBus::Turn turn(home_.hub.bus, core::IfFull::pass);
  turn.fire(fired);
}

}  // namespace hearth::integrations::home_assistant
