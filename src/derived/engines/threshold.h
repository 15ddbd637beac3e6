// SPDX-License-Identifier: Apache-2.0
// Compares a number with a lower limit, an upper limit or both, with a hysteresis at each of them.
#pragma once

#include "derived/engine.h"

namespace hearth::derived {

class Threshold final : public Engine {
 public:
  struct Options {
    std::string source;
    std::optional<double> lower, upper;  // at least one of them
    double hysteresis = 0;
  };

  explicit Threshold(Options options) : options_(std::move(options)) {}

  void receive(const Reading& reading) override;
  Output show(const Moment& now) override;
  void restore(const core::State& last, const Moment& now) override;

 private:
  void decide();

  const Options options_;
  std::optional<double> value_;  // of the source
  std::optional<bool> on_;
  std::string_view position_ = "unknown";
};

}  // namespace hearth::derived
