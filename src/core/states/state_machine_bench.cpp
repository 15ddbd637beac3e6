// SPDX-License-Identifier: Apache-2.0
#include "core/states/state_machine.h"

#include <benchmark/benchmark.h>
#include <malloc.h>

#include "core/bus/entity_listeners.h"

namespace hearth::core {
namespace {

constexpr std::string_view kAttributes =
    R"({"unit_of_measurement":"°C","device_class":"temperature","state_class":"measurement","friendly_name":)"
    R"("Living room temperature","icon":"mdi:thermometer","battery":87})";  // 345 bytes in a list

std::size_t allocated_bytes() {
  return mallinfo2().uordblks;
}

struct Home {
  explicit Home(std::size_t count) {
    bus.start();
    for (std::size_t i = 0; i < count; ++i) {
      ids.push_back(*EntityId::parse("sensor.living_room_temperature_" + std::to_string(i)));
      set(i, "20.0");
    }
  }
  ~Home() { bus.stop(); }

  void set(std::size_t i, std::string_view value) {
    states.set(ids[i], {value, kAttributes, Context::create(clock.now(), "0123456789abcdef0123456789abcdef")}).value();
  }

  base::SystemClock clock;
  EventBus bus{clock};
  StateMachine states{bus};
  std::vector<EntityId> ids;
};

// One write with its state's JSON, its table and its event; no listeners.
void set(benchmark::State& state) {
  const auto count = static_cast<std::size_t>(state.range(0));
  const std::size_t before = allocated_bytes();
  Home home(count);
  state.counters["bytes_each"] = static_cast<double>(allocated_bytes() - before) / static_cast<double>(count);
  for (std::size_t i = 0; auto _ : state) {
    home.set(i * 7919 % count, i / count % 2 ? "21.5" : "21.6");
    ++i;
  }
}
BENCHMARK(set)->Arg(10)->Arg(1'000)->Arg(100'000);

// One write and the delivery of its event, while so many listen to other entities by name. Counted in instructions by
//   valgrind --tool=callgrind core_bench --benchmark_filter=set_unnamed/300 --benchmark_min_time=0.1
void set_unnamed(benchmark::State& state) {
  base::SystemClock clock;
  EventBus bus(clock);
  StateMachine states(bus);
  EntityListeners listeners(bus);
  std::vector<EntityListeners::Listening> listening;
  for (std::int64_t i = 0; i < state.range(0); ++i) {
    listening.push_back(listeners.listen({"light.room_" + std::to_string(i)}, [](const StateChange&, const Event&) {}));
  }
  const EntityId id = *EntityId::parse("sensor.living_room_temperature");
  const Context context = Context::create(clock.now(), "0123456789abcdef0123456789abcdef");
  for (bool warmer = false; auto _ : state) {
    states.set(id, {(warmer = !warmer) ? "21.6" : "21.5", kAttributes, context}).value();
    bus.run_pending();
  }
}
BENCHMARK(set_unnamed)->Arg(0)->Arg(1)->Arg(300);

// Restores all states of a home at once.
void restore(benchmark::State& state) {
  const Home home(static_cast<std::size_t>(state.range(0)));
  std::vector<StatePtr> kept;
  home.states.snapshot()->for_each([&](const State& each) { kept.push_back(home.states.find(each.entity_id())); });
  for (auto _ : state) {
    base::SystemClock clock;
    EventBus bus(clock);
    StateMachine states(bus);
    states.restore(kept);
  }
}
BENCHMARK(restore)->Arg(1'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

// One write of an equal state.
void set_unchanged(benchmark::State& state) {
  Home home(static_cast<std::size_t>(state.range(0)));
  std::size_t i = 0;
  for (auto _ : state) home.set(i++ * 7919 % home.ids.size(), "20.0");
}
BENCHMARK(set_unchanged)->Arg(1'000);

void find(benchmark::State& state) {
  static Home home(1'000);
  std::size_t i = static_cast<std::size_t>(state.thread_index());
  for (auto _ : state) benchmark::DoNotOptimize(home.states.snapshot()->find(home.ids[i++ * 7919 % 1'000].str()));
}
BENCHMARK(find)->ThreadRange(1, 2);

// Reads while another thread writes.
void find_while_written(benchmark::State& state) {
  static Home home(1'000);
  std::size_t i = 0;
  for (auto _ : state) {
    const std::size_t which = i++ * 7919 % 1'000;
    if (state.thread_index() == 0)
      home.set(which, i / 1'000 % 2 ? "21.5" : "21.6");
    else
      benchmark::DoNotOptimize(home.states.find(home.ids[which].str()));
  }
}
BENCHMARK(find_while_written)->Threads(2);

}  // namespace
}  // namespace hearth::core
