// SPDX-License-Identifier: Apache-2.0
#include "simulation/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/json/json_fields.h"
#include "domains/climate/climate.h"
#include "domains/entities/kinds.h"
#include "domains/entities/thing.h"
#include "domains/light/light.h"
#include "domains/light/light_request.h"

namespace hearth::simulation {
namespace {

using base::Result;
using domains::Climate;
using domains::ClimateState;
using domains::Light;
using domains::LightState;

constexpr std::string_view kIntegration = "simulation";

std::vector<std::string> texts_of(const json::object& attributes, std::string_view name) {
  std::vector<std::string> texts;
  const json::value* const value = attributes.if_contains(name);
  if (!value || !value->is_array()) return texts;
  for (const json::value& item : value->get_array()) {
    if (item.is_string()) texts.emplace_back(item.get_string());
  }
  return texts;
}

std::optional<double> number_of(const json::object& attributes, std::string_view name) {
  const json::value* const value = attributes.if_contains(name);
  return value && value->is_number() ? std::optional(value->to_number<double>()) : std::nullopt;
}

domains::EntityInfo info_of(const core::EntityId& id, const json::object& attributes) {
  const std::string object_id(id.object_id()), name = base::text_at(attributes, "friendly_name");
  return {.integration = std::string(kIntegration),
          .unique_id = std::string(id.str()),
          .object_id = object_id,
          .name = name.empty() ? object_id : name,
          .device_class = base::text_at(attributes, "device_class"),
          .icon = base::text_at(attributes, "icon")};
}

std::unexpected<base::Error> cannot_be(std::string_view entity_id, std::string_view value) {
  return base::fail(base::ErrorCode::invalid, fmt::format("{} cannot be {}", entity_id, value));
}

bool is_known(const GivenState& state) {
  return state.value != core::kUnknown && state.value != core::kUnavailable;
}

class ThingModel final : public Device, public domains::ThingDevice {
 public:
  ThingModel(const domains::Kind& kind, const core::EntityId& id, const json::object& attributes) : kind_(kind) {
    domains::Abilities can;
    for (const domains::Feature& feature : kind.features) can.feature_bits |= feature.bit;
    if (const auto bits = number_of(attributes, "supported_features")) can.feature_bits = static_cast<unsigned>(*bits);
    for (const domains::Attribute& each : kind.attributes) {
      const json::value* const given = attributes.if_contains(each.name);
      if (given && each.shown == domains::Shown::once) can.attributes[each.name] = *given;
    }
    made_ = std::make_unique<domains::Thing>(kind, info_of(id, attributes), std::move(can), this);
    thing_ = made_.get();
  }

  Result<void> add(domains::EntityTable& entities) {
    auto added = entities.add(std::move(made_));
    if (!added) return std::unexpected(added.error());
    return {};
  }
  std::string_view entity_id() const override { return thing_->entity_id(); }
  void act(const domains::Action& action, const json::object& data) override {
    if (!obeys()) return;
    domains::Report report = domains::outcome(kind_, action, data);
    follow_position(report);
    thing_->report(std::move(report));
  }

 protected:
  domains::Entity& entity() const override { return *thing_; }
  Result<void> report(const GivenState& state) override {
    domains::Report report;
    if (is_known(state)) {
      if (!domains::value_text(kind_, json::value(json::string(state.value))))
        return cannot_be(entity_id(), state.value);
      report.value = json::value(json::string(state.value));
    } else {
      report.value = json::value();
    }
    for (const auto& [name, value] : state.attributes) {
      const domains::Attribute* const known = kind_.find_attribute(name);
      if (known && known->shown != domains::Shown::once) report.attributes[name] = value;
    }
    for (const domains::Attribute& known : kind_.attributes) {
      if (state.replaces && known.shown == domains::Shown::if_reported && !state.attributes.contains(known.name))
        report.attributes[known.name] = nullptr;
    }
    follow_position(report);
    follow_versions(report);
    thing_->report(std::move(report));
    return {};
  }

 private:
  // True if there is an update follows from its versions.
  void follow_versions(domains::Report& report) const {
    if (kind_.domain != "update" || !report.value || report.value->is_null()) return;
    if (report.attributes.contains("latest_version") || report.attributes.contains("installed_version")) return;
    const json::value known = thing_->attribute("installed_version");
    const std::string installed = known.is_string() ? std::string(known.get_string()) : "1.0";
    report.attributes["installed_version"] = installed;
    report.attributes["latest_version"] = *report.value == json::value("on") ? installed + ".1" : installed;
  }
  // A cover is open if its position is not 0, and the other way round.
  void follow_position(domains::Report& report) const {
    constexpr std::string_view kPosition = "current_position";
    if (!kind_.find_attribute(kPosition)) return;
    const json::value* const position = report.attributes.if_contains(kPosition);
    if (position && position->is_number() && !report.value)
      report.value = json::value(position->to_number<double>() > 0 ? "open" : "closed");
    else if (!position && report.value && *report.value == json::value("open"))
      report.attributes[kPosition] = 100;
    else if (!position && report.value && *report.value == json::value("closed"))
      report.attributes[kPosition] = 0;
  }

