// SPDX-License-Identifier: Apache-2.0
#include "base/json/json.h"

#include <benchmark/benchmark.h>

#include "base/json/json_members.h"

namespace hearth::base {
namespace {

// A client's body for one state.
constexpr std::string_view kBody =
    R"({"state":"21.5","attributes":{"unit_of_measurement":"°C","device_class":"temperature","state_class":)"
    R"("measurement","friendly_name":"Living room temperature","icon":"mdi:thermometer","battery":87,"offset":0.25}})";

void parse(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(parse_json(kBody));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(kBody.size()));
}
BENCHMARK(parse);

void parse_into_reused_memory(benchmark::State& state) {
  std::array<unsigned char, 8192> memory;
  for (auto _ : state) {
    json::static_resource resource(memory.data(), memory.size());
    benchmark::DoNotOptimize(parse_json(kBody, &resource));
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(kBody.size()));
}
BENCHMARK(parse_into_reused_memory);

void parse_and_write(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(to_json(*parse_json(kBody)));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(kBody.size()));
}
BENCHMARK(parse_and_write);

void rewrite_as_members(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(JsonMembers::parse(kBody));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(kBody.size()));
}
BENCHMARK(rewrite_as_members);

void write(benchmark::State& state) {
  const auto value = parse_json(kBody).value();
  std::string out;
  for (auto _ : state) {
    out.clear();
    write_json(out, value);
    benchmark::DoNotOptimize(out.data());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(kBody.size()));
}
BENCHMARK(write);

void write_number(benchmark::State& state) {
  std::string out;
  double value = 21.5;
  for (auto _ : state) {
    out.clear();
    write_json_number(out, value += 0.1);
    benchmark::DoNotOptimize(out.data());
  }
}
BENCHMARK(write_number);

}  // namespace
}  // namespace hearth::base
