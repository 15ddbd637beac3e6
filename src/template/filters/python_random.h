// SPDX-License-Identifier: Apache-2.0
// Python's random.Random of a seed, so that a shuffled list has the same order as there. One thread.
#pragma once

#include <random>

#include "template/values/value.h"

namespace hearth::templates {

class PythonRandom {
 public:
  // Of an int, a text, bytes, a float or a bool. Fails with type for everything else.
  explicit PythonRandom(const Value& seed);
  // From 0 to count - 1. REQUIRES: count is not 0
  std::size_t below(std::size_t count);

 private:
  std::mt19937 engine_;
};

}  // namespace hearth::templates
