// SPDX-License-Identifier: Apache-2.0
// Renders each line of the standard input, a template, for so many milliseconds as the first argument says, and prints
// the nanoseconds of the processor for one rendering, a line each. value_json is one document, parsed before; sensor.x
// is in the home.
#include <fmt/format.h>
#include <time.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>

#include "core/hub.h"
#include "core/view.h"
#include "template/template.h"

namespace {

using namespace hearth;

// Of the processor, which this thread has taken.
std::chrono::nanoseconds thread_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

double nanoseconds(const templates::Template& compiled, const templates::Environment& environment,
                   const templates::Variables& variables, std::chrono::milliseconds time) {
  const auto start = thread_time();
  std::size_t count = 0;
  while (thread_time() - start < time) {
    for (int i = 0; i < 100; ++i, ++count) {
      if (compiled.render(environment, variables)) continue;
      fmt::print(stderr, "a template fails\n");
      std::exit(1);
    }
  }
  return static_cast<double>((thread_time() - start).count()) / static_cast<double>(count);
}

}  // namespace

int main(int count, char** arguments) {
  const std::chrono::milliseconds time(count > 1 ? std::atoi(arguments[1]) : 200);
  base::SystemClock clock;
  core::Hub hub(clock, {});
  hub.bus.start();
  const core::View home(hub, core::Rights());
  const auto written = home.set(*core::EntityId::parse("sensor.x"),
                                {"21.5", R"({"unit_of_measurement":"°C"})", core::Context::create(clock.now(), "")});
  const auto document = base::parse_json(
      R"({"temperature":21.5,"state":"ON","humidity":40,"list":[1,2,3],"position":{"x":1,"y":2},"linkquality":120})");
  if (!written || !document) return 1;
  const templates::Variables variables{{"value", templates::Value("21.5")},
                                       {"value_json", templates::Value::from_json(json::value(*document))}};
  const templates::Environment environment{.home = &home, .clock = &clock};
  for (std::string line; std::getline(std::cin, line);) {
    const auto compiled = templates::Template::compile(line);
    if (!compiled) {
      fmt::print(stderr, "{}: {}\n", line, compiled.error().message);
      return 1;
    }
    fmt::print("{:.1f}\n", nanoseconds(*compiled, environment, variables, time));
  }
  hub.bus.stop();
}
