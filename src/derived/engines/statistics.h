// SPDX-License-Identifier: Apache-2.0
// A statistic of the last values of one source: as many as fit, or as old as they may be.
#pragma once

#include "derived/engine.h"
#include "derived/engines/samples.h"

namespace hearth::derived {

class Statistics final : public Engine {
 public:
  static constexpr std::size_t kMostSamples = 20'000;  // then the oldest is left out

  struct Options {
    std::string source;
    const Characteristic* characteristic = nullptr;
    std::size_t sampling_size = 0;  // 0: kMostSamples
    base::Duration max_age{0};      // 0: any
    bool keep_last_sample = false;
    int precision = 2, percentile = 50;
  };

  explicit Statistics(Options options) : options_(std::move(options)) {}

  void receive(const Reading& reading) override;
  Output show(const Moment& now) override;
  std::optional<base::Timestamp> next(const Moment& now) override;
  std::optional<Past> past(const Moment& now) override;

 private:
  bool is_binary() const { return options_.source.starts_with("binary_sensor."); }
  std::size_t most() const { return options_.sampling_size ? options_.sampling_size : kMostSamples; }
  void drop_old(base::Timestamp now);
  json::value value() const;
  std::string unit() const;

  const Options options_;
  Samples samples_;
  bool available_ = true;
  json::value valid_;  // whether the source's state counts; null while it is away
  std::string source_unit_, source_class_;
};

}  // namespace hearth::derived
