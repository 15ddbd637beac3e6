// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "base/config_reader.h"
#include "integrations/demo/demo.h"

namespace hearth::integrations::demo {

base::Result<DemoOptions> DemoOptions::parse(const base::ConfigNode& section) {
  DemoOptions options;
  base::ConfigReader in(section);
  in.integer("seed", options.seed, 0, std::numeric_limits<std::int64_t>::max());
  in.number("speed", options.speed, 0, Demo::kMaxSpeed);
  return in.finish(options);
}

}  // namespace hearth::integrations::demo
