// SPDX-License-Identifier: Apache-2.0
#include "domains/groups/light_group.h"

#include "domains/groups/thing_group.h"

namespace hearth::domains {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};

// The field that says the colour, as light.turn_on takes it. `level`: of a lamp's white channel.
void put_color(json::object& data, const LightColor& color, std::optional<int> level) {
  std::visit(Overloaded{[&](const HsColor& hs) { data["hs_color"] = to_json_array(hs); },
                        [&](const XyColor& xy) { data["xy_color"] = to_json_array(xy); },
                        [&](const RgbColor& rgb) { data["rgb_color"] = to_json_array(rgb); },
                        [&](const RgbwColor& rgbw) { data["rgbw_color"] = to_json_array(rgbw); },
                        [&](const RgbwwColor& rgbww) { data["rgbww_color"] = to_json_array(rgbww); },
                        [&](ColorTemperature white) { data["color_temp_kelvin"] = white.kelvin; },
                        [&](WhiteChannel) { data["white"] = level.value_or(255); }},
             color);
}

void put_common(json::object& data, const std::optional<Flash>& flash,
                const std::optional<base::Duration>& transition) {
  if (flash) data["flash"] = *flash == Flash::brief ? "short" : "long";
  if (transition) data["transition"] = std::chrono::duration<double>(*transition).count();
}

}  // namespace

std::unique_ptr<Entity> LightGroup::make(EntityInfo info, const core::State*) {
  auto light = std::make_unique<Light>(std::move(info), LightCapabilities(), *this);
  light_ = light.get();
  return light;
}

core::Words LightGroup::wanted() const {
  return "brightness color_mode hs_color xy_color rgb_color rgbw_color rgbww_color color_temp_kelvin "
         "min_color_temp_kelvin max_color_temp_kelvin effect effect_list supported_color_modes supported_features";
}

void LightGroup::show(const core::Context* cause) {
  light_->set_capabilities(joined_capabilities(seen()));
  light_->set_extra_attributes({{"entity_id", entity_ids()}});
  const bool available = is_available();
  if (!available) light_->set_available(false, cause);
  if (auto state = sum_of_lights(seen(), is_set("all")))
    light_->report(std::move(*state), cause);
  else
    light_->forget(cause);
  if (available) light_->set_available(true, cause);
}

bool LightGroup::has_turned() const {
  const auto on = is_group_on(seen(), is_set("all"));
  return on != (light_->state() ? std::optional(light_->state()->on) : std::nullopt);
}

void LightGroup::turn_on(const LightCommand& command) {
  json::object data;
  put_common(data, command.flash, command.transition);
  if (command.color) put_color(data, *command.color, command.brightness);
  if (command.brightness && !data.contains("white")) data["brightness"] = *command.brightness;
  if (command.effect) data["effect"] = command.effect->empty() ? "off" : *command.effect;
  forward("turn_on", data);
}

void LightGroup::turn_off(const LightOffCommand& command) {
  json::object data;
  put_common(data, command.flash, command.transition);
  forward("turn_off", data);
}

}  // namespace hearth::domains
