// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "core/hub.h"

namespace hearth::core {
namespace {

enum Entity : std::int64_t { sensor, light, battery, motion };

struct Written {
  const char *id, *one, *other, *device_class;
};
constexpr Written kWritten[] = {{"sensor.living_room_temperature", "21.5", "21.6", "temperature"},
                                {"light.living_room_lamp", "on", "off", ""},
                                {"sensor.living_room_battery", "87", "86", "battery"},
                                {"binary_sensor.living_room_motion", "on", "off", "motion"}};

std::string attributes_of(const Written& written) {
  return fmt::format(R"({{"unit_of_measurement":"°C","device_class":"{}","state_class":"measurement","friendly_name":)"
                     R"("Living room","icon":"mdi:thermometer"}})",
                     written.device_class);
}

// The table's answer for a state that does not alert: nearly all of what a change costs.
void find_rule(benchmark::State& state) {
  const Written& written = kWritten[state.range(0)];
  const StatePtr found =
      State::create(*EntityId::parse(written.id), written.one, attributes_of(written), {}, Context());
  for (auto _ : state) benchmark::DoNotOptimize(alert_rule_of(*found));
}
BENCHMARK(find_rule)->DenseRange(sensor, motion);

// A write of an entity that does not alert, and the delivery of its event, without (0) and with (1) the alerts of a
// home of which 500 batteries are low. The difference is what they cost.
void change(benchmark::State& state) {
  base::SystemClock clock;
  Hub hub(clock);
  const Context context = Context::create(clock.now());
  for (int i = 0; i < 500; ++i)
    hub.states
        .set(*EntityId::parse(fmt::format("sensor.battery_{}", i)), {"3", R"({"device_class":"battery"})", context})
        .value();
  if (state.range(1) != 0) hub.alerts.start();
  // Somebody listens in both, as in every home.
  const auto listener = hub.bus.listen(event_type::kStateChanged, [](const Event&) {}, Pace::relaxed);
  hub.bus.run_pending();
  const Written& written = kWritten[state.range(0)];
  const EntityId id = *EntityId::parse(written.id);
  const std::string attributes = attributes_of(written);
  for (bool other = false; auto _ : state) {
    hub.states.set(id, {(other = !other) ? written.one : written.other, attributes, context}).value();
    hub.bus.run_pending();
  }
}
BENCHMARK(change)->ArgsProduct({{sensor, light, battery, motion}, {0, 1}});

}  // namespace
}  // namespace hearth::core
