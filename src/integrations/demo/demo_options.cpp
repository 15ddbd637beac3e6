// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "base/config/config_reader.h"
#include "integrations/demo/demo.h"

namespace hearth::integrations::demo {

namespace {

void read(base::ConfigReader& in, DemoOptions& options) {
  in.integer("seed", options.seed, 0, std::numeric_limits<std::int64_t>::max());
  in.number("speed", options.speed, 0, Demo::kMaxSpeed);
}

}  // namespace

base::Result<DemoOptions> DemoOptions::parse(const base::ConfigNode& section) {
  DemoOptions options;
  base::ConfigReader in(section);
  read(in, options);
  return in.finish(options);
}

std::vector<base::ConfigProblem> DemoOptions::check(const base::ConfigNode& section) {
  DemoOptions options;
  base::ConfigReader in(section);
  read(in, options);
  return in.problems();
}

}  // namespace hearth::integrations::demo
