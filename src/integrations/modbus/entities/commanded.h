// SPDX-License-Identifier: Apache-2.0
// The value by which a device is commanded, and perhaps another one that says how it is. A read value counts unless a
// command is under way: it may be from before. Bus thread only.
#pragma once

#include <functional>
#include <optional>

#include "domains/entities/entity.h"
#include "integrations/modbus/connection/channel.h"
#include "integrations/modbus/entities/hub_home.h"
#include "integrations/modbus/entities/poller.h"

namespace hearth::integrations::modbus {

class Commanded {
 public:
  // The value that says how the device is.
  struct Status {
    std::uint8_t unit = 1;
    Table table = Table::holding;
    std::uint16_t address = 0;
  };
  using Show = std::function<void(std::uint16_t value)>;

  // All must outlive this.
  Commanded(Channel& channel, std::optional<Status> status, Show show)
      : channel_(channel), status_(status), show_(std::move(show)) {}

  // Reads the status from now on, for this entity, which is unavailable while that fails.
  void watch(domains::Entity& entity, Poller& poller, std::chrono::milliseconds interval);
  // For a call of the entity, which waits for the device's answer.
  void write(Request request, Channel::Done done);
  // Reads the status now. False if there is none.
  bool read();

  // The value means something, or nothing.
  void understood() { trouble_.over(); }
  void not_understood(std::string message);

 private:
  void got(std::uint16_t value);
  void failed(const RequestFailure& failure);

  Channel& channel_;
  const std::optional<Status> status_;
  const Show show_;
  domains::Entity* entity_ = nullptr;
  int commands_ = 0;  // under way
  Trouble trouble_;
};

}  // namespace hearth::integrations::modbus
