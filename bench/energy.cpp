// SPDX-License-Identifier: Apache-2.0
// How long the hub reckons with the energy of a home: a meter of the grid with a price, one of the sun, and 30 devices,
// recorded for a year by the recorder itself with a clock that runs ahead. Prints the milliseconds of a day, a month
// and a year, each with the span before, the median of five.
//
//   energy FOLDER
//
// Meters report every ten minutes on the last 40 days, and every hour before: statistics of a day are in steps of five
// minutes all the same.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "api/energy/energy_question.h"
#include "core/hub.h"
#include "recorder/history_file_reader.h"
#include "recorder/log/history_file.h"
#include "recorder/recorder.h"

namespace {

using namespace hearth;
using namespace std::chrono_literals;

constexpr int kDevices = 30, kRuns = 5;
constexpr auto kYear = std::chrono::days(366), kFine = std::chrono::days(40);
constexpr std::string_view kMeter =
    R"({"device_class":"energy","state_class":"total_increasing","unit_of_measurement":"kWh"})";
constexpr std::string_view kPrice = R"({"state_class":"measurement","unit_of_measurement":"EUR/kWh"})";

void set(core::Hub& hub, const std::string& id, double value, std::string_view attributes, base::Timestamp at) {
  hub.states
      .set(core::EntityId::parse(id).value(), {fmt::format("{:.2f}", value), attributes, core::Context::create(at)})
      .value();
}

void record(core::Hub& hub, recorder::Recorder& recorder, base::ManualClock& clock) {
  const base::Timestamp end = clock.now() + kYear;
  std::int64_t day = recorder::day_of(clock.now());
  for (double hours = 1; clock.now() < end;) {
    const base::Duration step = clock.now() < end - kFine ? base::Duration(1h) : base::Duration(10min);
    clock.set(clock.now() + step);
    hours += std::chrono::duration<double, std::ratio<3600>>(step).count();
    const base::Timestamp at = clock.now();
    set(hub, "sensor.grid", hours, kMeter, at);
    set(hub, "sensor.sun", hours / 2, kMeter, at);
    set(hub, "sensor.price", 0.2 + static_cast<int>(hours) % 24 * 0.01, kPrice, at);
    for (int i = 0; i < kDevices; ++i) set(hub, fmt::format("sensor.device_{}", i), hours * i / 1'000, kMeter, at);
    hub.bus.run_pending();
    if (recorder::day_of(at) == day) continue;
    day = recorder::day_of(at);
    recorder.commit().value();
    while (recorder.maintain().value()) {
    }
  }
  recorder.commit().value();
}

energy::Meters meters() {
  energy::Meters all;
  all.meters.push_back({energy::Role::grid_in, "sensor.grid", {{}, "sensor.price", {}}});
  all.meters.push_back({energy::Role::sun, "sensor.sun", {}});
  for (int i = 0; i < kDevices; ++i) all.devices.push_back({fmt::format("sensor.device_{}", i), {}, {}});
  return all;
}

double milliseconds(const core::View& home, recorder::HistoryReader& reader, const char* kind) {
  const json::object message{{"span", kind}};
  api::MessageReader in(message);
  api::EnergySpanFields fields;
  fields.read(in);
  const auto span = fields.span(home.clock().now(), "Europe/Berlin").value();
  std::vector<double> times;
  for (int run = 0; run < kRuns; ++run) {
    const auto start = std::clock();
    api::EnergyQuestion question(home, meters(), span, nullptr);
    std::string answer;
    while (question.produce(reader, answer).value()) {
    }
    times.push_back(1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  std::ranges::sort(times);
  return times[kRuns / 2];
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: energy FOLDER\n", stderr);
    return 2;
  }
  base::ManualClock clock(base::SystemClock().now() - kYear);
  core::Hub hub(clock);
  const auto recorder = recorder::Recorder::open(argv[1], clock, {}).value();
  recorder->listen(hub.bus);
  record(hub, *recorder, clock);
  const core::View home(hub, {});
  recorder::HistoryFileReader reader(*recorder);
  for (const char* kind : {"day", "week", "month", "year"})
    fmt::print("{:<6}{:8.1f} ms\n", kind, milliseconds(home, reader, kind));
  recorder->stop();
}
