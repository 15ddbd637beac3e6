// SPDX-License-Identifier: Apache-2.0
// Switches, lights and fans: a value that is written to turn something on or off, and perhaps read again. Bus thread
// only.
#pragma once

#include <optional>
#include <string>

#include "domains/light/light.h"
#include "integrations/modbus/entities/commanded.h"
#include "integrations/modbus/entities/sensors.h"

namespace hearth::integrations::modbus {

class OnOffEntity : public HubEntity {
 public:
  void set_connected(bool connected) override;

 protected:
  // All must outlive this.
  OnOffEntity(HubHome& home, Channel& channel, const SwitchOptions& options);

  // `entity`: null if it could not be added.
  void begin(domains::Entity* entity, Poller& poller);
  void write(bool on);
  bool verify() { return state_.read(); }

  // Null: unknown.
  virtual void tell(std::optional<bool> on) = 0;
  // Nothing has changed: ends the call that waits.
  virtual void tell_again() = 0;

 private:
  void written(bool on, const Answer& answer);
  void show(std::uint16_t value);

  HubHome& home_;
  const SwitchOptions options_;
  domains::Entity* entity_ = nullptr;
  Commanded state_;
  core::Timer verify_;
};

// A switch, or a fan.
class SwitchEntity final : public OnOffEntity, private domains::ThingDevice {
 public:
  SwitchEntity(HubHome& home, Poller& poller, Channel& channel, const domains::Kind& kind,
               const SwitchOptions& options);

 private:
  void act(const domains::Action& action, const json::object& data) override;
  bool refresh() override { return verify(); }
  void tell(std::optional<bool> on) override;
  void tell_again() override { thing_->report({}); }

  domains::Thing* thing_;
};

class LightEntity final : public OnOffEntity, private domains::LightDevice {
 public:
  LightEntity(HubHome& home, Poller& poller, Channel& channel, const SwitchOptions& options);

 private:
  void turn_on(const domains::LightCommand&) override { write(true); }
  void turn_off(const domains::LightOffCommand&) override { write(false); }
  bool refresh() override { return verify(); }
  void tell(std::optional<bool> on) override;
  void tell_again() override;

  domains::Light* light_;
};

}  // namespace hearth::integrations::modbus
