// SPDX-License-Identifier: Apache-2.0
// Any bytes as a node may send them after it has described itself: its entities, actions, states and requests. Then
// each entity and each action gets the services that it has. The home goes on, and what the node described comes back
// the same.
#include <fmt/format.h>

#include <map>
#include <string>
#include <string_view>

#include "base/log/log.h"
#include "base/testing/fuzz_check.h"
#include "integrations/esphome/node/test_node.h"

namespace {

namespace base = hearth::base;
namespace json = hearth::json;
using hearth::integrations::esphome::TestNode;

// Of services that need more than a target.
std::string_view data_of(std::string_view service) {
  static const std::map<std::string_view, std::string_view> table = {
      {"alarm_control_panel.alarm_disarm", R"(,"code":"1")"},
      {"climate.set_fan_mode", R"(,"fan_mode":"auto")"},
      {"climate.set_hvac_mode", R"(,"hvac_mode":"heat")"},
      {"climate.set_preset_mode", R"(,"preset_mode":"home")"},
      {"climate.set_temperature", R"(,"temperature":21.5)"},
      {"cover.set_cover_position", R"(,"position":40)"},
      {"date.set_value", R"(,"date":"2026-04-20")"},
      {"datetime.set_value", R"(,"datetime":"2026-04-20 05:04:20")"},
      {"fan.set_percentage", R"(,"percentage":66)"},
      {"light.turn_on", R"(,"brightness":77,"rgb_color":[1,2,3],"transition":2)"},
      {"lock.unlock", R"(,"code":"1234")"},
      {"media_player.play_media", R"(,"media_content_id":"a","media_content_type":"music")"},
      {"media_player.volume_set", R"(,"volume_level":0.5)"},
      {"number.set_value", R"(,"value":5)"},
      {"select.select_option", R"(,"option":"a")"},
      {"text.set_value", R"(,"value":"abc")"},
      {"time.set_value", R"(,"time":"05:04:20")"},
      {"valve.set_valve_position", R"(,"position":40)"},
      {"water_heater.set_temperature", R"(,"temperature":50)"},
  };
  const auto found = table.find(service);
  return found == table.end() ? std::string_view() : found->second;
}

void call_services(TestNode& node) {
  const auto services = node.home.hub.services.snapshot();
  std::vector<std::string> ids;
  for (const auto& [id, entity] : node.home.hub.registry.snapshot()->entities) {
    if (entity.integration == "esphome") ids.push_back(id);
  }
  for (const std::string& id : ids) {
    const std::string domain = id.substr(0, id.find('.'));
    const auto known = services->find(domain);
    if (known == services->end()) continue;
    for (const auto& [name, service] : *known->second) {
      const std::string whole = domain + '.' + std::string(name);
      node.home.begin(whole, fmt::format(R"({{"entity_id":"{}"{}}})", id, data_of(whole)));
    }
  }
  const auto actions = services->find("esphome");
  if (actions == services->end()) return;
  for (const auto& [name, action] : *actions->second) {
    json::object data;
    for (const auto& field : action->description.fields) data[field.name] = "1";
    node.home.begin("esphome." + std::string(name), base::to_json(json::value(data)));
  }
}

void must_be_json(const TestNode& node) {
  node.home.hub.states.snapshot()->for_each([](const hearth::core::State& state) {
    base::must(base::parse_json(std::string(state.attributes_json())).has_value(), "attributes are JSON");
    base::must(base::utf8_length(state.value()).has_value(), "a state is UTF-8");
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  base::set_log_level(base::LogLevel::error);
  TestNode node({.host = "node", .allow_service_calls = true});
  node.greet();
  node.describe();
  node.session().receive(base::fuzz_text(data, size));
  node.home.hub.bus.run_pending();
  call_services(node);
  node.home.advance(std::chrono::seconds(40), std::chrono::seconds(5));
  must_be_json(node);
  base::must(base::parse_json(base::to_json(json::value(node.session().diagnosis()))).has_value(),
             "the diagnosis is JSON");

  const json::object kept = node.node().description();
  TestNode again;
  if (!again.node().restore(kept)) return 0;
  base::must_equal(base::to_json(json::value(again.node().description())), base::to_json(json::value(kept)),
                   "the description comes back the same");
  return 0;
}
