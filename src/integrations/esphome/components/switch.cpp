// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/components/components.h"
#include "integrations/esphome/entities/thing_entity.h"

namespace hearth::integrations::esphome {
namespace {

constexpr std::uint32_t kSwitchCommand = 33;

struct Switch {
  using List = proto::ListSwitch;
  using State = proto::SwitchState;

  static const domains::Kind& kind() { return domains::kSwitch; }
  static const Component& component() { return kSwitchComponent; }
  static domains::Abilities abilities(const List&) { return {}; }
  static domains::Report report(const List&, const State& state) { return {.value = state.state()}; }
  static bool assumed(const List& list) { return list.assumed_state(); }
  static void perform(NodeEntity& entity, const List&, const domains::Action& action, const json::object&) {
    proto::SwitchCommand command;
    command.set_state(action.service == "turn_on");
    entity.send(kSwitchCommand, command);
  }
};

}  // namespace

const Component kSwitchComponent{
    "switch", "switch", 17, 26, make_entity<ThingOf<Switch>>, receive_state<ThingOf<Switch>>};

}  // namespace hearth::integrations::esphome
