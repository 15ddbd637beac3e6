// SPDX-License-Identifier: Apache-2.0
// One number of several sensors: their minimum, maximum, mean, median, range or sum, or the last that changed.
#pragma once

#include <map>

#include "derived/engine.h"

namespace hearth::derived {

class MinMax final : public Engine {
 public:
  enum class Type { min, max, mean, median, last, range, sum };
  struct Options {
    Type type = Type::max;
    int round_digits = 2;
    std::vector<std::string> members;
  };

  explicit MinMax(Options options) : options_(std::move(options)) {}

  void receive(const Reading& reading) override;
  Output show(const Moment& now) override;

 private:
  struct Member {
    std::optional<double> value;  // null: unknown, or no number
    std::string unit, device_class;
  };

  const Options options_;
  std::map<std::string, Member, std::less<>> members_;  // that have been seen
  std::string last_;                                    // which one changed last
  std::optional<double> last_value_;
};

}  // namespace hearth::derived
