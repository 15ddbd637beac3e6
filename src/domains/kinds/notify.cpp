// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/kinds.h"

namespace hearth::domains {
namespace notify {

constexpr Feature kFeatures[] = {{"title", 1, "show a title"}};
constexpr Input kMessage[] = {
    {{"message", "What to say.", "The washing is done.", field::Text{}, true}},
    {.field = {"title", "What stands above it.", "Laundry", field::Text{}}, .needs = "title"},
};
constexpr Action kActions[] = {
    {"send_message", "Send message", "Sends a message to whoever is behind the entity.", kMessage}};

}  // namespace notify

constexpr Kind kNotify{
    .domain = "notify",
    .description = "A screen, phone or channel that messages go to. Its state is when the last went.",
    .value = field::DateTime{},
    .stamped = Stamped::when_done,
    .features = notify::kFeatures,
    .actions = notify::kActions};

}  // namespace hearth::domains
