// SPDX-License-Identifier: Apache-2.0
#include "integrations/modbus/entities/climates.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/log/log.h"
#include "core/values/units.h"

namespace hearth::integrations::modbus {
namespace {

constexpr std::string_view kFahrenheit = "°F", kCelsius = "°C";

domains::ClimateCapabilities capabilities_of(const ClimateOptions& options) {
  domains::ClimateCapabilities can;
  can.modes.clear();
  for (const auto& [mode, value] : options.modes)
    if (std::ranges::find(can.modes, mode) == can.modes.end()) can.modes.push_back(mode);
  if (can.modes.empty()) can.modes = {domains::HvacMode::automatic};
  if (options.onoff_address && std::ranges::find(can.modes, domains::HvacMode::off) == can.modes.end())
    can.modes.insert(can.modes.begin(), domains::HvacMode::off);
  can.min_temperature = options.min_temperature;
  can.max_temperature = options.max_temperature;
  can.temperature_step = options.step;
  return can;
}

}  // namespace

ClimateEntity::ClimateEntity(HubHome& home, Poller& poller, Channel& channel, const ClimateOptions& options)
    : channel_(channel),
      options_(options),
      climate_(home.add_climate(options.common, capabilities_of(options), *this)) {
  if (!climate_) return;
  const std::size_t size = options_.layout.registers();
  add_reading(poller, options_.table, options_.common.address, size,
              [this](auto values) { state_.current_temperature = degrees(values); });
  add_reading(poller, Table::holding, options_.target_address, size,
              [this](auto values) { state_.temperature = degrees(values); });
  if (options_.mode_address) {
    add_reading(poller, Table::holding, *options_.mode_address, 1, [this](auto values) {
      mode_.reset();
      for (const auto& [mode, value] : options_.modes)
        if (value == values.front() && !mode_) mode_ = mode;
    });
  }
  if (options_.onoff_address) {
    add_reading(poller, Table::holding, *options_.onoff_address, 1,
                [this](auto values) { on_ = values.front() != options_.off_value; });
  }
}

void ClimateEntity::add_reading(Poller& poller, Table table, std::uint16_t address, std::size_t count, Got got) {
  const auto words = static_cast<std::uint16_t>(count);
  readings_.emplace_back(Request{.unit = options_.common.unit, .table = table, .address = address, .count = words},
                         got);
  poller.add(
      {.unit = options_.common.unit,
       .table = table,
       .address = address,
       .count = words,
       .interval = options_.common.scan_interval,
       .got = [this, got = std::move(got)](std::span<const std::uint16_t> values, const RequestFailure* failure) {
         if (commands_ > 0) return;
         if (failure) return failed(*failure);
         got(values);
         show();
       }});
}

std::optional<double> ClimateEntity::degrees(std::span<const std::uint16_t> values) const {
  const json::value value = decode(values, options_.layout, options_.swap, options_.scaling);
  if (!value.is_number()) return {};
  const double number = value.to_number<double>();
  return options_.fahrenheit ? core::convert_unit(number, kFahrenheit, kCelsius) : number;
}

void ClimateEntity::show() {
  trouble_.over();
  state_.mode = mode_.value_or(options_.modes.empty() ? domains::HvacMode::automatic : options_.modes.front().first);
  if (on_ == false) state_.mode = domains::HvacMode::off;
  climate_->report(state_);
  if (!climate_->available()) climate_->set_available(true);
}

void ClimateEntity::set(const domains::ClimateCommand& command) {
  if (command.mode) {
    const bool off = *command.mode == domains::HvacMode::off;
    if (options_.onoff_address)
      write(*options_.onoff_address, {off ? options_.off_value : options_.on_value}, options_.onoff_as_list);
    const auto found = std::ranges::find(options_.modes, *command.mode, &std::pair<std::string, std::uint16_t>::first);
    if (options_.mode_address && found != options_.modes.end())
      write(*options_.mode_address, {found->second}, options_.mode_as_list);
  }
  if (command.temperature) {
    const double target = options_.fahrenheit
                              ? core::convert_unit(*command.temperature, kCelsius, kFahrenheit).value_or(0)
                              : *command.temperature;
    auto words = encode_number(target, options_.layout, options_.swap, options_.scaling);
    if (words) return write(options_.target_address, std::move(*words), options_.target_as_list);
    base::log_warning("modbus", "{}: {} cannot be written as its data_type", climate_->entity_id(), target);
    climate_->answer_later().refuse(fmt::format("{} cannot be written as its data_type.", target));
    climate_->report(state_);
  }
}

void ClimateEntity::write(std::uint16_t address, Words values, bool as_list) {
  ++commands_;
  channel_.command({.unit = options_.common.unit,
                    .table = Table::holding,
                    .address = address,
                    .values = std::move(values),
                    .as_list = as_list},
                   [this, owed = climate_->answer_later()](const Answer& answer) {
                     --commands_;
                     tell_call(owed, answer);
                     if (!answer)
                       base::log_warning("modbus", "{} cannot be set: {}", climate_->entity_id(),
                                         answer.error().message);
                     refresh();
                   });
}

bool ClimateEntity::refresh() {
  for (std::size_t at = 0; at < readings_.size(); ++at) {
    channel_.command(readings_[at].first, [this, at](const Answer& answer) {
      if (commands_ > 0) return;
      if (!answer) return failed(answer.error());
      readings_[at].second(*answer);
      // All of it is known with the last.
      if (at + 1 == readings_.size()) show();
    });
  }
  return true;
}

void ClimateEntity::set_connected(bool connected) {
  if (climate_ && !connected && climate_->available()) climate_->set_available(false);
}

void ClimateEntity::failed(const RequestFailure& failure) {
  using enum RequestFailure::Kind;
  if (failure.kind == no_link || failure.kind == not_now) return;
  trouble_.say(climate_->entity_id(), failure);
  if (climate_->available()) climate_->set_available(false);
}

}  // namespace hearth::integrations::modbus
