// SPDX-License-Identifier: Apache-2.0
// Sensors and binary sensors: values that are only read. Bus thread only.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "integrations/modbus/entities/hub_home.h"
#include "integrations/modbus/entities/poller.h"

namespace hearth::integrations::modbus {

// An entity of a hub, which makes one or several of the home.
class HubEntity {
 public:
  virtual ~HubEntity() = default;
  // Becomes true when the hub has its connection; its device answers later.
  virtual void set_connected(bool connected) = 0;
};

class ReadEntity : public HubEntity {
 public:
  void set_connected(bool connected) override;

 protected:
  using Show = std::function<void(std::size_t part, std::span<const std::uint16_t> values)>;

  // Adds the reading to the poller. `width`: values of each thing.
  void read(Poller& poller, const CommonOptions& options, Table table, std::size_t width, Show show);

  std::vector<domains::Thing*> things_;

 private:
  void got(std::span<const std::uint16_t> values, const RequestFailure* failure);
  void set_available(bool available);

  std::size_t width_ = 1;
  Show show_;
  Trouble trouble_;
};

class SensorEntity final : public ReadEntity {
 public:
  SensorEntity(HubHome& home, Poller& poller, const SensorOptions& options);
};

class BinarySensorEntity final : public ReadEntity {
 public:
  BinarySensorEntity(HubHome& home, Poller& poller, const BinarySensorOptions& options);
};

}  // namespace hearth::integrations::modbus
