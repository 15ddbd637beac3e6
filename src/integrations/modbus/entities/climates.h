// SPDX-License-Identifier: Apache-2.0
// Thermostats: a measured temperature, a target that is read and written, and perhaps a mode. Bus thread only.
#pragma once

#include <optional>
#include <string>

#include "domains/climate/climate.h"
#include "integrations/modbus/connection/channel.h"
#include "integrations/modbus/entities/sensors.h"

namespace hearth::integrations::modbus {

class ClimateEntity final : public HubEntity, private domains::ClimateDevice {
 public:
  // All must outlive this.
  ClimateEntity(HubHome& home, Poller& poller, Channel& channel, const ClimateOptions& options);

  void set_connected(bool connected) override;

 private:
  using Got = std::function<void(std::span<const std::uint16_t> values)>;

  void set(const domains::ClimateCommand& command) override;
  bool refresh() override;
  void add_reading(Poller& poller, Table table, std::uint16_t address, std::size_t count, Got got);
  // A write, after which all is read again.
  void write(std::uint16_t address, Words values, bool as_list);
  std::optional<double> degrees(std::span<const std::uint16_t> values) const;
  void show();
  void failed(const RequestFailure& failure);

  Channel& channel_;
  const ClimateOptions options_;
  domains::Climate* climate_;
  domains::ClimateState state_;
  std::optional<std::string> mode_;  // of the mode's register
  std::optional<bool> on_;           // of the register that turns it on and off
  std::vector<std::pair<Request, Got>> readings_;
  int commands_ = 0;  // under way: what is read meanwhile may be from before
  Trouble trouble_;
};

}  // namespace hearth::integrations::modbus
