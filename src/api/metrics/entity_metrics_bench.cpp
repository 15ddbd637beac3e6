// SPDX-License-Identifier: Apache-2.0
// Metrics of a home of 2,000 entities: sensors only, and with lamps, motion and thermostats.
#include "api/metrics/entity_metrics.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "core/bus/entity_listeners.h"
#include "core/states/state_machine.h"

namespace hearth::api {
namespace {

constexpr std::size_t kEntities = 2'000;

struct Kind {
  std::string_view domain, value, attributes;
};
constexpr Kind kKinds[] = {
    {"sensor", "21.5",
     R"({"state_class":"measurement","unit_of_measurement":"°C","device_class":"temperature","friendly_name":"Living room temperature"})"},
    {"sensor", "412.7",
     R"({"state_class":"measurement","unit_of_measurement":"W","device_class":"power","friendly_name":"Washing machine power"})"},
    {"light", "on",
     R"({"supported_color_modes":["color_temp","hs"],"color_mode":"color_temp","brightness":180,"color_temp_kelvin":2700,"min_color_temp_kelvin":2000,"max_color_temp_kelvin":6500,"friendly_name":"Ceiling","supported_features":44})"},
    {"binary_sensor", "off", R"({"device_class":"motion","friendly_name":"Hall motion"})"},
    {"climate", "heat",
     R"({"hvac_modes":["off","heat","auto"],"min_temp":7,"max_temp":30,"current_temperature":20.8,"temperature":21.5,"hvac_action":"heating","friendly_name":"Bath","supported_features":1})"},
};

struct Home {
  // Of the first so many kinds.
  explicit Home(std::size_t kinds) {
    bus.start();
    for (std::size_t i = 0; i < kEntities; ++i) {
      const Kind& kind = kKinds[i % kinds];
      const auto id = core::EntityId::parse(fmt::format("{}.room_{}", kind.domain, i));
      states.set(*id, {kind.value, kind.attributes, core::Context::create(clock.now())}).value();
    }
  }
  ~Home() { bus.stop(); }

  base::SystemClock clock;
  core::EventBus bus{clock};
  core::StateMachine states{bus};
};

void write_metrics(benchmark::State& state) {
  const Home home(static_cast<std::size_t>(state.range(0)));
  const EntityMetrics wanted;
  std::size_t size = 0;
  for (auto _ : state) {
    MetricText text;
    add_entity_metrics(text, *home.states.snapshot(), wanted);
    const std::string written = text.text();
    benchmark::DoNotOptimize(written.data());
    size = written.size();
  }
  state.counters["bytes"] = static_cast<double>(size);
}
BENCHMARK(write_metrics)->Arg(2)->Arg(std::size(kKinds))->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace hearth::api
