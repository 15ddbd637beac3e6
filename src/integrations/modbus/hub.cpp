// SPDX-License-Identifier: Apache-2.0
#include "integrations/modbus/hub.h"

#include <fmt/format.h>

#include <utility>

#include "base/log/log.h"
#include "integrations/modbus/entities/climates.h"
#include "integrations/modbus/entities/covers.h"
#include "integrations/modbus/entities/switches.h"

namespace hearth::integrations::modbus {

ModbusHub::ModbusHub(const domains::IntegrationHome& home, HubOptions options, std::function<void()> changed)
    : home_(home),
      options_(std::move(options)),
      changed_(std::move(changed)),
      entity_home_(home_, options_.name),
      trouble_(fmt::format("Connecting to {}.", options_.address())),
      channel_(*home_.reactor, home_.bus, home_.hub.clock, options_, static_cast<Channel::Events&>(*this)),
      poller_(home_.bus, [this](Request request, std::function<void(const Answer&)> done) {
        channel_.read(std::move(request), std::move(done));
      }) {
  for (const SensorOptions& each : options_.sensors)
    entities_.push_back(std::make_unique<SensorEntity>(entity_home_, poller_, each));
  for (const BinarySensorOptions& each : options_.binary_sensors)
    entities_.push_back(std::make_unique<BinarySensorEntity>(entity_home_, poller_, each));
  for (const SwitchOptions& each : options_.switches)
    entities_.push_back(std::make_unique<SwitchEntity>(entity_home_, poller_, channel_, domains::kSwitch, each));
  for (const SwitchOptions& each : options_.fans)
    entities_.push_back(std::make_unique<SwitchEntity>(entity_home_, poller_, channel_, domains::kFan, each));
  for (const SwitchOptions& each : options_.lights)
    entities_.push_back(std::make_unique<LightEntity>(entity_home_, poller_, channel_, each));
  for (const CoverOptions& each : options_.covers)
    entities_.push_back(std::make_unique<CoverEntity>(entity_home_, poller_, channel_, each));
  for (const ClimateOptions& each : options_.climates)
    entities_.push_back(std::make_unique<ClimateEntity>(entity_home_, poller_, channel_, each));
  poller_.start();
  wait(kStartGrace);
}

void ModbusHub::wait(base::Duration grace) {
  grace_ = home_.bus.schedule(grace, [this] {
    for (const auto& entity : entities_) entity->set_connected(false);
  });
}

void ModbusHub::set_trouble(std::string trouble) {
  if (trouble_ == trouble) return;
  trouble_ = std::move(trouble);
  changed_();
}

void ModbusHub::on_connected() {
  connected_ = true;
  grace_ = {};
  set_trouble("");
  for (const auto& entity : entities_) entity->set_connected(true);
  poller_.read_all();
}

void ModbusHub::on_lost(const net::Failure& why) {
  if (std::exchange(connected_, false)) {
    base::log_warning("modbus", "{}: {}", options_.name, why.message);
    wait(kGrace);
  }
  set_trouble(why.message);
}

void ModbusHub::disconnect() {
  channel_.stop();
  connected_ = false;
  wait(base::Duration(0));
  set_trouble("It was stopped by the service modbus.stop.");
}

void ModbusHub::restart() {
  set_trouble(fmt::format("Connecting to {}.", options_.address()));
  channel_.resume();
}

void ModbusHub::stop() {
  grace_ = {};
  poller_.stop();
  channel_.stop();
}

json::object ModbusHub::diagnosis() const {
  return {{"address", options_.address()},
          {"connected", connected_},
          {"trouble", trouble_},
          {"entities", entities_.size()},
          {"reads_at_a_round", poller_.request_count()},
          {"requests", channel_.request_count()},
          {"failed_requests", channel_.failure_count()}};
}

}  // namespace hearth::integrations::modbus
