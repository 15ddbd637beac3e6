// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/kinds.h"

namespace hearth::domains {
namespace timer {

constexpr Attribute kAttributes[] = {
    {"editable", field::Boolean{}, Shown::if_reported}, {"duration", field::Text{}},
    {"remaining", field::Text{}, Shown::if_reported},   {"finishes_at", field::Text{}, Shown::if_reported},
    {"restore", field::Boolean{}, Shown::if_reported},  {"last_transition", field::Text{}, Shown::if_reported},
};
constexpr Input kStart[] = {
    {.field = {
         "duration",
         "How long this run takes: seconds, HH:MM:SS, or an object of days, hours, minutes, seconds, milliseconds; "
         "the timer's own, if it is missing.",
         "00:01:00"}}};
constexpr Input kChange[] = {
    {.field = {"duration", "What is added, or with a minus taken away.", "-00:00:30", field::Any{}, true}}};
constexpr Action kActions[] = {
    {"start", "Start", "Starts timers, or lets paused ones go on; those that run start anew.", kStart, {}, "active"},
    {"pause", "Pause", "Holds running timers.", {}, {}, "paused"},
    {"cancel", "Cancel", "Stops timers before their end.", {}, {}, "idle"},
    {"finish", "Finish", "Ends running timers now.", {}, {}, "idle"},
    {"change", "Change", "Makes what is left of running timers longer or shorter, at most their duration.", kChange},
};

}  // namespace timer

constexpr Kind kTimer{.domain = "timer",
                      .description = "Runs for a duration, and says when it has ended.",
                      .value = field::Option{"idle active paused"},
                      .active = "active",
                      .attributes = timer::kAttributes,
                      .actions = timer::kActions};

}  // namespace hearth::domains
