// SPDX-License-Identifier: Apache-2.0
// Tells if a number rises or falls: by the slope of the line of best fit through its last values.
#pragma once

#include "derived/engine.h"
#include "derived/engines/samples.h"

namespace hearth::derived {

class Trend final : public Engine {
 public:
  static constexpr std::size_t kMostSamples = 20'000;

  struct Options {
    std::string source, attribute;  // `attribute`: empty for the state itself
    bool invert = false;
    std::size_t max_samples = 2, min_samples = 2;
    double min_gradient = 0;            // a second
    base::Duration sample_duration{0};  // 0: any
  };

  explicit Trend(Options options) : options_(std::move(options)) {}

  void receive(const Reading& reading) override;
  Output show(const Moment& now) override;
  std::optional<base::Timestamp> next(const Moment& now) override;
  void restore(const core::State& last, const Moment& now) override;
  std::optional<Past> past(const Moment& now) override;

 private:
  std::optional<double> slope() const;

  const Options options_;
  Samples samples_;
  double gradient_ = 0;
  std::optional<bool> on_;
};

}  // namespace hearth::derived