  const domains::Kind& kind_;
  std::unique_ptr<domains::Thing> made_;
  domains::Thing* thing_ = nullptr;
};

class LightModel final : public Device, public domains::LightDevice {
 public:
  LightModel(const core::EntityId& id, const json::object& attributes) {
    domains::LightCapabilities can{
        .modes = {domains::ColorMode::color_temp, domains::ColorMode::hs}, .flash = true, .transition = true};
    if (const auto names = texts_of(attributes, "supported_color_modes"); !names.empty()) {
      can.modes.clear();
      for (const auto mode : kModes) {
        if (std::ranges::find(names, domains::to_string(mode)) != names.end()) can.modes.insert(mode);
      }
    }
    can.effects = texts_of(attributes, "effect_list");
    made_ = std::make_unique<Light>(info_of(id, attributes), std::move(can), *this);
    light_ = made_.get();
  }

  Result<void> add(domains::EntityTable& entities) {
    auto added = entities.add(std::move(made_));
    if (!added) return std::unexpected(added.error());
    return {};
  }
  std::string_view entity_id() const override { return light_->entity_id(); }
  void turn_on(const domains::LightCommand& command) override {
    if (!obeys()) return;
    if (!command.flash) state_ = domains::apply(state_, command);
    light_->report(state_);
  }
  void turn_off(const domains::LightOffCommand& command) override {
    if (!obeys()) return;
    if (!command.flash) state_.on = false;
    light_->report(state_);
  }

 protected:
  domains::Entity& entity() const override { return *light_; }
  Result<void> report(const GivenState& state) override {
    if (!is_known(state)) {
      light_->forget();
      return {};
    }
    if (state.value != "on" && state.value != "off") return cannot_be(entity_id(), state.value);
    if (const json::object data = command_of(state.attributes); !data.empty()) {
      const auto request = domains::parse_light_request(data);
      if (!request) return std::unexpected(request.error());
      const auto command = domains::resolve(*request, entity_id(), light_->capabilities(), state_);
      if (!command) return std::unexpected(command.error());
      if (*command) state_ = domains::apply(state_, **command);
    }
    state_.on = state.value == "on";
    light_->report(state_);
    return {};
  }

 private:
  static constexpr std::array kModes{
      domains::ColorMode::onoff, domains::ColorMode::brightness, domains::ColorMode::color_temp,
      domains::ColorMode::hs,    domains::ColorMode::xy,         domains::ColorMode::rgb,
      domains::ColorMode::rgbw,  domains::ColorMode::rgbww,      domains::ColorMode::white};

  // The command that would give a lamp these attributes: one colour, by its mode if that is given.
  static json::object command_of(const json::object& attributes) {
    constexpr std::array<std::string_view, 7> kColors{"color_temp_kelvin", "color_temp", "hs_color",   "rgb_color",
                                                      "xy_color",          "rgbw_color", "rgbww_color"};
    json::object data;
    const domains::Action* const turn_on = domains::find_kind(Light::kDomain)->find_action("turn_on");
    const auto take = [&](std::string_view name) {
      const json::value* const given = attributes.if_contains(name);
      if (!given || given->is_null()) return false;
      for (const domains::Input& input : turn_on->fields) {
        if (input.field.name != name) continue;
        const auto value = core::field::convert(input.field.type, *given);
        if (value) data[name] = *value;
        return value.has_value();
      }
      return false;
    };
    if (attributes.contains("brightness") && number_of(attributes, "brightness").value_or(0) > 0) take("brightness");
    take("effect");
    const std::string mode = base::text_at(attributes, "color_mode");
    if (!mode.empty() && (take(mode + "_color") || take(mode + "_kelvin") || take(mode))) return data;
    for (const std::string_view color : kColors) {
      if (take(color)) break;
    }
    return data;
  }

