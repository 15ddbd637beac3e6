// SPDX-License-Identifier: Apache-2.0
#include "api/energy/energy_question.h"

#include <algorithm>
#include <limits>
#include <set>

#include "api/energy/preferences.h"
#include "api/history/query.h"
#include "base/text/number.h"
#include "core/values/entity_id.h"
#include "energy/units.h"

namespace hearth::api {
namespace {

using energy::Device;
using energy::Meter;

// Statistics of days that have ended are stored soon after.
constexpr auto kSurelyStored = std::chrono::days(3);

std::string text_in(const json::object& attributes, std::string_view key) {
  const json::value* const value = attributes.if_contains(key);
  return value && value->is_string() ? std::string(value->get_string()) : std::string();
}

}  // namespace

EnergyQuestion::EnergyQuestion(const core::View& home, energy::Meters meters, const EnergySpan& span,
                               recorder::ImportedStatistics* imported,
                               std::shared_ptr<const energy::CostEntities> costs)
    : home_(home),
      meters_(std::move(meters)),
      imported_(imported),
      costs_(std::move(costs)),
      now_(home.clock().now()),
      input_{energy::Slots::of(span.before, span.end, span.slot()),
             span.slot() < std::chrono::hours(1) ? 4U : 1U,
             span.compared(now_),
             energy::Slots(span.bounds),
             {},
             {}},
      names_{span.period, home.config()->currency, {}},
      span_{span.before, std::min(span.end, now_)},
      ids_(home, entities(), [this](const StatisticId& id) { take_name(id); }) {}

// Empty if there is none.
std::string EnergyQuestion::cost_sensor_of(const Meter& meter) const {
  const auto found = costs_ ? costs_->find({meter.role, meter.statistic_id}) : energy::CostEntities::const_iterator();
  return costs_ && found != costs_->end() && home_.reads(found->second) ? found->second : std::string();
}

std::vector<std::string> EnergyQuestion::entities() const {
  std::set<std::string> ids = statistics_of(meters_);
  for (const Meter& meter : meters_.meters) ids.insert(cost_sensor_of(meter));
  std::vector<std::string> entities;
  for (const std::string& id : ids) {
    if (core::EntityId::parse(id)) entities.push_back(id);
  }
  return entities;
}

std::size_t EnergyQuestion::weight() const {
  constexpr std::size_t kNumber = sizeof(double);
  return (meters_.meters.size() * 4 + 1) * input_.slots.size() * kNumber +
         meters_.devices.size() * 2 * input_.bars.size() * kNumber;
}

base::Result<bool> EnergyQuestion::produce(recorder::HistoryReader& reader, std::string& out) {
  const auto until = std::chrono::steady_clock::now() + kQueryTurn;
  do {
    const auto more = step(reader);
    if (!more) return more;
    if (*more) continue;
    out = answer();
    return false;
  } while (std::chrono::steady_clock::now() < until);
  return true;
}

base::Result<bool> EnergyQuestion::step(recorder::HistoryReader& reader) {
  if (!ids_read_) return read_ids(reader);
  if (reading_) return read_on(reader);
  if (waiting_.empty()) return false;
  const auto begun = begin(std::move(waiting_.front()));
  waiting_.pop_front();
  if (!begun) return std::unexpected(begun.error());
  return true;
}

void EnergyQuestion::take_name(const StatisticId& id) {
  Known known{id.total, id.given_unit ? *id.given_unit : id.unit.value_or(std::string())};
  known_.insert_or_assign(std::string(id.entity_id), std::move(known));
  if (!id.state) return;
  if (std::string name = text_in(id.state->attributes(), "friendly_name"); !name.empty())
    names_.names.insert_or_assign(std::string(id.entity_id), std::move(name));
}

base::Result<void> EnergyQuestion::take_imported() {
  if (!imported_) return {};
  const auto all = imported_->list();
  if (!all) return std::unexpected(all.error());
  for (const recorder::ImportedStatistic& statistic : *all) {
    const std::string& id = statistic.statistic_id;
    const bool readable = recorder::is_external_statistic(id) ? home_.rights().reads_all() : home_.reads(id);
    if (!readable || known_.contains(id)) continue;
    known_[id] = {statistic.has_sum, statistic.unit.value_or(std::string())};
    if (statistic.name) names_.names[id] = *statistic.name;
  }
  return {};
}

base::Result<bool> EnergyQuestion::read_ids(recorder::HistoryReader& reader) {
  const auto more = ids_.read_on(reader);
  if (!more || *more) return more;
  if (auto done = take_imported(); !done) return std::unexpected(done.error());
  ids_read_ = true;
  plan();
  return true;
}

energy::MeterReading* EnergyQuestion::plan_meter(const std::string& id, const energy::Slots& slots, double factor) {
  energy::MeterReading& reading = meter_readings_.emplace_back(slots, factor, input_.bars.start(0));
  waiting_.push_back({id, &reading, nullptr});
  return &reading;
}

void EnergyQuestion::plan() {
  const auto find = [&](const std::string& id) -> const Known* {
    const auto found = known_.find(id);
    return found != known_.end() && found->second.total ? &found->second : nullptr;
  };
  for (const Meter& meter : meters_.meters) {
    const Known* const known = find(meter.statistic_id);
    const auto shown = energy::shown_unit(meter.role, known ? known->unit : std::string());
    of_meters_.push_back(known && shown ? plan_meter(meter.statistic_id, input_.slots, shown->factor) : nullptr);
    const std::string &money = meter.price.statistic, &entity = meter.price.entity;
    const std::string counted = money.empty() ? cost_sensor_of(meter) : money;
    paid_.push_back(find(counted) ? plan_meter(counted, input_.slots, 1) : nullptr);
    if (!money.empty() || entity.empty() || !home_.reads(entity)) continue;
    const auto [price, fresh] = prices_.try_emplace(entity, input_.slots);
    if (fresh) waiting_.push_back({entity, nullptr, &price->second});
  }
  for (const Device& device : meters_.devices) {
    const Known* const known = find(device.statistic_id);
    const auto shown = energy::shown_unit_of_device(device, known ? known->unit : std::string());
    of_devices_.push_back(known && shown ? plan_meter(device.statistic_id, input_.bars, shown->factor) : nullptr);
  }
}

base::Result<void> EnergyQuestion::begin(Reading reading) {
  reading_ = std::move(reading);
  if (span_.end < span_.start) {  // is still to come
    reading_.reset();
    return {};
  }
  // A device counts in the span alone.
  const bool is_device = reading_->meter && std::ranges::find(of_devices_, reading_->meter) != of_devices_.end();
  if (!is_device) begin_rows(span_.start);
  if (is_device && BarSums::suits(input_.bars)) {
    auto found = base::Result<std::optional<recorder::ImportedStatistic>>();
    if (imported_) found = imported_->find(reading_->id);
    if (!found) return std::unexpected(found.error());
    if (!*found) sums_.emplace(reading_->id, input_.bars, span_.end - kSurelyStored);
  }
  if (is_device && !sums_) begin_rows(input_.bars.start(0));
  return {};
}

void EnergyQuestion::begin_rows(base::Timestamp start) {
  energy::MeterReading* const meter = reading_->meter;
  energy::PriceReading* const price = reading_->price;
  rows_.emplace(
      imported_, reading_->id, recorder::Span{start, std::max(start, span_.end)},
      [meter](double sum) {
        if (meter) meter->begin(sum);
      },
      [meter, price](const recorder::Statistics& row) {
        if (meter) meter->add(row);
        if (price) price->add(row);
      });
}

base::Result<bool> EnergyQuestion::read_on(recorder::HistoryReader& reader) {
  if (changes_) return read_changes(reader);
  if (sums_) {
    const auto more = sums_->read_on(reader);
    if (!more || *more) return more;
    const std::vector<double> first = sums_->gained();
    reading_->meter->put_first(first);
    sums_.reset();
    if (first.size() < input_.bars.size()) {
      begin_rows(input_.bars.start(first.size()));
    } else {
      reading_.reset();
    }
    return true;
  }
  const auto more = rows_->read_on(reader);
  if (!more || *more) return more;
  if (reading_->price && !reading_->price->any()) {
    changes_.emplace(reading_->id, span_);
    held_.reset();
  } else {
    reading_.reset();
  }
  return true;
}

base::Result<bool> EnergyQuestion::read_changes(recorder::HistoryReader& reader) {
  auto piece = changes_->next(reader);
  if (!piece) return std::unexpected(std::move(piece.error()));
  const auto take = [&](base::Timestamp at, const recorder::Change* change) {
    if (held_) reading_->price->hold(held_since_, at, *held_);
    held_ = change && !change->removed ? base::parse_number(change->value) : std::nullopt;
    held_since_ = at;
  };
  if (piece->initial) take(span_.start, &*piece->initial);
  for (const recorder::Change& change : piece->changes) take(change.updated, &change);
  if (piece->more) return true;
  take(span_.end, nullptr);
  changes_.reset();
  reading_.reset();
  return true;
}

void EnergyQuestion::add_costs(energy::MeterInput& made, const Meter& meter, const energy::MeterReading* counted) {
  const energy::Price& price = meter.price;
  const std::string unit = known_[meter.statistic_id].unit;
  if (!price.statistic.empty()) {
    made.paid = counted ? counted->gained() : std::vector<double>(input_.slots.size(), 0.0);
    return;
  }
  if (const auto found = prices_.find(price.entity); found != prices_.end()) {
    const auto state = home_.find(price.entity);
    const std::string of = state ? text_in(state->attributes(), "unit_of_measurement") : known_[price.entity].unit;
    made.price = found->second.prices(energy::price_factor(meter.role, unit, of));
  } else if (price.number && price.entity.empty()) {
    made.price.emplace(input_.slots.size(), *price.number * energy::price_factor(meter.role, unit, {}));
  }
  if (!made.price || !counted || !counted->first()) return;
  made.paid = counted->gained();
  // The sensor began within a slot at most; before it the price is all there is.
  for (std::size_t slot = 0; slot < made.paid->size() && input_.slots.start(slot) <= *counted->first(); ++slot)
    (*made.paid)[slot] = std::numeric_limits<double>::quiet_NaN();
}

std::string EnergyQuestion::answer() {
  const auto unit_of = [&](const std::string& id) { return known_[id].unit; };
  for (std::size_t i = 0; i < meters_.meters.size(); ++i) {
    const Meter& meter = meters_.meters[i];
    energy::MeterInput& made = input_.meters.emplace_back();
    made.meter = meter;
    const std::string unit = unit_of(meter.statistic_id);
    made.unit = energy::shown_unit(meter.role, unit).value_or(energy::Shown{unit, 1}).unit;
    made.known = of_meters_[i] != nullptr;
    made.gained = made.known ? of_meters_[i]->gained() : std::vector<double>(input_.slots.size(), 0.0);
    if (made.known) made.resets = of_meters_[i]->resets(), made.backwards = of_meters_[i]->backwards();
    add_costs(made, meter, paid_[i]);
  }
  for (std::size_t i = 0; i < meters_.devices.size(); ++i) {
    energy::DeviceInput& made = input_.devices.emplace_back();
    made.device = meters_.devices[i];
    made.unit = energy::shown_unit_of_device(made.device, {})->unit;
    made.known = of_devices_[i] != nullptr;
    made.gained = made.known ? of_devices_[i]->gained() : std::vector<double>(input_.bars.size(), 0.0);
    if (made.known) made.resets = of_devices_[i]->resets(), made.backwards = of_devices_[i]->backwards();
  }
  return base::to_json(energy::report_json(input_, energy::report_of(input_), names_));
}

}  // namespace hearth::api
