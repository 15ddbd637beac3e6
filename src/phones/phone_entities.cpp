// SPDX-License-Identifier: Apache-2.0
#include "phones/phone_entities.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/json/json_fields.h"
#include "base/log/log.h"
#include "core/values/entity_id.h"
#include "domains/entities/kinds.h"
#include "domains/people/zones.h"

namespace hearth::phones {
namespace {

using base::ErrorCode;
using base::Result;

const domains::Kind& kind_of(const PhoneSensor& sensor) {
  return base::text_at(sensor.fields, "type") == "sensor" ? domains::kSensor : domains::kBinarySensor;
}

// A text that says that there is no value is none.
json::value state_of(const json::object& sent) {
  const json::value& state = base::value_at(sent, "state");
  if (state.is_structured()) return {};
  if (state.is_string() && (state.get_string() == core::kUnknown || state.get_string() == core::kUnavailable))
    return {};
  return state;
}

Result<json::object> attributes_of(const json::object& sent) {
  const json::value& given = base::value_at(sent, "attributes");
  if (given.is_null()) return json::object();
  if (!given.is_object() || base::to_json(given).size() > Phone::kMaxAttributes)
    return base::fail(ErrorCode::invalid,
                      fmt::format("attributes: expected an object of at most {} bytes", Phone::kMaxAttributes));
  return given.get_object();
}

std::optional<double> number_at(const json::object& sent, std::string_view key) {
  const json::value& value = base::value_at(sent, key);
  if (!value.is_number()) return {};
  const double number = value.to_number<double>();
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

}  // namespace

PhoneEntities::PhoneEntities(core::Hub& hub, domains::EntityTable& entities, PhonePtr phone)
    : hub_(hub), entities_(entities), phone_(std::move(phone)) {
  put_device();
  add_tracker();
  for (const auto& [id, sensor] : phone_->sensors) {
    const auto added = add(sensor);
    if (!added)
      base::log_warning("phones", "the sensor {} of {} is left out: {}", id, phone_->name(), added.error().message);
  }
}

void PhoneEntities::put_device() {
  const std::pair<std::string, std::string> identifier{kMobileApp, phone_->key};
  device_id_ = fmt::format("{}.{}", kMobileApp, phone_->key);
  // Another home's app had the device under an id of its own.
  for (const auto& [id, known] : hub_.registry.snapshot()->devices)
    if (known.identifiers.contains(identifier)) device_id_ = id;
  core::Device device{.id = device_id_, .integration = std::string(kMobileApp)};
  device.name = phone_->name();
  device.manufacturer = phone_->text("manufacturer");
  device.model = phone_->text("model");
  device.sw_version = phone_->text("os_version");
  device.identifiers = {identifier};
  device_id_ = hub_.registry.put_device(std::move(device)).id;
}

void PhoneEntities::add_tracker() {
  domains::EntityInfo info{.integration = std::string(kMobileApp),
                           .unique_id = phone_->key,
                           .object_id = core::slugify(phone_->name()),
                           .name = phone_->name(),
                           .device_id = device_id_};
  if (info.object_id.empty()) info.object_id = "phone";
  const core::RegisteredEntity* known = nullptr;
  const auto registry = hub_.registry.snapshot();
  known = registry->find_entity(kMobileApp, "device_tracker", phone_->key);
  const core::StatePtr last = known ? hub_.states.find(known->entity_id) : nullptr;
  const auto added = entities_.add(std::make_unique<domains::Thing>(domains::kDeviceTracker, std::move(info)));
  if (!added)
    return base::log_warning("phones", "where {} is cannot be shown: {}", phone_->name(), added.error().message);
  tracker_ = *added;
  if (last) tracker_->report(domains::restored(domains::kDeviceTracker, {}, *last));
}

void PhoneEntities::use(PhonePtr phone) {
  const bool same = phone->registration == phone_->registration;
  phone_ = std::move(phone);
  if (!same) put_device();
}

// Another home's app has put its own secret before the sensor's id.
std::string PhoneEntities::registered_as(const PhoneSensor& sensor) const {
  const auto registry = hub_.registry.snapshot();
  const std::string end = "_" + sensor.unique_id;
  if (const auto* const of_device = registry->entities_of_device.find(device_id_)) {
    for (const auto& [id, known] : *of_device) {
      if (known.integration == kMobileApp && core::is_reserved(known) && known.domain() == kind_of(sensor).domain &&
          known.unique_id.ends_with(end) && !known.unique_id.starts_with(phone_->key))
        return known.unique_id;
    }
  }
  return phone_->key + end;
}

Result<domains::Thing*> PhoneEntities::add(const PhoneSensor& sensor) {
  const domains::Kind& kind = kind_of(sensor);
  const std::string name = base::text_at(sensor.fields, "name");
  domains::EntityInfo info{.integration = std::string(kMobileApp),
                           .unique_id = sensor.registered_as,
                           .object_id = core::slugify(fmt::format("{} {}", phone_->name(), name)),
                           .name = name.empty() ? sensor.unique_id : name,
                           .device_class = base::text_at(sensor.fields, "device_class"),
                           .icon = base::text_at(sensor.fields, "icon"),
                           .device_id = device_id_,
                           .entity_category = base::text_at(sensor.fields, "entity_category"),
                           .has_entity_name = true,
                           .disabled = base::flag_at(sensor.fields, "disabled")};
  if (info.object_id.empty()) info.object_id = "phone_sensor";
  domains::Abilities can;
  for (const char* const once : {"unit_of_measurement", "state_class"})
    if (const json::value* const given = sensor.fields.if_contains(once)) can.attributes[once] = *given;
  core::StatePtr last;
  {
    const auto registry = hub_.registry.snapshot();
    if (const auto* const known = registry->find_entity(kMobileApp, kind.domain, sensor.registered_as))
      last = hub_.states.find(known->entity_id);
  }
  auto thing = std::make_unique<domains::Thing>(kind, std::move(info), std::move(can));
  if (last) thing->report(domains::restored(kind, {}, *last));
  auto added = entities_.add(std::move(thing));
  if (added) sensors_[sensor.unique_id] = *added;
  return added;
}

Result<PhoneSensor> PhoneEntities::put(PhoneSensor sensor, const json::object& sent, const core::Context& context) {
  if (const auto attributes = attributes_of(sent); !attributes) return std::unexpected(attributes.error());
  const auto known = phone_->sensors.find(sensor.unique_id);
  const auto shown = sensors_.find(sensor.unique_id);
  sensor.registered_as = known == phone_->sensors.end() ? registered_as(sensor) : known->second.registered_as;
  const bool same = shown != sensors_.end() && known != phone_->sensors.end() && known->second == sensor;
  if (!same) {
    if (shown != sensors_.end()) {
      const auto former = entities_.withdraw(shown->second->entity_id());
      sensors_.erase(shown);
    }
    if (const auto added = add(sensor); !added) return std::unexpected(added.error());
  }
  if (auto reported = report(sent, context); !reported) return std::unexpected(reported.error());
  return sensor;
}

Result<void> PhoneEntities::report(const json::object& sent, const core::Context& context) {
  const auto found = sensors_.find(base::text_view_at(sent, "unique_id"));
  if (found == sensors_.end()) return base::fail(ErrorCode::not_found, "Entity is not registered");
  auto attributes = attributes_of(sent);
  if (!attributes) return std::unexpected(attributes.error());
  domains::Thing& thing = *found->second;
  thing.set_extra_attributes(std::move(*attributes));
  thing.report({.value = state_of(sent)}, &context);
  return {};
}

Result<void> PhoneEntities::locate(const json::object& sent, const core::Context& context) {
  if (!tracker_) return base::fail(ErrorCode::unavailable, "There is no entity for it.");
  domains::Report report;
  report.attributes["source_type"] = "gps";
  if (const json::value& gps = base::value_at(sent, "gps"); !gps.is_null()) {
    if (!gps.is_array() || gps.get_array().size() != 2 || !gps.get_array()[0].is_number() ||
        !gps.get_array()[1].is_number())
      return base::fail(ErrorCode::invalid, "gps: expected latitude and longitude");
    const domains::Position position{gps.get_array()[0].to_number<double>(), gps.get_array()[1].to_number<double>(),
                                     std::clamp(number_at(sent, "gps_accuracy").value_or(0), 0.0, 1e6)};
    if (!(std::abs(position.latitude) <= 90 && std::abs(position.longitude) <= 180))
      return base::fail(ErrorCode::invalid, "gps: expected degrees from -90 to 90 and from -180 to 180");
    report.attributes["latitude"] = position.latitude;
    report.attributes["longitude"] = position.longitude;
    report.attributes["gps_accuracy"] = position.accuracy;
    report.value = domains::zone_at(hub_, position).value_or("not_home");
  }
  if (const std::string place = base::text_at(sent, "location_name", Phone::kMaxText); !place.empty())
    report.value = place;
  struct Number {
    const char *sent, *attribute;
    double least, most;
  };
  for (const auto& [from, to, least, most] :
       {Number{"battery", "battery_level", 0, 100}, Number{"altitude", "altitude", -1e5, 1e5},
        Number{"course", "course", 0, 360}, Number{"speed", "speed", 0, 1e4}}) {
    const auto number = number_at(sent, from);
    if (number && *number >= least && *number <= most) report.attributes[to] = *number;
  }
  tracker_->report(std::move(report), &context);
  return {};
}

bool PhoneEntities::is_disabled(std::string_view unique_id) const {
  const auto found = sensors_.find(unique_id);
  return found != sensors_.end() && !found->second->enabled();
}

void PhoneEntities::remove() {
  for (const auto& [id, thing] : std::exchange(sensors_, {})) entities_.remove(thing->entity_id());
  if (tracker_) entities_.remove(std::exchange(tracker_, nullptr)->entity_id());
  hub_.registry.forget_devices({device_id_});
}

}  // namespace hearth::phones
