// SPDX-License-Identifier: Apache-2.0
// The sum of a number over time: energy of power. Time during which the source was unknown or unavailable does not
// count.
#pragma once

#include "derived/engine.h"

namespace hearth::derived {

class Integration final : public Engine {
 public:
  enum class Method { trapezoidal, left, right };
  struct Options {
    std::string source;
    Method method = Method::trapezoidal;
    int round = 3;
    std::string unit_prefix, unit_time = "h";
    double prefix_factor = 1, time_seconds = 3'600;
    base::Duration max_sub_interval{0};  // 0: none
  };

  explicit Integration(Options options) : options_(std::move(options)) {}

  void receive(const Reading& reading) override;
  Output show(const Moment& now) override;
  std::optional<base::Timestamp> next(const Moment& now) override;
  void restore(const core::State& last, const Moment& now) override;
  bool keeps_books() const override { return true; }

 private:
  void add(double from, double to, base::Duration span);

  const Options options_;
  std::optional<double> sum_;
  std::optional<double> value_;  // of the source, as long as it is known
  base::Timestamp since_;        // from when on that does not count yet
  bool available_ = false;
  std::string unit_, device_class_;
};

}  // namespace hearth::derived
