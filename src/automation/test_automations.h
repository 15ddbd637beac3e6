// SPDX-License-Identifier: Apache-2.0
// For tests: a home with automations and scripts, given as JSON, whose clock and bus move only when the test says so.
// Their calls of the service test.note are listed.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "automation/engine.h"
#include "domains/test_home.h"

namespace hearth::automation {

// As if it had been read from a file, where texts are in quotes and all else is not.
inline base::ConfigNode test_node(const json::value& value, const std::string& key = "") {
  const base::ConfigNode::Place place{std::make_shared<const std::string>("f.yaml"), 1, key};
  if (value.is_null()) return base::ConfigNode(place);
  if (value.is_string()) return {place, std::string(value.get_string())};
  if (value.is_array()) {
    base::ConfigNode::List list;
    for (const json::value& item : value.get_array())
      list.push_back(test_node(item, fmt::format("{}[{}]", key, list.size())));
    return {place, std::move(list)};
  }
  if (value.is_object()) {
    base::ConfigNode::Map map;
    for (const auto& [name, item] : value.get_object())
      map.push_back(
          {name, test_node(item, key.empty() ? std::string(name) : fmt::format("{}.{}", key, std::string_view(name)))});
    return {place, std::move(map)};
  }
  return {place, base::to_json(value), {.plain = true}};
}

inline base::ConfigNode test_node(std::string_view text) {
  return test_node(base::parse_json(text).value());
}

constexpr std::string_view kTestSecret = "hunter2hunter2";
// Calls `parse` with the value as it is, except that one of its texts and numbers is a secret: each of them once.
template <class Parse>
void with_each_secret(const json::value& value, Parse parse) {
  std::size_t chosen = 0, count = 0;
  const auto node_with = [&](auto&& self, const json::value& part, const std::string& key) -> base::ConfigNode {
    const base::ConfigNode::Place place{std::make_shared<const std::string>("f.yaml"), 1, key};
    if (const auto* const list = part.if_array()) {
      base::ConfigNode::List items;
      for (const json::value& item : *list) items.push_back(self(self, item, fmt::format("{}[{}]", key, items.size())));
      return {place, std::move(items)};
    }
    if (const auto* const object = part.if_object()) {
      base::ConfigNode::Map map;
      for (const auto& [name, item] : *object)
        map.push_back({name, self(self, item, key.empty() ? std::string(name) : key + "." + std::string(name))});
      return {place, std::move(map)};
    }
    if (count++ == chosen) return {place, std::string(kTestSecret), {.plain = true, .secret = true}};
    return test_node(part, key);
  };
  do {
    count = 0;
    const base::ConfigNode node = node_with(node_with, value, "");
    parse(node);
  } while (++chosen < count);
}

class TestAutomations {
 public:
  TestAutomations() {
    engine.add_services([](const core::Context&, const core::ServiceReply& reply) { reply(json::value()); });
    core::ServiceDescription note;
    note.domain = "test";
    note.service = "note";
    note.has_target = false;
    note.hands_on = true;
    note_ = home.hub.services.add(note, [this](const core::ServiceCall& call, const core::ServiceReply& reply) {
      const json::value* const text = call.data().if_contains("text");
      notes.push_back(!text ? "-" : text->is_string() ? std::string(text->get_string()) : base::to_json(*text));
      contexts.push_back(call.context());
      if (during_note) during_note();
      reply(json::value());
    });
    core::HubConfig config;
    config.time_zone = "Europe/Berlin";
    core::update_config(home.hub, config, core::Context::create(home.clock.now()));
    run();
  }
  ~TestAutomations() { engine.stop(); }

  // Puts these automations and scripts in force, as JSON.
  void apply(std::string_view automations, std::string_view scripts = "{}") {
    Sections sections;
    sections.automations.push_back(test_node(automations));
    sections.scripts.push_back(test_node(scripts));
    engine.apply(parse_configuration(sections));
    run();
  }
  // One automation of a trigger that notes its steps' texts, such as `{"trigger": "event", …}` and `[{…}]`.
  void apply_one(std::string_view triggers, std::string_view actions, std::string_view more = "") {
    apply(fmt::format(R"([{{"alias": "One", "triggers": {}, "actions": {}{}{}}}])", triggers, actions,
                      more.empty() ? "" : ", ", more));
  }
  // A script `test` of these steps, which is run.
  void run_steps(std::string_view steps, std::string_view more = "") {
    apply("[]", fmt::format(R"({{"test": {{"sequence": {}{}{}}}}})", steps, more.empty() ? "" : ", ", more));
    call("script.turn_on", R"({"entity_id": "script.test"})");
  }
  void run() { home.hub.bus.run_pending(); }
  void set(std::string_view id, std::string_view value, std::string_view attributes = "{}") {
    write(id, value, attributes);
    run();
  }
  // Without letting anybody hear of it yet.
  void write(std::string_view id, std::string_view value, std::string_view attributes = "{}") {
    home.hub.states.set(*core::EntityId::parse(id), {value, attributes, core::Context::create(home.clock.now())})
        .value();
  }
  void fire(std::string_view type, std::string data = "{}") {
    home.hub.bus.fire(type, std::move(data), core::Origin::local, core::Context::create(home.clock.now()),
                      core::FiredBy::client);
    run();
  }
  std::string call(std::string_view service, std::string_view data) { return home.call(service, data); }
  void advance(base::Duration time, base::Duration step = std::chrono::seconds(1)) { home.advance(time, step); }

  // As trace/get answers it, or "none".
  std::string newest_trace(std::string_view domain, std::string_view item) {
    const json::array rows = engine.traces().list(domain, item);
    std::string text = "none";
    if (rows.empty()) return text;
    engine.traces().get(fmt::format("{}.{}", domain, item), std::string(rows.back().at("run_id").as_string()), {},
                        [&](std::optional<std::string> json) { text = json.value_or("none"); });
    run();
    return text;
  }
  // The notes so far, and forgets them.
  std::string noted() {
    std::string all;
    for (const std::string& note : std::exchange(notes, {})) all += (all.empty() ? "" : " ") + note;
    return all;
  }

  std::function<void()> before_rendering;  // of each template; may throw
  domains::TestHome home;
  Engine engine{home.hub, home.domains.entities(), [this] {
                  if (before_rendering) before_rendering();
                  return std::shared_ptr<const templates::Imports>();
                }};
  std::vector<std::string> notes;
  std::vector<core::Context> contexts;
  std::function<void()> during_note;

 private:
  core::Registration note_;
};

// A step that notes the text.
inline std::string note_step(std::string_view text) {
  return fmt::format(R"({{"action": "test.note", "data": {{"text": {}}}}})",
                     base::to_json(json::value(json::string(text))));
}

struct TriggersHome : testing::Test {
  // An automation of this trigger that notes a template of `trigger`.
  void on(std::string_view trigger, std::string_view text = "x") {
    home.apply_one(trigger, "[" + note_step(text) + "]");
  }

  TestAutomations home;
};

}  // namespace hearth::automation
