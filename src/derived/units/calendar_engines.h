// SPDX-License-Identifier: Apache-2.0
// Sensors that follow from the date alone: workdays and the season.
#pragma once

#include <set>
#include <vector>

#include "automation/values/local_times.h"
#include "core/hub.h"
#include "derived/engine.h"
#include "derived/units/unit.h"

namespace hearth::derived {

// workday.check_date.
core::Registration add_workday_service(core::Hub& hub, const ForEachUnit& for_each);

// Days that a line of the configuration names: one, a stretch, one of each year, or one beside Easter.
struct NamedDays {
  enum class Kind { days, yearly, easter };
  Kind kind = Kind::days;
  std::int64_t first = 0, last = 0;  // since 1970-01-01
  int month = 0, day = 0;            // of each year
  int after_easter = 0;              // days

  // 2026-12-24, 2026-12-24,2026-12-31, 12-25, easter, easter+1. Null if it is none.
  static std::optional<NamedDays> parse(std::string_view text);
  bool has(std::int64_t day) const;
};

class Workday final : public Engine {
 public:
  struct Days {
    automation::Weekdays weekdays = automation::Weekdays::none();
    bool holidays = false;
    std::vector<std::string> written;
  };
  struct Options {
    Days workdays, excludes;
    int offset = 0;  // days
    std::vector<NamedDays> added, removed;
  };

  explicit Workday(Options options) : options_(std::move(options)) {}

  void receive(const Reading&) override {}
  bool follows_clock() const override { return true; }
  Output show(const Moment& now) override;
  std::optional<base::Timestamp> next(const Moment& now) override;
  std::optional<bool> is_workday(std::int64_t day) const override { return works_on(day); }

 private:
  bool works_on(std::int64_t day) const;

  const Options options_;
};

class Season final : public Engine {
 public:
  explicit Season(bool meteorological) : meteorological_(meteorological) {}

  void receive(const Reading&) override {}
  bool follows_clock() const override { return true; }
  Output show(const Moment& now) override;
  std::optional<base::Timestamp> next(const Moment& now) override;

 private:
  base::Timestamp begin(int year, int quarter, const Moment& now) const;

  const bool meteorological_;
};

}  // namespace hearth::derived
