// SPDX-License-Identifier: Apache-2.0
// The rate of change of a number: between its last two values, or as the mean over a window of time.
#pragma once

#include <deque>

#include "derived/engine.h"

namespace hearth::derived {

class Derivative final : public Engine {
 public:
  static constexpr std::size_t kMostSlopes = 10'000;  // in a window; then the oldest is left out

  struct Options {
    std::string source;
    int round = 3;
    std::string unit_prefix, unit_time = "h", unit;  // `unit`: as it is to be shown; empty: made of the source's
    double prefix_factor = 1, time_seconds = 3'600;
    base::Duration time_window{0};
  };

  explicit Derivative(Options options) : options_(std::move(options)) {}

  void receive(const Reading& reading) override;
  Output show(const Moment& now) override;
  void restore(const core::State& last, const Moment& now) override;
  std::optional<Past> past(const Moment& now) override;

 private:
  struct Slope {
    base::Timestamp start, end;
    double value;
  };

  void add(double from, double to, base::Timestamp end);

  const Options options_;
  std::deque<Slope> slopes_;
  std::optional<double> value_;  // of the source, as long as it is known
  base::Timestamp since_;
  std::optional<double> shown_;
  std::string unit_;
  bool available_ = false;
};

}  // namespace hearth::derived
