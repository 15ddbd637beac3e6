// SPDX-License-Identifier: Apache-2.0
// Any bytes as messages of discovery and of a device's topics: the first line is a topic after the prefix, the second
// the description, the others what the topic s sends. Then each entity gets the services of its domain, which render
// the templates of commands. The home goes on, the report says what became of it, the same message again changes
// nothing, and an empty one leaves nothing.
#include <fmt/format.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/log/log.h"
#include "base/testing/fuzz_check.h"
#include "domains/test_home.h"
#include "integrations/mqtt/connection/test_broker.h"
#include "integrations/mqtt/discovery/discovery.h"

namespace {

namespace base = hearth::base;
namespace json = hearth::json;
using hearth::integrations::mqtt::Discovery;
using hearth::integrations::mqtt::TestBroker;

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (true) {
    const auto end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos || lines.size() == 20) return lines;
    text.remove_prefix(end + 1);
  }
}

// Of services that need more than a target.
std::string_view data_of(std::string_view service) {
  static const std::map<std::string_view, std::string_view> table = {
      {"climate.set_temperature", R"(,"temperature":21.5)"},
      {"climate.set_hvac_mode", R"(,"hvac_mode":"heat")"},
      {"cover.set_cover_position", R"(,"position":40)"},
      {"fan.set_percentage", R"(,"percentage":66)"},
      {"humidifier.set_humidity", R"(,"humidity":45)"},
      {"light.turn_on", R"(,"brightness":77)"},
      {"lock.unlock", R"(,"code":"1234")"},
      {"number.set_value", R"(,"value":5)"},
      {"select.select_option", R"(,"option":"a")"},
      {"text.set_value", R"(,"value":"abc")"},
      {"valve.set_valve_position", R"(,"position":40)"},
      {"water_heater.set_temperature", R"(,"temperature":50)"},
  };
  const auto found = table.find(service);
  return found == table.end() ? std::string_view() : found->second;
}

void call_services(hearth::domains::TestHome& home, const std::string& entity_id) {
  const std::string domain = entity_id.substr(0, entity_id.find('.'));
  const auto services = home.hub.services.snapshot();
  const auto known = services->find(domain);
  if (known == services->end()) return;
  for (const auto& [name, service] : *known->second) {
    const std::string whole = domain + '.' + std::string(name);
    home.begin(whole, fmt::format(R"({{"entity_id":"{}"{}}})", entity_id, data_of(whole)));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  base::set_log_level(base::LogLevel::error);
  const auto lines = lines_of(base::fuzz_text(data, size));
  if (lines.size() < 2 || lines[0].empty() || lines[0].find_first_of("+#") != std::string::npos) return 0;
  const std::string topic = lines[0].starts_with("tasmota/") ? lines[0] : "homeassistant/" + lines[0] + "/config";
  hearth::domains::TestHome home;
  TestBroker broker;
  Discovery discovery(home.place(), broker, "homeassistant");
  base::must(discovery.start().has_value(), "discovery starts");
  broker.receive(topic, lines[1]);
  home.hub.bus.run_pending();
  const std::string report = base::to_json(json::value(discovery.report()));
  base::must(base::parse_json(report).has_value(), "the report is JSON");
  for (const json::value& row : discovery.report()) {
    const bool refused = row.at("verdict") == "refused";
    base::must(!refused || row.at("reason").is_string(), "a refusal has a reason");
    base::must(!refused || row.at("entity_id").is_null(), "what is refused is no entity");
  }
  for (std::size_t i = 2; i < lines.size(); ++i) {
    broker.receive("s", lines[i]);
    home.hub.bus.run_pending();
  }
  for (const json::value& row : discovery.report())
    if (row.at("entity_id").is_string()) call_services(home, std::string(row.at("entity_id").as_string()));
  for (const std::string& sent : broker.published)
    base::must(sent.find_first_of("+#") >= sent.find('='), "nothing is sent to a filter");
  broker.receive(topic, lines[1]);
  home.hub.bus.run_pending();
  base::must_equal(base::to_json(json::value(discovery.report())), report, "the same message again changes nothing");
  broker.receive(topic, "");
  home.hub.bus.run_pending();
  base::must(home.hub.registry.snapshot()->entities.empty(), "an empty message leaves no entity");
  base::must(home.hub.registry.snapshot()->items.empty(), "nor anything that is kept");
  return 0;
}
