// SPDX-License-Identifier: Apache-2.0
// Alerts that a person does not want to see for a day: an item of kAlertSnoozes for each user, with the user's id. A
// snoozed warning stays so even if it ends and comes again; of a danger only the very one that was snoozed is. Any
// thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/alerts/alerts.h"

namespace hearth::core {

constexpr base::Duration kSnooze = std::chrono::days(1);
constexpr std::size_t kMaxSnoozed = 1'000;  // of a user

// Null if the user has not snoozed it, or no longer.
std::optional<base::Timestamp> snoozed_until(const RegistryData& registry, std::string_view user_id, const Alert& alert,
                                             base::Timestamp now);
// Fails with full beyond kMaxSnoozed, with unavailable if the bus is full.
base::Result<void> snooze(Registry& registry, const std::string& user_id, const AlertList& alerts, base::Timestamp now,
                          const Context& context);
// No effect on those that are not snoozed. Fails with unavailable if the bus is full.
base::Result<void> unsnooze(Registry& registry, const std::string& user_id, const std::vector<std::string>& ids,
                            base::Timestamp now, const Context& context);

// When the first snooze of anybody ends; null if there is none.
std::optional<base::Timestamp> next_end(const RegistryData& registry);
// Removes the snoozes that are over.
void forget_ended(Registry& registry, base::Timestamp now);

}  // namespace hearth::core
