// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "domains/entities/kinds.h"
#include "domains/entities/thing.h"

namespace hearth::domains {
namespace alarm_control_panel {

constexpr Feature kFeatures[] = {
    {"arm_home", 1, "be armed for somebody at home"}, {"arm_away", 2, "be armed for nobody at home"},
    {"arm_night", 4, "be armed for the night"},       {"trigger", 8, "be triggered from here"},
    {"arm_custom_bypass", 16, "be armed in part"},    {"arm_vacation", 32, "be armed for holidays"},
};
constexpr Attribute kAttributes[] = {
    {"code_format", field::Option{"number text"}, Shown::once},
    {.name = "changed_by", .type = field::Text{}},
    {.name = "code_arm_required", .type = field::Boolean{}},
};
constexpr Input kCode[] = {{{"code", "The code, for panels that need one.", "1234", field::Text{}}}};
constexpr Action kActions[] = {
    {"alarm_disarm", "Disarm", "Disarms alarms, and silences them.", kCode, {}, "disarmed"},
    {"alarm_arm_home", "Arm home", "Arms alarms while somebody is at home.", kCode, "arm_home", "armed_home"},
    {"alarm_arm_away", "Arm away", "Arms alarms while nobody is at home.", kCode, "arm_away", "armed_away"},
    {"alarm_arm_night", "Arm night", "Arms alarms for the night.", kCode, "arm_night", "armed_night"},
    {"alarm_arm_vacation", "Arm vacation", "Arms alarms for holidays.", kCode, "arm_vacation", "armed_vacation"},
    {"alarm_arm_custom_bypass", "Arm with bypass", "Arms alarms but for what is bypassed.", kCode, "arm_custom_bypass",
     "armed_custom_bypass"},
    {"alarm_trigger", "Trigger", "Sets alarms off.", kCode, "trigger", "triggered"},
};

// True if the code has the right form; only the panel knows whether it is correct.
base::Result<void> check_code(const Thing& panel, Order& order) {
  const json::value& format = panel.attribute("code_format");
  const bool arms = order.action->service.starts_with("alarm_arm");
  const json::value* const given = order.data.if_contains("code");
  const std::string_view code = given ? std::string_view(given->get_string()) : std::string_view();
  const bool wanted =
      order.action->service == "alarm_disarm" || (arms && panel.attribute("code_arm_required") != json::value(false));
  if (!format.is_string() || (code.empty() && !wanted)) return {};
  const bool digits = std::ranges::all_of(code, [](char c) { return c >= '0' && c <= '9'; });
  if (!code.empty() && (digits || format.get_string() == "text")) return {};
  return base::fail(base::ErrorCode::invalid, fmt::format("code: {} needs {}", panel.entity_id(),
                                                          format.get_string() == "text" ? "one" : "digits"));
}

}  // namespace alarm_control_panel

constexpr Kind kAlarmControlPanel{
    .domain = "alarm_control_panel",
    .description = "An alarm system.",
    .value = field::Option{"disarmed armed_home armed_away armed_night armed_vacation armed_custom_bypass pending "
                           "arming disarming triggered"},
    .features = alarm_control_panel::kFeatures,
    .attributes = alarm_control_panel::kAttributes,
    .actions = alarm_control_panel::kActions,
    .check = alarm_control_panel::check_code};

}  // namespace hearth::domains
