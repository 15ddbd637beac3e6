// SPDX-License-Identifier: Apache-2.0
// Counts what a source adds in a period: from one end of the cycle, or reset, to the next. Nothing is lost while the
// source is unavailable: afterwards the difference to its last value counts.
#pragma once

#include "derived/cron.h"
#include "derived/engine.h"

namespace hearth::derived {

class Meter final : public Engine {
 public:
  struct Options {
    std::string source, name, tariff;  // `tariff`: empty if there are none
    std::string cycle;                 // daily …; empty if there is none
    std::string cron_text;             // as it is written; empty if there is none
    std::optional<Cron> cron;          // of the cycle, too
    bool delta_values = false, net_consumption = false, periodically_resetting = true;
  };

  explicit Meter(Options options) : options_(std::move(options)) {}

  void receive(const Reading& reading) override;
  Output show(const Moment& now) override;
  std::optional<base::Timestamp> next(const Moment& now) override;
  void restore(const core::State& last, const Moment& now) override;
  bool keeps_books() const override { return true; }

  const std::string& tariff() const { return options_.tariff; }
  // True if it counts; at first it does.
  void collect(bool collects) { collects_ = collects; }
  void reset(base::Timestamp now);
  // Fails with invalid if it is no number.
  base::Result<void> calibrate(std::string_view text);

 private:
  static constexpr int kMostDecimals = 9;

  void count(double reading);
  void note_decimals(std::string_view text);
  // Ends the periods that are over.
  void pass_time(const Moment& now);

  const Options options_;
  std::optional<double> value_;
  double last_period_ = 0;
  std::optional<double> reading_;  // the source's last
  std::string reading_text_;
  std::optional<base::Timestamp> last_reset_;
  std::optional<base::Timestamp> looked_;  // at the clock, last
  int decimals_ = 0;                       // as many as the source has
  bool collects_ = true, available_ = true;
  std::string unit_, device_class_;
};

}  // namespace hearth::derived
