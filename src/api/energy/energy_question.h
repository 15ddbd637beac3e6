// SPDX-License-Identifier: Apache-2.0
// Reads what hearth/energy asks for, meter after meter, and makes the report of it.
//
// The reader's thread only.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>

#include "api/energy/bar_sums.h"
#include "api/energy/energy_span.h"
#include "api/energy/statistic_rows.h"
#include "api/history/statistics/statistic_ids.h"
#include "energy/cost_sensors.h"
#include "energy/report.h"
#include "energy/report_text.h"

namespace hearth::api {

class EnergyQuestion {
 public:
  // `costs`: the sensors of what meters cost. While such a one counts, the costs are its.
  EnergyQuestion(const core::View& home, energy::Meters meters, const EnergySpan& span,
                 recorder::ImportedStatistics* imported, std::shared_ptr<const energy::CostEntities> costs);

  // Some milliseconds of the work; false if that was all, and the answer is in `out`.
  base::Result<bool> produce(recorder::HistoryReader& reader, std::string& out);
  // About how many bytes it keeps alive.
  std::size_t weight() const;

 private:
  struct Known {
    bool total = false;
    std::string unit;
  };
  // The rows of one statistic, or of a price that has none its changes.
  struct Reading {
    std::string id;
    energy::MeterReading* meter = nullptr;
    energy::PriceReading* price = nullptr;
  };

  base::Result<bool> step(recorder::HistoryReader& reader);
  base::Result<bool> read_ids(recorder::HistoryReader& reader);
  void take_name(const StatisticId& id);
  base::Result<void> take_imported();
  void plan();
  energy::MeterReading* plan_meter(const std::string& id, const energy::Slots& slots, double factor);
  base::Result<void> begin(Reading reading);
  void begin_rows(base::Timestamp start);
  base::Result<bool> read_on(recorder::HistoryReader& reader);
  base::Result<bool> read_changes(recorder::HistoryReader& reader);
  std::string cost_sensor_of(const energy::Meter& meter) const;
  std::vector<std::string> entities() const;
  void add_costs(energy::MeterInput& made, const energy::Meter& meter, const energy::MeterReading* counted);
  std::string answer();

  const core::View home_;
  const energy::Meters meters_;
  recorder::ImportedStatistics* const imported_;
  const std::shared_ptr<const energy::CostEntities> costs_;
  const base::Timestamp now_;
  energy::ReportInput input_;
  energy::ReportNames names_;
  recorder::Span span_;
  StatisticIds ids_;
  bool ids_read_ = false;
  std::map<std::string, Known, std::less<>> known_;
  std::deque<energy::MeterReading> meter_readings_;
  std::map<std::string, energy::PriceReading, std::less<>> prices_;
  std::vector<energy::MeterReading*> of_meters_, paid_, of_devices_;  // null where nothing is known
  std::deque<Reading> waiting_;
  std::optional<Reading> reading_;
  std::optional<BarSums> sums_;  // of a device, before its rows
  std::optional<StatisticRows> rows_;
  std::optional<recorder::EntityHistory> changes_;
  std::optional<double> held_;  // the price since …
  base::Timestamp held_since_;
};

}  // namespace hearth::api
