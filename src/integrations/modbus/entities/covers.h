// SPDX-License-Identifier: Apache-2.0
// Covers: a value that is written to open or close one, and one that says how it is. Bus thread only.
#pragma once

#include "integrations/modbus/entities/commanded.h"
#include "integrations/modbus/entities/sensors.h"

namespace hearth::integrations::modbus {

class CoverEntity final : public HubEntity, private domains::ThingDevice {
 public:
  // All must outlive this.
  CoverEntity(HubHome& home, Poller& poller, Channel& channel, const CoverOptions& options);

  void set_connected(bool connected) override;

 private:
  void act(const domains::Action& action, const json::object& data) override;
  bool refresh() override { return position_.read(); }
  void show(std::uint16_t value);

  const CoverOptions options_;
  domains::Thing* thing_;
  Commanded position_;
};

}  // namespace hearth::integrations::modbus
