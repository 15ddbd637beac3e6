// SPDX-License-Identifier: Apache-2.0
// For tests: four weeks of an invented home, with habits of its people, and events without meaning.
#pragma once

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "suggestions/past.h"

namespace hearth::suggestions {

class TestHome {
 public:
  using Seconds = std::chrono::seconds;
  static constexpr int kDays = 28;

  explicit TestHome(unsigned seed) : random_(seed) {
    past_.zone = templates::Zone::of("Europe/Berlin");
    past_.from = base::Timestamp(std::chrono::sys_days(std::chrono::year(2026) / 1 / 5)) - std::chrono::hours(1);
    past_.until = past_.from + std::chrono::hours(24) * kDays;
  }

  double uniform(double from, double until) { return std::uniform_real_distribution<double>(from, until)(random_); }
  bool happens(double chance) { return uniform(0, 1) < chance; }
  // So many seconds after midnight of that day.
  base::Timestamp at(int day, double seconds) const {
    return past_.from + std::chrono::hours(24) * day + base::Duration(static_cast<std::int64_t>(seconds * 1'000'000));
  }

  void set(const std::string& entity_id, base::Timestamp time, const std::string& value, bool by_hand = true) {
    changes_[entity_id].push_back({time, value, by_hand});
  }

  // The sun, which sets two minutes later each day.
  void add_sun() {
    for (int day = -1; day < kDays; ++day) {
      past_.sunrises.push_back(at(day, 8 * 3600 - day * 60));
      past_.sunsets.push_back(at(day, 16.5 * 3600 + day * 120));
    }
  }

  // Some that are switched by hand, and some that notice things, without any connection, but all in the same hours.
  void add_noise() {
    for (int light = 0; light < 15; ++light) {
      const double per_day = uniform(2, 16);
      for (int day = 0; day < kDays; ++day)
        for (int i = 0; i < per_day; ++i) blink("light.noise_" + std::to_string(light), waking(day), uniform(60, 4000));
    }
    for (int sensor = 0; sensor < 12; ++sensor) {
      const double per_day = uniform(5, 250);
      for (int day = 0; day < kDays; ++day)
        for (int i = 0; i < per_day; ++i)
          blink("binary_sensor.noise_" + std::to_string(sensor), waking(day), uniform(5, 120));
    }
    for (int day = 0; day < kDays; ++day) {
      set("person.ann", at(day, uniform(7.5, 9) * 3600), "not_home");
      set("person.ann", at(day, uniform(16, 18) * 3600), "home");
      for (int i = 0; i < 6; ++i) set("sensor.washer", waking(day), i % 2 == 0 ? "washing" : "idle");
    }
  }

  void blink(const std::string& entity_id, base::Timestamp time, double seconds, bool by_hand = true) {
    set(entity_id, time, "on", by_hand);
    set(entity_id, time + base::Duration(static_cast<std::int64_t>(seconds * 1'000'000)), "off", by_hand);
  }
  // Most of it in the morning and the evening.
  base::Timestamp waking(int day) {
    const double hour = happens(0.3) ? uniform(6, 9) : happens(0.5) ? uniform(16, 23) : uniform(7, 23);
    return at(day, hour * 3600);
  }

  Past past() {
    for (auto& [entity_id, changes] : changes_) {
      std::ranges::sort(changes, {}, &Change::at);
      PastEntity entity;
      entity.entity_id = entity_id;
      const std::string domain = entity_id.substr(0, entity_id.find('.'));
      entity.is_effect = domain == "light" || domain == "switch" || domain == "cover" || domain == "lock";
      entity.is_cause = domain == "binary_sensor" || domain == "sensor" || domain == "person";
      for (const Change& change : changes) {
        const auto known = std::ranges::find(entity.values, change.value);
        const auto place = static_cast<std::uint16_t>(known - entity.values.begin());
        if (known == entity.values.end()) entity.values.push_back(change.value);
        if (entity.changes.empty() || entity.changes.back().value != place)
          entity.changes.push_back({change.at, place, change.by_hand});
      }
      past_.entities.push_back(std::move(entity));
    }
    return std::move(past_);
  }

 private:
  struct Change {
    base::Timestamp at;
    std::string value;
    bool by_hand;
  };

  std::mt19937 random_;
  Past past_;
  std::map<std::string, std::vector<Change>> changes_;
};

}  // namespace hearth::suggestions
