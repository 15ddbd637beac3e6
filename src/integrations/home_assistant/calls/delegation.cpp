// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/calls/delegation.h"

#include <fmt/format.h>

#include <utility>

#include "base/json/json_fields.h"
#include "base/log/log.h"
#include "integrations/home_assistant/calls/refusal.h"

namespace hearth::integrations::home_assistant {

using base::ErrorCode;

void Delegation::running() {
  if (std::exchange(running_, true)) return;
  for (const auto& [number, watched] : watched_) subscribe(number);
  for (auto& [key, kept] : kept_) {
    listen(key, kept);
    ask(key);
  }
}

void Delegation::lost() {
  running_ = false;
  for (auto& [number, watched] : watched_) watched.subscription = {};
  for (auto& [key, kept] : kept_) {
    kept.holds = base::fail(ErrorCode::unavailable, {});
    kept.again = {};
  }
}

void Delegation::note_refusal(const Answer& answer, std::string_view what) {
  const base::Error refusal = refusal_of(answer, home_.name());
  base::log_warning("home_assistant", "{} does not work: {}", what, refusal.message);
  if (refusal.code == ErrorCode::forbidden && home_.rights_missing) home_.rights_missing(true);
}

// ---- triggers

base::Handle Delegation::watch(json::object trigger, core::DeviceDelegate::Fire fire) {
  const std::uint64_t number = ++last_;
  watched_.emplace(number, Watched{std::move(trigger), std::move(fire)});
  if (running_) subscribe(number);
  return base::Handle([this, number, alive = std::weak_ptr(alive_)] {
    if (!alive.expired()) watched_.erase(number);
  });
}

void Delegation::subscribe(std::uint64_t number) {
  Watched& watched = watched_.at(number);
  json::object command{{"type", "subscribe_trigger"},
                       {"trigger", json::array{home_.ids.to_there(json::value(watched.trigger))}}};
  watched.subscription = home_.requests.subscribe(
      std::move(command),
      [this, alive = std::weak_ptr(alive_)](const Answer& answer) {
        if (!alive.expired() && answer.outcome == Answer::Outcome::refused)
          note_refusal(answer, "a trigger of a device there");
      },
      [this, number, alive = std::weak_ptr(alive_)](const json::value& event) {
        if (!alive.expired()) fired(number, event);
      });
}

void Delegation::fired(std::uint64_t number, const json::value& event) {
  const auto watched = watched_.find(number);
  const json::object* const message = event.if_object();
  if (watched == watched_.end() || !message) return;
  json::object trigger;
  if (const json::object* const variables = base::value_at(*message, "variables").if_object()) {
    json::value told = home_.ids.to_here(base::value_at(*variables, "trigger"));
    if (json::object* const object = told.if_object()) trigger = std::move(*object);
  }
  OtherContext context;
  if (const json::object* const told = base::value_at(*message, "context").if_object()) {
    context.id = base::short_text_at(*told, "id");
    for (const auto& [key, id] : {std::pair("parent_id", &context.parent_id), std::pair("user_id", &context.user_id)})
      if (std::string text = base::short_text_at(*told, key); !text.empty()) *id = std::move(text);
  }
  // A copy: it may end its own watch.
  const auto fire = watched->second.fire;
  fire(std::move(trigger), home_.contexts.mapped(context));
}

// ---- conditions

base::Handle Delegation::keep(json::object condition) {
  std::string key = base::to_json(condition);
  const auto [found, is_new] = kept_.try_emplace(key);
  Kept& kept = found->second;
  ++kept.uses;
  if (is_new) {
    kept.condition = std::move(condition);
    if (running_) {
      listen(key, kept);
      ask(key);
    }
  }
  return base::Handle([this, key = std::move(key), alive = std::weak_ptr(alive_)] {
    if (alive.expired()) return;
    const auto used = kept_.find(key);
    if (used != kept_.end() && --used->second.uses == 0) kept_.erase(used);
  });
}

void Delegation::listen(const std::string& key, Kept& kept) {
  const auto registry = home_.hub.registry.snapshot();
  const auto* const parts = registry->entities_of_device.find(base::short_text_at(kept.condition, "device_id"));
  std::vector<std::string> ids;
  if (parts) {
    for (const auto& [id, entity] : *parts) ids.push_back(id);
  }
  kept.entities =
      home_.bus.listen(std::move(ids), [this, key](const core::StateChange&, const core::Event&) { ask(key); });
}

void Delegation::ask(const std::string& key) {
  const auto found = kept_.find(key);
  if (!running_ || found == kept_.end()) return;
  Kept& kept = found->second;
  if (std::exchange(kept.asking, true)) {
    kept.changed = true;
    return;
  }
  kept.again = {};
  home_.requests.ask({{"type", "test_condition"}, {"condition", home_.ids.to_there(json::value(kept.condition))}},
                     CallSender::kLimit, [this, key, alive = std::weak_ptr(alive_)](const Answer& answer) {
                       if (!alive.expired()) answered(key, answer);
                     });
}

void Delegation::answered(const std::string& key, const Answer& answer) {
  const auto found = kept_.find(key);
  if (found == kept_.end()) return;
  Kept& kept = found->second;
  kept.asking = false;
  if (answer.outcome == Answer::Outcome::done) {
    const json::object* const result = answer.result.if_object();
    kept.holds = result && base::flag_at(*result, "result");
  } else {
    kept.holds = std::unexpected(refusal_of(answer, home_.name()));
    if (answer.outcome == Answer::Outcome::refused) note_refusal(answer, "a condition of a device there");
  }
  if (!running_) return;
  if (std::exchange(kept.changed, false)) return ask(key);
  kept.again = home_.bus.schedule(kAskAgain, [this, key] { ask(key); });
}

base::Result<bool> Delegation::holds(const json::object& condition) const {
  const auto found = kept_.find(base::to_json(condition));
  if (!running_) return std::unexpected(unreachable_error(home_.name()));
  if (found != kept_.end() && (found->second.holds || !found->second.holds.error().message.empty()))
    return found->second.holds;
  return base::fail(ErrorCode::unavailable, fmt::format("{} has not said yet whether it is so", home_.name()));
}

// ---- actions

void Delegation::run(json::object action, const core::Context& context, core::ServiceReply reply) {
  if (!home_.options.control_all) {
    return reply(base::fail(
        ErrorCode::forbidden,
        fmt::format("The section home_assistant does not let everything be controlled at {}.", home_.name())));
  }
  sender_.send({.command = {{"type", "execute_script"},
                            {"sequence", json::array{home_.ids.to_there(json::value(std::move(action)))}}},
                .context = context,
                .done = [reply = std::move(reply)](base::Result<json::object> result, const CallSender::Entities&) {
                  if (!result) return reply(std::unexpected(std::move(result.error())));
                  reply(json::value());
                }});
}

}  // namespace hearth::integrations::home_assistant
