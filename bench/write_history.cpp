// SPDX-License-Identifier: Apache-2.0
// Writes a home's history of some days up to now into a folder, by the recorder itself with a clock that runs ahead:
// changes come in through the bus, are committed and, each day, packed, joined and put into statistics. Prints the
// changes written, and the bytes and changes of the segments at the end.
//
//   write_history FOLDER DAYS CHANGES
//
// Sensors report every minute, every ten minutes and every hour, as many of each kind as make a third of CHANGES, or a
// few more; each walks about its value as what is measured does. One kilowatt-hour meter in eight only rises.
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <queue>
#include <random>
#include <string>
#include <vector>

#include "core/hub.h"
#include "recorder/history_file.h"
#include "recorder/recorder.h"

namespace {

using namespace hearth;
using namespace std::chrono_literals;

constexpr std::size_t kCommit = 1'000;  // changes in a transaction: the clock that runs ahead has no seconds

struct Sensor {
  core::EntityId id;
  base::Duration every;
  std::string attributes;
  bool meter;
  std::int64_t value;  // in tenths
};

std::vector<Sensor> sensors(int days, std::size_t changes) {
  std::vector<Sensor> made;
  for (const auto every : {base::Duration(1min), base::Duration(10min), base::Duration(1h)}) {
    const auto each = static_cast<std::size_t>(std::chrono::days(days) / every);
    const std::size_t count = changes / 3 / each + 1;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string name = fmt::format("every_{}_min_{}", every / 1min, i);
      const bool meter = i % 8 == 7;
      const std::string attributes =
          meter ? fmt::format(R"({{"device_class":"energy","friendly_name":"{}","state_class":"total_increasing",)"
                              R"("unit_of_measurement":"kWh"}})",
                              name)
                : fmt::format(R"({{"device_class":"temperature","friendly_name":"{}","state_class":"measurement",)"
                              R"("unit_of_measurement":"°C"}})",
                              name);
      made.push_back({core::EntityId::parse("sensor." + name).value(), every, attributes, meter, meter ? 0 : 210});
    }
  }
  return made;
}

void maintain(core::Hub& hub, recorder::Recorder& recorder) {
  hub.bus.run_pending();
  recorder.commit().value();
  while (recorder.maintain().value()) {
  }
}

std::size_t write(recorder::Recorder& recorder, core::Hub& hub, base::ManualClock& clock, int days,
                  std::size_t changes) {
  auto all = sensors(days, changes);
  std::mt19937 random(1);
  struct Due {
    base::Timestamp at;
    std::size_t sensor;
    bool operator>(const Due& other) const { return at > other.at; }
  };
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due;
  const auto end = clock.now() + std::chrono::days(days);
  const auto after = [&](base::Timestamp time, base::Duration every) {
    return time + every + base::Duration(static_cast<std::int64_t>(random() % 200'000) - 100'000);
  };
  for (std::size_t i = 0; i < all.size(); ++i) due.push({clock.now() + all[i].every * (random() % 1'000) / 1'000, i});
  std::size_t written = 0;
  std::int64_t day = recorder::day_of(clock.now());
  for (; due.top().at < end; ++written) {
    const Due next = due.top();
    due.pop();
    Sensor& sensor = all[next.sensor];
    if (recorder::day_of(next.at) != day) {
      day = recorder::day_of(next.at);
      clock.set(next.at);
      maintain(hub, recorder);
    }
    clock.set(next.at);
    const int step = static_cast<int>(random() % 4);
    sensor.value += sensor.meter ? 1 + step : std::array{-1, 1, -2, 2}[static_cast<std::size_t>(step)];
    const std::int64_t value = std::abs(sensor.value);
    hub.states
        .set(sensor.id, {fmt::format("{}{}.{}", sensor.value < 0 ? "-" : "", value / 10, value % 10), sensor.attributes,
                         core::Context::create(next.at)})
        .value();
    due.push({after(next.at, sensor.every), next.sensor});
    if (written % kCommit == 0) {
      hub.bus.run_pending();
      recorder.commit().value();
      if (!recorder.maintain()) std::exit(1);
    }
  }
  maintain(hub, recorder);
  return written;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: write_history FOLDER DAYS CHANGES\n", stderr);
    return 2;
  }
  const int days = std::atoi(argv[2]);
  base::ManualClock clock(base::SystemClock().now() - std::chrono::days(days));
  core::Hub hub(clock);
  recorder::RecorderOptions options;
  options.retention.keep = recorder::Retention::kForever;
  const auto recorder = recorder::Recorder::open(argv[1], clock, options).value();
  recorder->listen(hub.bus);
  const std::size_t written = write(*recorder, hub, clock, days, std::strtoul(argv[3], nullptr, 10));
  recorder->stop();

  auto database = recorder::open_history(recorder->file()).value();
  auto select = database.prepare("SELECT sum(changes), sum(length(data)) FROM segments").value();
  select.step().value();
  fmt::print("{} {} {}\n", written, select.integer(0), select.integer(1));
}
