// SPDX-License-Identifier: Apache-2.0
// The mean of sources over a time: first of each source, weighted by how long it had each value, then of all sources.
// Without a time it is the mean of their present values.
#pragma once

#include <deque>
#include <map>

#include "derived/engines/window.h"

namespace hearth::derived {

class Average final : public WindowEngine {
 public:
  static constexpr std::size_t kMostSources = 100, kMostSamples = 20'000;  // of each; then the oldest is left out

  struct Options {
    std::vector<std::string> sources;  // at least one
    WindowKeys window;
    int precision = 2;
    std::optional<double> undefined;  // what unknown and unavailable count as; null: not at all
  };

  explicit Average(Options options)
      : WindowEngine(options.window, "average of " + options.sources.front(), kMostSamples),
        options_(std::move(options)) {}

  void receive(const Reading& reading) override;
  Output show(const Moment& now) override;
  std::optional<base::Timestamp> next(const Moment& now) override;

 private:
  struct Sample {
    base::Timestamp at;
    std::optional<double> value;
  };
  struct Source {
    std::deque<Sample> samples;
    std::vector<Sample> earlier;  // that history has just told
  };
  struct Sum {
    double seconds = 0, product = 0;
  };

  static void join(Source& source);
  void forget_before(base::Timestamp start);
  std::optional<double> mean_of(const Source& source, const Window& window, const Moment& now, Output& shown) const;

  const Options options_;
  std::map<std::string, Source, std::less<>> sources_;
  std::string unit_, device_class_;
};

}  // namespace hearth::derived
