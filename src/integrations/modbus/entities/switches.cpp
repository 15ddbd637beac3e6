// SPDX-License-Identifier: Apache-2.0
#include "integrations/modbus/entities/switches.h"

#include <fmt/format.h>

#include "base/log/log.h"

namespace hearth::integrations::modbus {
namespace {

std::optional<Commanded::Status> status_of(const SwitchOptions& options) {
  if (!options.verify) return {};
  return Commanded::Status{options.common.unit, options.verify->table, options.verify->address};
}

}  // namespace

OnOffEntity::OnOffEntity(HubHome& home, Channel& channel, const SwitchOptions& options)
    : home_(home),
      options_(options),
      state_(channel, status_of(options_), [this](std::uint16_t value) { show(value); }) {}

void OnOffEntity::begin(domains::Entity* entity, Poller& poller) {
  entity_ = entity;
  if (entity_) state_.watch(*entity_, poller, options_.common.scan_interval);
}

void OnOffEntity::set_connected(bool connected) {
  // Without a value to read, the connection is all that is known.
  if (!entity_ || (connected && options_.verify)) return;
  if (entity_->available() != connected) entity_->set_available(connected);
}

void OnOffEntity::write(bool on) {
  verify_ = {};
  state_.write({.unit = options_.common.unit,
                .table = options_.table,
                .address = options_.common.address,
                .values = {on ? options_.on : options_.off},
                .as_list = options_.as_list},
               [this, on](const Answer& answer) { written(on, answer); });
}

void OnOffEntity::written(bool on, const Answer& answer) {
  if (!answer) {
    base::log_warning("modbus", "{} cannot be switched {}: {}", entity_->entity_id(), on ? "on" : "off",
                      answer.error().message);
    return tell_again();
  }
  if (!options_.verify) return tell(on);
  verify_ = home_.bus().schedule(options_.verify->delay, [this] { verify(); });
}

void OnOffEntity::show(std::uint16_t value) {
  const Verify& verify = *options_.verify;
  if (value == verify.on || value == verify.off) {
    state_.understood();
    tell(value == verify.on);
  } else {
    state_.not_understood(
        fmt::format("Its state is {}; expected {} for on, {} for off.", value, verify.on, verify.off));
    tell({});
  }
}

SwitchEntity::SwitchEntity(HubHome& home, Poller& poller, Channel& channel, const domains::Kind& kind,
                           const SwitchOptions& options)
    : OnOffEntity(home, channel, options), thing_(home.add(kind, options.common, 0, {}, this)) {
  begin(thing_, poller);
}

void SwitchEntity::act(const domains::Action& action, const json::object&) {
  write(std::string_view(action.service) == "turn_on");
}

void SwitchEntity::tell(std::optional<bool> on) {
  thing_->report({.value = on ? json::value(*on) : json::value()});
}

LightEntity::LightEntity(HubHome& home, Poller& poller, Channel& channel, const SwitchOptions& options)
    : OnOffEntity(home, channel, options), light_(home.add_light(options.common, *this)) {
  begin(light_, poller);
}

void LightEntity::tell(std::optional<bool> on) {
  if (on)
    light_->report({.on = *on});
  else
    light_->forget();
}

void LightEntity::tell_again() {
  const auto state = light_->state();
  tell(state ? std::optional(state->on) : std::nullopt);
}

}  // namespace hearth::integrations::modbus
