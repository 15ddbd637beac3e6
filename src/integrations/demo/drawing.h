// SPDX-License-Identifier: Apache-2.0
// Draws what the cameras of the demo home see, as SVG: a house under the sky of that hour and weather.
#pragma once

#include <string_view>

#include "core/states/pictures.h"
#include "integrations/demo/weather.h"

namespace hearth::integrations::demo {

// `visitor`: whether somebody stands at the door.
core::Picture draw_house(const LocalTime& time, const Weather& weather, std::string_view title, bool visitor = false);

}  // namespace hearth::integrations::demo
