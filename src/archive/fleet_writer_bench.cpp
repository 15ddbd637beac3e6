// SPDX-License-Identifier: Apache-2.0
// The time that a portal's thread spends on each change that it writes to PostgreSQL; the server's own work is not in
// it.
#include "archive/fleet_writer.h"

#include <benchmark/benchmark.h>

#include "archive/test_fleet.h"
#include "archive/test_postgres.h"

namespace hearth::archive {
namespace {

constexpr int kSites = 50;
constexpr std::int64_t kEntities = 200;

// A round of all sites, each of which has changed so often since the last one.
void write_rounds(benchmark::State& state) {
  if (!TestPostgres::installed()) return state.SkipWithError("PostgreSQL is not installed");
  TestPostgres server;
  base::SystemClock clock;
  TestEngine engine;
  FleetWriter writer(clock, std::make_unique<TestReader>(engine),
                     make_fleet_store({.url = server.create()}, clock).value(), {});
  const std::int64_t changes = state.range(0);
  std::int64_t after = 0;
  for (auto _ : state) {
    state.PauseTiming();
    for (int site = 0; site < kSites; ++site) {
      std::vector<TestEntry> entries;
      for (std::int64_t number = after + 1; number <= after + changes; ++number) {
        const std::int64_t entity = number % kEntities + 1;
        entries.push_back({number, fmt::format("sensor.room_{}_temperature", entity), fmt::format("{}.5", number % 30),
                           entity,
                           fmt::format(R"({{"unit_of_measurement":"°C","device_class":"temperature","state_class":)"
                                       R"("measurement","friendly_name":"Temperature of room {}"}})",
                                       entity)});
      }
      engine.keep(fmt::format("site_{}", site),
                  batch_of(fmt::format("site_{}", site), kEpochA, after, after + changes, entries));
    }
    after += changes;
    state.ResumeTiming();
    for (bool more = true; more;) {
      const auto done = writer.write_next();
      if (!done) return state.SkipWithError(done.error().message.c_str());
      more = *done;
    }
  }
  state.SetItemsProcessed(state.iterations() * kSites * changes);
  state.counters["cpu_of_a_change"] = benchmark::Counter(static_cast<double>(state.iterations() * kSites * changes),
                                                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(write_rounds)->Arg(5)->Arg(10)->Arg(400)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace hearth::archive
