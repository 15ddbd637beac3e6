// SPDX-License-Identifier: Apache-2.0
// What a caller asks of lamps, and what that is for one lamp. Pure functions, any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/service_field.h"
#include "domains/light/light.h"

namespace hearth::domains {

// As asked, the same for every lamp of the call.
struct LightRequest {
  struct Brightness {
    bool relative;  // to the present one; off counts as 0
    int value;      // 0–255, relative −255–255
  };
  std::optional<Brightness> brightness = {};
  std::optional<LightColor> color = {};
  std::optional<int> white = {};  // level of the white channel
  std::optional<std::string> effect = {};
  std::optional<Flash> flash = {};
  std::optional<base::Duration> transition = {};
};

// From data that fits the fields. Fails with invalid where colour or brightness come twice, or a name is none.
base::Result<LightRequest> parse_light_request(const json::object& data);

// The command for one lamp, its colour in a mode the lamp has; nothing: turn it off. Fails with invalid where the lamp
// cannot; the message names the lamp.
base::Result<std::optional<LightCommand>> resolve(const LightRequest& request, std::string_view entity_id,
                                                  const LightCapabilities& capabilities,
                                                  const std::optional<LightState>& state);

}  // namespace hearth::domains
