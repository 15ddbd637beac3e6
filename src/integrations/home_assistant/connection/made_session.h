// SPDX-License-Identifier: Apache-2.0
// For tests: a hub there that the test plays, and what the session tells, as text. One thread.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json/json_fields.h"
#include "integrations/home_assistant/connection/session.h"
#include "integrations/home_assistant/protocol/text_parts.h"

namespace hearth::integrations::home_assistant {
inline std::string state_line(const OtherState& state) {
  return fmt::format("{}={}{}", state.entity_id, state.value, base::to_json(state.attributes));
}

// One line for each message.
struct NewsText {
  std::string operator()(const Opened& it) {
    return fmt::format("opened {} {} {}", it.hub.version, it.hub.administrator ? "administrator" : "user",
                       fmt::join(it.hub.missing, ","));
  }
  std::string operator()(const Registries& it) {
    std::string out = fmt::format("registries {}", it.complete ? "" : "incomplete");
    for (const auto& one : it.entities) out += fmt::format("{}:{} ", one.entity_id, one.unique_id);
    return out;
  }
  std::string operator()(const Services& it) {
    std::string out = "services";
    for (const auto& one : it.services)
      out += fmt::format(" {}.{} {}", one.domain, one.service, base::text_at(one.description, "name"));
    return out;
  }
  std::string operator()(const Picture& it) {
    std::vector<std::string> lines;
    for (const OtherState& state : it.states) lines.push_back(state_line(state));
    std::ranges::sort(lines);
    return fmt::format("picture {}{}", it.running ? "whole " : "", fmt::join(lines, " "));
  }
  std::string operator()(const Running&) { return "running"; }
  std::string operator()(const Changes& it) {
    std::string out = "changes";
    for (const Change& one : it.changes) out += " " + (one.state ? state_line(*one.state) : one.entity_id + " gone");
    if (it.skipped > 0) out += fmt::format(" skipped {}", it.skipped);
    return out;
  }
  std::string operator()(const OtherEvent& it) { return "event " + it.type + base::to_json(it.data); }
  std::string operator()(const Answer& it) {
    return fmt::format("answer {} {} {}{}", it.number, static_cast<int>(it.outcome), base::to_json(it.result),
                       base::to_json(it.error));
  }
  std::string operator()(const Message& it) { return fmt::format("message {} {}", it.number, base::to_json(it.event)); }
  std::string operator()(const Lost& it) { return fmt::format("lost {} {}", static_cast<int>(it.why), it.message); }
  std::string operator()(const Latency& it) { return fmt::format("latency {}", it.time.count()); }
};

// A hub there that the test plays: it answers what `answers` has, by type.
class MadeSession final : public SessionWire {
 public:
  explicit MadeSession(SessionOptions options = {.token = core::Secret("t")}) : session(std::move(options), *this) {
    answers = {{"supported_features", "null"},
               {"get_config", R"({"version":"2026.2.3","state":"RUNNING"})"},
               {"auth/current_user", R"({"id":"0f","name":"Ann","is_admin":true})"},
               {"auth/refresh_tokens", "[]"},
               {"config/floor_registry/list", "[]"},
               {"config/label_registry/list", "[]"},
               {"config/area_registry/list", "[]"},
               {"config/device_registry/list", "[]"},
               {"config/entity_registry/list", R"([{"entity_id":"light.a","unique_id":"1","platform":"hue"}])"},
               {"config/entity_registry/get_entries", R"({})"},
               {"get_services", R"({"light":{"turn_on":{"name":"On"}}})"},
               {"subscribe_events", "null"},
               {"unsubscribe_events", "null"},
               {"subscribe_entities", "null"}};
  }

