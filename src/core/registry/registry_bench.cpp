// SPDX-License-Identifier: Apache-2.0
#include "core/registry/registry.h"

#include <benchmark/benchmark.h>

#include "core/services/service_target.h"
#include "core/states/state_table_writer.h"

namespace hearth::core {
namespace {

struct RegisteredHome {
  base::SystemClock clock;
  EventBus bus{clock};
  Registry registry{bus, clock};
};

// A home of `count` entities, eight to a device, fifty devices to an area.
void fill(Registry& registry, int count) {
  for (int i = 0; i < count; ++i) {
    const std::string device = "bench.device_" + std::to_string(i / 8);
    if (i % 8 == 0) {
      registry.put_device({.id = device,
                           .integration = "bench",
                           .name = device,
                           .manufacturer = "Maker",
                           .model = "Model",
                           .area_id = registry.ensure_area("Area " + std::to_string(i / 400)).id});
    }
    RegisteredEntity entity;
    entity.integration = "bench";
    entity.unique_id = std::to_string(i);
    entity.device_id = device;
    registry.put_entity(*EntityId::parse("sensor.temperature_" + std::to_string(i)), std::move(entity)).value();
  }
}

void register_entities(benchmark::State& state) {
  for (auto _ : state) {
    RegisteredHome home;
    fill(home.registry, static_cast<int>(state.range(0)));
    home.bus.run_pending();
  }
}
BENCHMARK(register_entities)->Arg(100)->Arg(10'000)->Unit(benchmark::kMillisecond);

// As after a restart: all are registered again, and nothing is new.
void register_again(benchmark::State& state) {
  RegisteredHome home;
  fill(home.registry, static_cast<int>(state.range(0)));
  home.bus.run_pending();
  for (auto _ : state) fill(home.registry, static_cast<int>(state.range(0)));
}
BENCHMARK(register_again)->Arg(10'000)->Unit(benchmark::kMillisecond);

// Resolves an area with 400 entities.
void resolve_area(benchmark::State& state) {
  RegisteredHome home;
  Registry& registry = home.registry;
  fill(registry, static_cast<int>(state.range(0)));
  StateTableWriter states;
  for (const auto& [id, entity] : registry.snapshot()->entities) {
    states.put(State::create(*EntityId::parse(id), "20.0", "{}", {}, Context{"A", {}, {}}), 1);
  }
  ServiceTarget target;
  target.area_ids = {"area_0"};
  const auto everything = [](const std::string&) { return true; };
  for (auto _ : state)
    benchmark::DoNotOptimize(resolve(target, {"sensor"}, *states.newest(), *registry.snapshot(), everything));
}
BENCHMARK(resolve_area)->Arg(400)->Arg(10'000)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace hearth::core
