// SPDX-License-Identifier: Apache-2.0
#include "derived/engines/meter.h"

#include <algorithm>

#include "base/text/number.h"
#include "base/text/timestamp.h"
#include "base/text/utf8.h"
#include "core/values/units.h"

namespace hearth::derived {

void Meter::note_decimals(std::string_view text) {
  const auto point = text.find('.');
  if (point == std::string_view::npos || text.find_first_of("eE") != std::string_view::npos) return;
  decimals_ = std::clamp(static_cast<int>(text.size() - point - 1), decimals_, kMostDecimals);
}

void Meter::receive(const Reading& seen) {
  available_ = !seen.state || seen.state->value() != core::kUnavailable;
  const auto reading = number_of(seen.state);
  if (!reading) return;
  const std::string unit = text_attribute(seen.state, "unit_of_measurement");
  if (unit != unit_ && !unit_.empty() && !unit.empty()) {
    // Of the same quantity; otherwise what was counted cannot be kept apart.
    for (std::optional<double>* const each : {&value_, &reading_})
      if (*each) *each = core::convert_unit(**each, unit_, unit).value_or(**each);
    last_period_ = core::convert_unit(last_period_, unit_, unit).value_or(last_period_);
  }
  if (!unit.empty()) unit_ = unit;
  device_class_ = text_attribute(seen.state, "device_class");
  if (device_class_.empty() && (unit_ == "kWh" || unit_ == "Wh" || unit_ == "MWh")) device_class_ = "energy";
  note_decimals(seen.state->value());
  const bool first = !value_;
  if (first) value_ = 0;
  const bool is_new = seen.why == Reading::Why::change;
  if (!options_.delta_values || (is_new && !first)) count(*reading);
  reading_ = reading;
  reading_text_ = seen.state->value();
}

void Meter::count(double reading) {
  if (!collects_ || !value_) return;
  double more = reading;
  if (!options_.delta_values) {
    const double former = reading_.value_or(reading);
    more = reading - former;
    // A counter that begins anew is far below; one that is a little below is not exact.
    if (more < 0 && !options_.net_consumption && options_.periodically_resetting && reading >= 0 &&
        reading < former * 0.9)
      more = reading;
  }
  if (more >= 0 || options_.net_consumption) *value_ += more;
}

void Meter::reset(base::Timestamp now) {
  last_period_ = value_.value_or(0);
  value_ = 0;
  last_reset_ = now;
}

base::Result<void> Meter::calibrate(std::string_view text) {
  const auto value = base::parse_number(text);
  if (!value)
    return base::fail(base::ErrorCode::invalid,
                      "value: expected a number as text, such as \"100.5\", got \"" + base::utf8_excerpt(text) + "\"");
  value_ = value;
  note_decimals(text);
  return {};
}

void Meter::pass_time(const Moment& now) {
  if (!options_.cron) return;
  const base::Timestamp from = looked_.value_or(now.time);
  looked_ = std::max(from, now.time);  // a clock that is set back ends no period twice
  if (from >= now.time) return;
  const Cron::Past past = options_.cron->between(from, now.time, now.zone);
  if (past.count == 0) return;
  reset(past.last);
  if (past.count > 1) last_period_ = 0;
}

Output Meter::show(const Moment& now) {
  pass_time(now);
  Output shown{.value = value_ ? fixed(*value_, decimals_) : json::value(),
               .attributes = {{"source", options_.source},
                              {"status", collects_ ? "collecting" : "paused"},
                              {"last_period", fixed(last_period_, last_period_ == 0 ? 0 : decimals_)},
                              {"last_valid_state", reading_ ? json::value(reading_text_) : json::value()}},
               .unit = unit_,
               .device_class = device_class_,
               .state_class = options_.net_consumption ? "total" : "total_increasing",
               .icon = device_class_.empty() ? "mdi:counter" : "",
               .available = available_};
  if (!options_.cycle.empty()) shown.attributes["meter_period"] = options_.cycle;
  if (!options_.cron_text.empty()) shown.attributes["cron pattern"] = options_.cron_text;
  if (!options_.tariff.empty()) shown.attributes["tariff"] = options_.tariff;
  if (last_reset_) shown.attributes["last_reset"] = base::to_string(*last_reset_);
  if (const auto end = next(now)) shown.attributes["next_reset"] = base::to_string(*end);
  return shown;
}

std::optional<base::Timestamp> Meter::next(const Moment& now) {
  if (!options_.cron) return {};
  return options_.cron->next(std::max(now.time, looked_.value_or(now.time)), now.zone);
}

void Meter::restore(const core::State& last, const Moment& now) {
  const auto value = number_of(&last);
  if (!value) return;
  value_ = value;
  note_decimals(last.value());
  const json::object attributes = last.attributes();
  const auto text = [&](std::string_view key) {
    const json::value* const found = attributes.if_contains(key);
    return found && found->is_string() ? std::string(found->get_string()) : std::string();
  };
  last_period_ = base::parse_number(text("last_period")).value_or(0);
  const auto reset_at = base::parse_timestamp(text("last_reset"));
  if (reset_at && !text("last_reset").empty()) last_reset_ = *reset_at;
  if (unit_.empty()) unit_ = text("unit_of_measurement");
  if (device_class_.empty()) device_class_ = text("device_class");
  // The end of a period while the hub was down.
  looked_ = std::min(last.last_updated(), now.time);
  if (last_reset_) looked_ = std::max(*looked_, std::min(*last_reset_, now.time));
  pass_time(now);
  const auto former = base::parse_number(text("last_valid_state"));
  if (!former || options_.delta_values) return;
  const auto present = std::exchange(reading_, former);
  if (!present) {
    reading_text_ = text("last_valid_state");
    return;
  }
  // Its count while the hub was down.
  count(*present);
  reading_ = present;
}

}  // namespace hearth::derived
