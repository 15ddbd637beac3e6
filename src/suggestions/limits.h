// SPDX-License-Identifier: Apache-2.0
// The limits that a habit must pass before it is offered.
#pragma once

#include <chrono>
#include <cstddef>

#include "base/clock.h"

namespace hearth::suggestions {

constexpr std::size_t kLeastHits = 6, kLeastDays = 5;
constexpr double kLeastShare = 0.7;      // of the occasions that the effect follows
constexpr double kLeastExplained = 0.3;  // of the effects at such times that follow the cause
constexpr double kLeastLift = 4;         // times as often as by chance
constexpr double kMostByChance = 0.01;   // how likely one such habit is among all that were looked at, if there is none
constexpr std::chrono::seconds kSoon{60};  // after a cause
constexpr std::chrono::minutes kAfterPerson{5};
// An action that follows sooner, mostly, is done by something else already: nobody is that quick.
constexpr std::chrono::milliseconds kTooSoon{300};
constexpr std::chrono::minutes kTimeWindow{20};  // of what is done at the same time each day

}  // namespace hearth::suggestions
