// SPDX-License-Identifier: Apache-2.0
// time_date: what the clocks show, as texts, each a sensor.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "automation/config/parsing.h"
#include "derived/platforms.h"
#include "derived/units/sensor_unit.h"

namespace hearth::derived {
namespace {

struct Display {
  std::string_view option, name, object_id, icon;
};
constexpr Display kDisplays[] = {
    {"time", "Time", "time", "mdi:clock"},
    {"date", "Date", "date", "mdi:calendar"},
    {"date_time", "Date & Time", "date_time", "mdi:calendar-clock"},
    {"date_time_utc", "Date & Time (UTC)", "date_time_utc", "mdi:calendar-clock"},
    {"date_time_iso", "Date & Time (ISO)", "date_time_iso", "mdi:calendar-clock"},
    {"time_date", "Time & Date", "time_date", "mdi:calendar-clock"},
    {"beat", "Internet Time", "internet_time", "mdi:clock"},
    {"time_utc", "Time (UTC)", "time_utc", "mdi:clock"},
};
constexpr double kSecondsOfBeat = 86.4;

// Of the day in Biel, without summer time.
int beat_at(base::Timestamp time) {
  const auto biel = time.time_since_epoch() + std::chrono::hours(1);
  const double seconds = std::chrono::duration<double>(biel - std::chrono::floor<std::chrono::days>(biel)).count();
  return static_cast<int>(seconds / kSecondsOfBeat);
}

class ClockText final : public Engine {
 public:
  explicit ClockText(const Display& display) : display_(display) {}

  void receive(const Reading&) override {}
  bool follows_clock() const override { return true; }

  Output show(const Moment& now) override {
    const auto moment = now.time.time_since_epoch().count();
    const bool utc = display_.option.ends_with("_utc");
    const templates::DateTime local = templates::at(moment, utc ? templates::Zone::utc() : now.zone);
    const auto as = [&](std::string_view format) { return templates::format_time(local, format); };
    std::string text;
    if (display_.option == "beat")
      text = fmt::format("@{:03}", beat_at(now.time));
    else if (display_.option == "time" || display_.option == "time_utc")
      text = as("%H:%M");
    else if (display_.option == "date")
      text = as("%Y-%m-%d");
    else if (display_.option == "date_time_iso")
      text = as("%Y-%m-%dT%H:%M:00");
    else
      text = as(display_.option == "time_date" ? "%H:%M, %Y-%m-%d" : "%Y-%m-%d, %H:%M");
    return {.value = json::string(text), .icon = std::string(display_.icon)};
  }

  std::optional<base::Timestamp> next(const Moment& now) override {
    const base::Timestamp minute = std::chrono::floor<std::chrono::minutes>(now.time) + std::chrono::minutes(1);
    if (display_.option != "beat") return minute;
    const auto day = std::chrono::floor<std::chrono::days>(now.time + std::chrono::hours(1)) - std::chrono::hours(1);
    return day + base::Duration(std::llround((beat_at(now.time) + 1) * kSecondsOfBeat * 1e6));
  }

 private:
  const Display& display_;
};

// A sensor for each thing that it shows.
class TimeDateUnit final : public Unit {
 public:
  TimeDateUnit(std::shared_ptr<const Plan> plan, const Environment& environment, const std::vector<std::string>& shown)
      : Unit(std::move(plan)) {
    for (const Display& each : kDisplays) {
      if (std::ranges::find(shown, each.option) == shown.end()) continue;
      auto own = std::make_shared<Plan>(this->plan());
      own->unit = nullptr;
      own->unique_id =
          own->unique_id == kOnly ? std::string(each.option) : fmt::format("{}_{}", own->unique_id, each.option);
      own->object_id = each.object_id;
      own->name = each.name;
      sensors_.push_back(std::make_unique<SensorUnit>(std::move(own), environment, std::make_unique<ClockText>(each)));
    }
  }

  static constexpr std::string_view kOnly = "time_date";  // the unique id of one that has none

  base::Result<void> start() override {
    for (const auto& each : sensors_)
      if (auto started = each->start(); !started) return started;
    return {};
  }
  void withdraw() override {
    for (const auto& each : sensors_) each->withdraw();
  }
  std::vector<std::string> entity_ids() const override {
    std::vector<std::string> all;
    for (const auto& each : sensors_)
      for (std::string& id : each->entity_ids()) all.push_back(std::move(id));
    return all;
  }

 private:
  std::vector<std::unique_ptr<SensorUnit>> sensors_;
};

}  // namespace

void parse_time_date(Keys& in, Plan& plan) {
  std::vector<std::string> shown{"time"};
  std::vector<std::string_view> known;
  for (const Display& each : kDisplays) known.push_back(each.option);
  in.texts("display_options", shown, known);
  if (shown.empty()) automation::note(in, *in.find("display_options"), "expected one display option or several");
  for (const std::string& option : shown)
    if (std::ranges::find(known, option) == known.end())
      automation::note(in, *in.find("display_options"), automation::unknown_name("display option", option, known));
  plan.unit = [shown](std::shared_ptr<const Plan> own, const Environment& environment) {
    return std::make_unique<TimeDateUnit>(std::move(own), environment, shown);
  };
}

}  // namespace hearth::derived
