// SPDX-License-Identifier: Apache-2.0
// On from one time of day, or rising or setting of the sun, to another. It depends on the clock alone, so a change of
// the clocks or of the zone applies at once.
#pragma once

#include <variant>

#include "derived/engine.h"

namespace hearth::derived {

class TimesOfDay final : public Engine {
 public:
  using Edge = std::variant<base::Duration, domains::SunEvent>;  // since midnight, by the clocks
  struct Options {
    Edge after = base::Duration(0), before = base::Duration(0);
    base::Duration after_offset{0}, before_offset{0};
  };

  explicit TimesOfDay(Options options) : options_(std::move(options)) {}

  void receive(const Reading&) override {}
  bool follows_clock() const override { return true; }
  Output show(const Moment& now) override;
  std::optional<base::Timestamp> next(const Moment& now) override;

 private:
  struct Span {
    base::Timestamp after, before;
  };
  struct Look {
    std::optional<Span> span;             // the present one, otherwise the next
    std::optional<base::Timestamp> next;  // when that changes
    bool on = false;
  };

  // That begins on that day since 1970-01-01; null if there is none, as near the poles.
  std::optional<Span> of_day(std::int64_t day, const Moment& now) const;
  Look look(const Moment& now) const;

  const Options options_;
};

}  // namespace hearth::derived
