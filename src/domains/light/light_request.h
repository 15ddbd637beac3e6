// SPDX-License-Identifier: Apache-2.0
// A caller's request for lamps, and its meaning for one lamp. Pure functions, any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/values/service_field.h"
#include "domains/light/light.h"

namespace hearth::domains {

// The request, the same for every lamp of the call.
struct LightRequest {
  struct Brightness {
    bool relative;  // to the present brightness; off counts as 0
    int value;      // 0–255, relative −255–255
  };
  std::optional<Brightness> brightness = {};
  std::optional<LightColor> color = {};
  std::optional<int> white = {};  // level of the white channel
  std::optional<std::string> effect = {};
  std::optional<Flash> flash = {};
  std::optional<base::Duration> transition = {};
};

// Takes data that fits the fields. Fails with invalid if there are two colours or brightnesses, or an unknown name.
base::Result<LightRequest> parse_light_request(const json::object& data);

// The command for one lamp, with the colour in one of its modes; null to turn it off. What the lamp cannot do at all,
// such as flash or shine in colours, is left out. Fails with unsupported if it lacks the effect; the message names the
// lamp.
base::Result<std::optional<LightCommand>> resolve(const LightRequest& request, std::string_view entity_id,
                                                  const LightCapabilities& capabilities,
                                                  const std::optional<LightState>& state);

// The request's flash, null if the lamp cannot flash.
std::optional<Flash> flash_of_lamp(const LightRequest& request, std::string_view entity_id,
                                   const LightCapabilities& capabilities);

}  // namespace hearth::domains
