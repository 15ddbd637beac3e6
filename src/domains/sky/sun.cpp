// SPDX-License-Identifier: Apache-2.0
#include "domains/sky/sun.h"

#include <cmath>

#include "base/log/log.h"
#include "domains/entities/kinds.h"
#include "domains/entities/local_time.h"

namespace hearth::domains {
namespace {

using namespace std::chrono_literals;

struct Named {
  std::string_view attribute;
  SunEvent event;
};
constexpr std::array<Named, 6> kEvents{{{"next_dawn", SunEvent::dawn},
                                        {"next_dusk", SunEvent::dusk},
                                        {"next_midnight", SunEvent::midnight},
                                        {"next_noon", SunEvent::noon},
                                        {"next_rising", SunEvent::rise},
                                        {"next_setting", SunEvent::set}}};
// How long a position is shown: it moves a degree in 4 minutes. Nobody looks when it is quite dark.
constexpr base::Duration kByDay = 4min, kByNight = 20min;
constexpr double kDark = -18;      // degrees
constexpr double kRises = -0.833;  // likewise: the upper edge is at the horizon

json::value utc_text(base::Timestamp time) {
  return json::value(local_time_text(std::chrono::floor<std::chrono::seconds>(time), "UTC"));
}

json::value to_hundredths(double degrees) {
  return std::round(degrees * 100) / 100;
}

}  // namespace

SunEntity::SunEntity(core::Hub& hub, EntityTable& entities) : hub_(hub), entities_(entities) {
  start_ = hub.bus.listen(core::event_type::kPlatformStart, [this](const core::Event&) { add(); });
  moves_ = hub.bus.listen(core::event_type::kCoreConfigUpdated, [this](const core::Event&) {
    if (thing_) show();
  });
}

void SunEntity::add() {
  auto sun = std::make_unique<Thing>(
      kSun, EntityInfo{.integration = "sun", .unique_id = "sun", .object_id = "sun", .name = "Sun"});
  sun->report(report());
  if (const auto added = entities_.add(std::move(sun)))
    thing_ = *added;
  else
    base::log_warning("domains", "sun.sun is left out: {}", added.error().message);
}

void SunEntity::show() {
  const core::Context context = core::Context::create(hub_.clock.now());
  thing_->report(report(), &context);
}

void SunEntity::find_times(base::Timestamp now) {
  const auto config = hub_.config.load();
  const Place place{config->latitude, config->longitude, static_cast<double>(config->elevation)};
  const bool moved = place != place_ || now < found_at_;
  place_ = place;
  found_at_ = now;
  for (std::size_t i = 0; i < kEvents.size(); ++i) {
    if (moved || !times_[i] || *times_[i] <= now) times_[i] = next_sun_event(kEvents[i].event, now, place);
  }
}

Report SunEntity::report() {
  const auto now = hub_.clock.now();
  find_times(now);
  const SunPosition position = sun_position(now, place_);
  Report report{
      .attributes = {{"elevation", to_hundredths(position.elevation)}, {"azimuth", to_hundredths(position.azimuth)}}};
  base::Timestamp until = now + (position.elevation < kDark ? kByNight : kByDay);
  for (std::size_t i = 0; i < kEvents.size(); ++i) {
    report.attributes[kEvents[i].attribute] = times_[i] ? utc_text(*times_[i]) : json::value();
    if (times_[i]) until = std::min(until, *times_[i]);
  }
  const auto& [dawn, dusk, midnight, noon, rising, setting] = times_;
  report.attributes["rising"] = noon < midnight;
  // In a polar day or night the next ones are months away.
  const bool soon = rising && setting && std::max(*rising, *setting) - now < 48h;
  const bool is_up = soon ? *setting < *rising : position.elevation > kRises;
  report.value = is_up ? "above_horizon" : "below_horizon";
  next_ = hub_.bus.schedule_at(until, [this] {
    if (thing_) show();
  });
  return report;
}

}  // namespace hearth::domains
