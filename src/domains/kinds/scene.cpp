// SPDX-License-Identifier: Apache-2.0
#include "domains/kinds.h"

namespace hearth::domains {
namespace scene {

constexpr Input kTurnOn[] = {{{"transition", "Seconds to fade to the scene.", 2, field::Number{0, 6553}}}};
constexpr Action kActions[] = {
    {"turn_on", "Activate", "Puts the entities of scenes into the states that they name.", kTurnOn}};

}  // namespace scene

constexpr Kind kScene{
    .domain = "scene",
    .description = "States that several entities take together. Its state is when it was last activated.",
    .value = field::DateTime{},
    .on = "turn_on",
    .stamped = Stamped::when_done,
    .actions = scene::kActions};

}  // namespace hearth::domains
