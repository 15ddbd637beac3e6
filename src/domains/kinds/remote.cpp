// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/kinds.h"

namespace hearth::domains {
namespace remote {

constexpr Feature kFeatures[] = {{"learn_command", 1, "learn commands"},
                                 {"delete_command", 2, "forget commands"},
                                 {"activity", 4, "start activities"}};
constexpr Attribute kAttributes[] = {
    {"activity_list", field::TextList{}, Shown::once, "activity"},
    {.name = "current_activity", .type = field::Text{}, .needs = "activity", .restored = true},
};
constexpr core::Field kDevice{"device", "The device that is meant.", "television", field::Text{}};
constexpr core::Example::Json kCommands{R"(["volume_up"])"};
constexpr core::Field kCommand{"command", "A command, or several in their order.", kCommands, field::TextList{}, true};
constexpr Input kTurnOn[] = {{{"activity", "An activity from the remote's activity_list.", "Watch TV", field::Text{}},
                              {.options = "activity_list", .cannot = "start the activity"},
                              "activity",
                              "current_activity"}};
constexpr Input kSend[] = {
    {kCommand},
    {kDevice},
    {{"num_repeats", "How often.", 2, field::Integer{1, 255}}},
    {{"delay_secs", "Seconds between two.", 0.4, field::Number{0, 60}}},
    {{"hold_secs", "Seconds that each is held.", 2.5, field::Number{0, 60}}},
};
constexpr Input kLearn[] = {
    {kDevice},
    {{"command", "What to learn, in its order.", kCommands, field::TextList{}}},
    {{"command_type", "What the device understands.", "ir", field::Option{"ir rf"}}},
    {{"alternative", "Whether each has two forms that alternate.", false, field::Boolean{}}},
    {{"timeout", "Seconds to wait for each.", 30, field::Number{0, 60}}},
};
constexpr Input kDelete[] = {{kCommand}, {kDevice}};
constexpr Action kActions[] = {
    {.service = "turn_on", .name = "Turn on", .description = "Turns remotes on.", .fields = kTurnOn, .value = "on"},
    {.service = "turn_off", .name = "Turn off", .description = "Turns remotes off.", .value = "off"},
    {.service = "toggle",
     .name = "Toggle",
     .description = "Turns remotes on that are off, and off that are on.",
     .toggles = true},
    {"send_command", "Send command", "Sends commands to devices.", kSend},
    {"learn_command", "Learn command", "Learns commands from another remote.", kLearn, "learn_command"},
    {"delete_command", "Delete command", "Forgets commands.", kDelete, "delete_command"},
};

}  // namespace remote

constexpr Kind kRemote{.domain = "remote",
                       .description = "A remote control that commands devices over infrared or radio.",
                       .value = field::Option{"on off"},
                       .on = "turn_on",
                       .off = "turn_off",
                       .features = remote::kFeatures,
                       .attributes = remote::kAttributes,
                       .actions = remote::kActions};

}  // namespace hearth::domains
