// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/components/components.h"
#include "integrations/esphome/components/travel.h"
#include "integrations/esphome/entities/thing_entity.h"

namespace hearth::integrations::esphome {
namespace {

constexpr std::uint32_t kValveCommand = 111;

struct Valve {
  using List = proto::ListValve;
  using State = proto::ValveState;

  static const domains::Kind& kind() { return domains::kValve; }
  static const Component& component() { return kValveComponent; }
  static domains::Abilities abilities(const List& list) {
    domains::Abilities can{.features = "open close"};
    if (list.position()) can.feature_bits |= kind().features_of("set_position");
    if (list.stop()) can.feature_bits |= kind().features_of("stop");
    return can;
  }
  static domains::Report report(const List& list, const State& state) {
    domains::Report report{.value = travel_value(state.operation(), state.position())};
    if (list.position()) report.attributes["current_position"] = percent_json(state.position());
    return report;
  }
  static bool assumed(const List& list) { return list.assumed_state(); }
  static void perform(NodeEntity& entity, const List&, const domains::Action& action, const json::object& data) {
    const std::string_view service = action.service;
    proto::ValveCommand command;
    command.set_stop(service == "stop_valve");
    command.set_has_position(service != "stop_valve");
    if (service == "open_valve") command.set_position(1);
    if (service == "set_valve_position") command.set_position(data.at("position").to_number<float>() / 100);
    entity.send(kValveCommand, command);
  }
};

}  // namespace

const Component kValveComponent{"valve", "valve", 109, 110, make_entity<ThingOf<Valve>>, receive_state<ThingOf<Valve>>};

}  // namespace hearth::integrations::esphome