  void open() {
    session.opened();
    says(R"({"type":"auth_required","ha_version":"2026.2.3"})");
    says(R"({"type":"auth_ok"})");
    answer();
  }
  // Answers all commands that have come, and those that follow from the answers.
  void answer() {
    while (!unanswered.empty()) {
      const json::object command = unanswered.front();
      unanswered.pop_front();
      const std::string type = base::text_at(command, "type");
      const auto id = command.at("id").as_int64();
      if (type == "ping") {
        says(fmt::format(R"({{"id":{},"type":"pong"}})", id));
        continue;
      }
      const auto found = answers.find(type);
      if (found == answers.end()) {
        error(id, "unknown_command");
        continue;
      }
      if (found->second.starts_with("!")) {
        if (found->second.size() > 1) error(id, found->second.substr(1));
        continue;
      }
      says(fmt::format(R"({{"id":{},"type":"result","success":true,"result":{}}})", id, found->second));
      if (type == "subscribe_entities") entities(picture);
    }
    settle();
  }
  void error(std::int64_t id, std::string_view code) {
    says(
        fmt::format(R"({{"id":{},"type":"result","success":false,"error":{{"code":"{}","message":"no"}}}})", id, code));
  }
  void says(std::string_view text) { session.receive(text); }
  // An event of the last subscription of this type of command, and of event.
  void entities(std::string_view event) { event_of("subscribe_entities", "", event); }
  void event_of(std::string_view type, std::string_view event_type, std::string_view event) {
    for (auto it = commands.rbegin(); it != commands.rend(); ++it) {
      if (base::text_view_at(*it, "type") == type && base::text_view_at(*it, "event_type") == event_type)
        return says(fmt::format(R"({{"id":{},"type":"event","event":{}}})", it->at("id").as_int64(), event));
    }
    ADD_FAILURE() << "not subscribed: " << type << ' ' << event_type;
  }
  void registry_changed() {
    event_of("subscribe_events", "entity_registry_updated", R"({"event_type":"entity_registry_updated","data":{}})");
  }
  // Does all that is due now.
  void settle() {
    while (wake && *wake <= clock.steady_now()) {
      wake.reset();
      session.on_time();
    }
  }
  void advance(base::Duration time) {
    const auto end = clock.steady_now() + time;
    while (clock.steady_now() < end) {
      const auto next = wake ? std::clamp(*wake, clock.steady_now(), end) : end;
      clock.advance(next - clock.steady_now());
      settle();
      if (answering) answer();
    }
  }
  // Since the last call, with the changes that are told together.
  std::string news() {
    settle();
    if (wake && *wake - clock.steady_now() <= StateFeed::kTogether) advance(StateFeed::kTogether);
    return fmt::format("{}", fmt::join(std::exchange(told, {}), "\n"));
  }
  std::size_t count(std::string_view type) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        commands, [&](const json::object& one) { return base::text_view_at(one, "type") == type; }));
  }

  void send(std::string text) override {
    const json::object command = object_of(text);
    if (base::text_view_at(command, "type") == "auth") {
      auth = text;
      return;
    }
    commands.push_back(command);
    unanswered.push_back(command);
  }
  void end(Lost::Why why, std::string message) override {
    ended = fmt::format("{} {}", static_cast<int>(why), message);
    unanswered.clear();
  }
  void tell(News one) override { told.push_back(std::visit(NewsText(), one)); }
  void wake_at(std::optional<base::SteadyTime> time) override { wake = time; }
  base::SteadyTime now() const override { return clock.steady_now(); }
  base::Timestamp time() const override { return clock.now(); }

  base::ManualClock clock;
  std::map<std::string, std::string> answers;  // "!" none; "!code" an error
  std::string picture = R"({"a":{"light.a":{"s":"on","a":{},"c":"1","lc":1}}})";
  std::deque<json::object> unanswered;
  std::vector<json::object> commands;
  std::vector<std::string> told;
  std::string auth, ended;
  std::optional<base::SteadyTime> wake;
  bool answering = false;
  Session session;
};

inline constexpr std::string_view kFirst =
    "latency 0\n"
    "opened 2026.2.3 administrator \n"
    "services light.turn_on On\n"
    "registries light.a:1 \n"
    "running\n"
    "picture whole light.a=on{}";

inline std::vector<std::string> sorted_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  std::ranges::sort(lines);
  return lines;
}

}  // namespace hearth::integrations::home_assistant
