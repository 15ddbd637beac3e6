// SPDX-License-Identifier: Apache-2.0
// The device and the entities of one phone: where it is, and its sensors. What another home's app had brought, and
// waits in the registry, becomes the phone's again. Bus thread only.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "domains/entities/entity_table.h"
#include "domains/entities/thing.h"
#include "phones/phone.h"

namespace hearth::phones {

constexpr std::string_view kMobileApp = "mobile_app";

class PhoneEntities {
 public:
  // All must outlive this. Adds the device, where the phone is, and the sensors that it has.
  PhoneEntities(core::Hub& hub, domains::EntityTable& entities, PhonePtr phone);

  // The registry's id of the device.
  const std::string& device_id() const { return device_id_; }
  // The entity that says where it is.
  std::string_view tracker_id() const { return tracker_ ? tracker_->entity_id() : std::string_view(); }
  // The names or the sensors are others now.
  void use(PhonePtr phone);

  // Adds the sensor, or describes it anew; says what it is registered as in the result. Fails with invalid.
  base::Result<PhoneSensor> put(PhoneSensor sensor, const json::object& sent, const core::Context& context);
  // One reading. Fails with not_found, invalid.
  base::Result<void> report(const json::object& sent, const core::Context& context);
  // Fails with invalid.
  base::Result<void> locate(const json::object& sent, const core::Context& context);
  bool is_disabled(std::string_view unique_id) const;

  // Takes all of it out of the registry.
  void remove();

 private:
  void put_device();
  void add_tracker();
  base::Result<domains::Thing*> add(const PhoneSensor& sensor);
  std::string registered_as(const PhoneSensor& sensor) const;

  core::Hub& hub_;
  domains::EntityTable& entities_;
  PhonePtr phone_;
  std::string device_id_;
  domains::Thing* tracker_ = nullptr;
  std::map<std::string, domains::Thing*, std::less<>> sensors_;  // by the app's unique id
};

}  // namespace hearth::phones
