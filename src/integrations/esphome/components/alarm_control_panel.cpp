// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/components/components.h"
#include "integrations/esphome/entities/thing_entity.h"

namespace hearth::integrations::esphome {
namespace {

constexpr std::uint32_t kAlarmCommand = 96;
constexpr std::string_view kAlarmValues[] = {
    "disarmed", "armed_home", "armed_away", "armed_night", "armed_vacation", "armed_custom_bypass",
    "pending",  "arming",     "disarming",  "triggered"};
constexpr std::string_view kAlarmServices[] = {"alarm_disarm",    "alarm_arm_away",     "alarm_arm_home",
                                               "alarm_arm_night", "alarm_arm_vacation", "alarm_arm_custom_bypass",
                                               "alarm_trigger"};
constexpr unsigned kAlarmFeatures = 1 | 2 | 4 | 8 | 16 | 32;  // the same bits as the domain's

struct AlarmControlPanel {
  using List = proto::ListAlarmControlPanel;
  using State = proto::AlarmControlPanelState;

  static const domains::Kind& kind() { return domains::kAlarmControlPanel; }
  static const Component& component() { return kAlarmControlPanelComponent; }
  static domains::Abilities abilities(const List& list) {
    domains::Abilities can{.feature_bits = list.features() & kAlarmFeatures,
                           .attributes = {{"code_arm_required", list.requires_code_to_arm()}}};
    if (list.requires_code()) can.attributes["code_format"] = "number";
    return can;
  }
  static domains::Report report(const List&, const State& state) {
    const auto word = word_of(kAlarmValues, state.state());
    return {.value = word ? json::value(*word) : json::value()};
  }
  static void perform(NodeEntity& entity, const List&, const domains::Action& action, const json::object& data) {
    proto::AlarmControlPanelCommand command;
    command.set_command(number_of(kAlarmServices, action.service).value_or(0));
    if (const json::value* const code = data.if_contains("code")) command.set_code(std::string(code->get_string()));
    entity.send(kAlarmCommand, command);
  }
};

}  // namespace

const Component kAlarmControlPanelComponent{"alarm_control_panel",
                                            "alarm_control_panel",
                                            94,
                                            95,
                                            make_entity<ThingOf<AlarmControlPanel>>,
                                            receive_state<ThingOf<AlarmControlPanel>>};

}  // namespace hearth::integrations::esphome
