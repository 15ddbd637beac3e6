// SPDX-License-Identifier: Apache-2.0
// A number, or on or off, by chance: another one each `scan_interval`.
#include <random>

#include "automation/config/parsing.h"
#include "derived/platforms.h"

namespace hearth::derived {
namespace {

class RandomEngine final : public Engine {
 public:
  struct Options {
    bool binary = false;
    int minimum = 0, maximum = 20;
    std::string unit, device_class;
    base::Duration interval = std::chrono::seconds(30);
  };

  explicit RandomEngine(Options options) : options_(std::move(options)) {}

  void receive(const Reading&) override {}

  Output show(const Moment& now) override {
    // A clock that is set back makes nobody wait longer.
    if (!due_ || now.time >= *due_ || now.time + options_.interval < *due_) {
      drawn_ = std::uniform_int_distribution(options_.minimum, options_.maximum)(source_);
      due_ = now.time + options_.interval;
    }
    if (options_.binary) return {.value = drawn_ != 0};
    return {.value = json::string(std::to_string(drawn_)),
            .attributes = {{"maximum", options_.maximum}, {"minimum", options_.minimum}},
            .unit = options_.unit,
            .device_class = options_.device_class,
            .icon = "mdi:hanger"};
  }

  std::optional<base::Timestamp> next(const Moment&) override { return due_; }

 private:
  const Options options_;
  std::mt19937 source_{std::random_device()()};
  std::optional<base::Timestamp> due_;
  int drawn_ = 0;
};

}  // namespace

void parse_random(Keys& in, Plan& plan) {
  RandomEngine::Options options;
  options.binary = plan.domain == "binary_sensor";
  if (plan.name.empty()) plan.name = options.binary ? "Random binary sensor" : "Random sensor";
  options.interval = in.span("scan_interval", options.interval, std::chrono::seconds(1));
  plan.device_class = in.text("device_class");
  if (options.binary) {
    options.maximum = 1;
  } else {
    constexpr int kMost = 1'000'000'000;
    in.integer("minimum", options.minimum, -kMost, kMost);
    in.integer("maximum", options.maximum, -kMost, kMost);
    options.unit = in.text("unit_of_measurement");
    if (options.maximum < options.minimum) {
      automation::note(in, in.find("maximum") ? *in.find("maximum") : *in.find("minimum"),
                       "expected maximum to be no less than minimum");
      return;
    }
  }
  plan.engine = [options] { return std::make_unique<RandomEngine>(options); };
}

}  // namespace hearth::derived
