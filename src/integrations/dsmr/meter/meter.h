// SPDX-License-Identifier: Apache-2.0
// A meter in the home: the devices and sensors of what its telegrams say. Bus thread only.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "domains/entities/kinds.h"
#include "domains/entities/thing.h"
#include "domains/integration.h"
#include "integrations/dsmr/meter/quantities.h"
#include "integrations/dsmr/protocol/telegram.h"

namespace hearth::integrations::dsmr {

// The electricity meter's serial number as the telegram has it, or else its header; letters, digits, - and _ only.
// Empty if it has neither.
std::string serial_of(const Telegram& telegram);
// For people: the text that its hexadecimal digits stand for, if they do.
std::string readable_serial(std::string_view serial);

class Meter {
 public:
  static constexpr int kMbusChannels = 9;

  // `serial`: of the meter that this is; empty: of the first telegram.
  Meter(const domains::IntegrationHome& home, std::string serial);

  // Adds the entities that the registry knows, as they were.
  void restore();
  // Reports what the telegram says. Fails with conflict if it is of another meter, or another connection has the meter.
  base::Result<void> take(const Telegram& telegram);
  void set_available(bool available);
  // Sensors of the registry that no telegram has had since the start become unavailable, until one has.
  void forget_missing();

  const std::string& serial() const { return serial_; }
  std::size_t entity_count() const { return sensors_.size(); }

 private:
  struct Sensor {
    domains::Thing* thing;
    std::optional<json::value> reported = {};
    bool missing = false;  // see forget_missing
  };

  void take_mbus(const Telegram& telegram, int channel);
  void put_device(const std::string& serial, std::string_view name, std::string_view model, bool is_main);
  void report(const std::string& serial, const Quantity& quantity, json::value value);
  // `last`: its state before a restart, if it has one. Null if it cannot be added.
  Sensor* add(const std::string& unique_id, const std::string& device_id, const Quantity& quantity,
              const core::State* last = nullptr);
  std::string device_id(const std::string& serial) const { return "dsmr." + serial; }

  const domains::IntegrationHome& home_;
  std::string serial_;
  bool available_ = true;
  std::map<std::string, Sensor> sensors_;  // by unique id
  std::map<int, std::string> mbus_;        // serial numbers by channel
  std::set<std::string> devices_;          // by serial number: those that are in the registry
  bool refused_ = false;                   // an entity could not be added, and that is logged
};

}  // namespace hearth::integrations::dsmr