  LightState state_;
  std::unique_ptr<Light> made_;
  Light* light_ = nullptr;
};

class ClimateModel final : public Device, public domains::ClimateDevice {
 public:
  ClimateModel(const core::EntityId& id, const json::object& attributes) {
    domains::ClimateCapabilities can{.modes = {"off", "heat", "cool", "heat_cool", "auto", "dry", "fan_only"}};
    if (auto modes = texts_of(attributes, "hvac_modes"); !modes.empty()) can.modes = std::move(modes);
    can.min_temperature = number_of(attributes, "min_temp").value_or(can.min_temperature);
    can.max_temperature = number_of(attributes, "max_temp").value_or(can.max_temperature);
    can.temperature_step = number_of(attributes, "target_temp_step").value_or(can.temperature_step);
    can.target_range = attributes.contains("target_temp_low");
    can.target_humidity = attributes.contains("humidity");
    can.presets = texts_of(attributes, "preset_modes");
    can.fan_modes = texts_of(attributes, "fan_modes");
    can.swing_modes = texts_of(attributes, "swing_modes");
    can.swing_horizontal_modes = texts_of(attributes, "swing_horizontal_modes");
    made_ = std::make_unique<Climate>(info_of(id, attributes), std::move(can), *this);
    climate_ = made_.get();
  }

  Result<void> add(domains::EntityTable& entities) {
    auto added = entities.add(std::move(made_));
    if (!added) return std::unexpected(added.error());
    return {};
  }
  std::string_view entity_id() const override { return climate_->entity_id(); }
  void set(const domains::ClimateCommand& command) override {
    if (!obeys()) return;
    state_ = domains::apply(state_, command);
    climate_->report(state_);
  }

 protected:
  domains::Entity& entity() const override { return *climate_; }
  Result<void> report(const GivenState& state) override {
    if (!is_known(state)) return {};
    const auto& modes = climate_->capabilities().modes;
    if (std::ranges::find(modes, state.value) == modes.end()) return cannot_be(entity_id(), state.value);
    state_.mode = state.value;
    const json::object& given = state.attributes;
    const auto take = [&](std::string_view name, auto& field) {
      if (const auto number = number_of(given, name))
        field = static_cast<typename std::decay_t<decltype(field)>::value_type>(*number);
    };
    take("temperature", state_.temperature);
    take("current_temperature", state_.current_temperature);
    take("target_temp_low", state_.temperature_low);
    take("target_temp_high", state_.temperature_high);
    take("current_humidity", state_.current_humidity);
    take("humidity", state_.humidity);
    for (auto [name, field] : {std::pair{"preset_mode", &state_.preset},
                               {"fan_mode", &state_.fan_mode},
                               {"swing_mode", &state_.swing_mode},
                               {"swing_horizontal_mode", &state_.swing_horizontal_mode}}) {
      if (given.contains(name)) *field = base::text_at(given, name);
    }
    climate_->report(state_);
    return {};
  }

 private:
  ClimateState state_;
  std::unique_ptr<Climate> made_;
  Climate* climate_ = nullptr;
};

template <class Model>
Result<std::unique_ptr<Device>> added(domains::EntityTable& entities, std::unique_ptr<Model> model) {
  if (auto done = model->add(entities); !done) return std::unexpected(done.error());
  return model;
}

}  // namespace

Result<void> Device::show(const GivenState& state) {
  json::object extra = state.replaces ? json::object() : entity().extra_attributes();
  for (const auto& [name, value] : state.attributes) extra[name] = value;
  for (const std::string_view own : {"friendly_name", "device_class", "icon", "supported_features", "restored"})
    extra.erase(own);
  entity().set_extra_attributes(std::move(extra));
  // Its kind comes first: an entity that comes back is so at once.
  const auto reported = state.value == core::kUnavailable ? Result<void>() : report(state);
  entity().set_available(state.value != core::kUnavailable);
  return reported;
}

bool is_device_domain(std::string_view domain) {
  constexpr std::array<std::string_view, 6> kNone{"scene", "zone", "tag", "calendar", "todo", "device_tracker"};
  const domains::Kind* const kind = domains::find_kind(domain);
  if (!kind || std::ranges::find(kNone, domain) != kNone.end()) return false;
  return domain == Light::kDomain || domain == Climate::kDomain || (!kind->code && !kind->actions.empty());
}

Result<std::unique_ptr<Device>> add_device(domains::EntityTable& entities, const core::EntityId& id,
                                           const json::object& attributes) {
  if (id.domain() == Light::kDomain) return added(entities, std::make_unique<LightModel>(id, attributes));
  if (id.domain() == Climate::kDomain) return added(entities, std::make_unique<ClimateModel>(id, attributes));
  return added(entities, std::make_unique<ThingModel>(*domains::find_kind(id.domain()), id, attributes));
}

}  // namespace hearth::simulation
