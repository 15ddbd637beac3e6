// SPDX-License-Identifier: Apache-2.0
// The values of one source through a chain of filters: each gets the values that the one before lets through.
#pragma once

#include <deque>
#include <variant>

#include "derived/engine.h"

namespace hearth::derived {

struct FilterStep {
  enum class Kind { outlier, lowpass, range, moving_average, throttle, time_throttle };
  Kind kind = Kind::outlier;
  std::size_t window_size = 1;  // values
  base::Duration window{0};     // moving_average, time_throttle
  double radius = 2, time_constant = 10;
  std::optional<double> lower, upper;  // range
  std::optional<int> precision = 2;
};

// One step at work. Without a hub; any thread.
class FilterStage {
 public:
  static constexpr std::size_t kMostValues = 10'000;  // within a window of time; then the oldest is left out

  explicit FilterStage(const FilterStep& step) : step_(step) {}

  // Null if it lets nothing through.
  std::optional<double> pass(base::Timestamp at, double value);

 private:
  struct Kept {
    base::Timestamp at;
    double value;
  };

  double without_outlier(double value);
  double average(base::Timestamp at, double value);
  bool lets_through(base::Timestamp at);

  const FilterStep step_;
  std::deque<Kept> kept_;
  std::optional<Kept> left_;  // the last one before the window
  std::size_t count_ = 0;     // since one went through
  std::optional<base::Timestamp> passed_;
};

class Filter final : public Engine {
 public:
  struct Options {
    std::string source;
    std::vector<FilterStep> steps;
  };

  explicit Filter(Options options);

  void receive(const Reading& reading) override;
  Output show(const Moment& now) override;
  void restore(const core::State& last, const Moment& now) override;
  std::optional<Past> past(const Moment& now) override;

 private:
  const Options options_;
  std::vector<FilterStage> stages_;
  base::Timestamp last_{base::Duration::min()};  // that was taken
  std::optional<double> value_;
  bool available_ = true;
  std::string unit_, device_class_, state_class_, icon_;
};

}  // namespace hearth::derived
