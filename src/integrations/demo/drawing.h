// SPDX-License-Identifier: Apache-2.0
// Draws the pictures of the demo home's cameras, as SVG: a house under the sky of that hour and weather.
#pragma once

#include <string_view>

#include "core/states/pictures.h"
#include "integrations/demo/weather.h"

namespace hearth::integrations::demo {

// `visitor`: whether somebody stands at the door.
core::Picture draw_house(const LocalTime& time, const Weather& weather, std::string_view title, bool visitor = false);

}  // namespace hearth::integrations::demo
