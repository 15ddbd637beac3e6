// SPDX-License-Identifier: Apache-2.0
#include "integrations/demo/world.h"

#include <cmath>

namespace hearth::integrations::demo {
namespace {

// 2026-11-21 12:00, for the home at rest.
constexpr LocalTime kStillTime{498'732, 12, 324};

struct Room {
  const char *name, *floor;
};

constexpr Room kRooms[] = {
    {"Living room", "ground_floor"}, {"Kitchen", "ground_floor"}, {"Hall", "ground_floor"},
    {"Garden", "ground_floor"},      {"Bedroom", "first_floor"},  {"Bathroom", "first_floor"},
};

}  // namespace

World::World(core::Hub& hub, domains::EntityTable& entities, const DemoOptions& options)
    : hub_(hub), entities_(entities), noise_(options.seed), speed_(options.speed), started_(hub.clock.steady_now()) {}

LocalTime World::time() const {
  if (still()) return kStillTime;
  const base::Duration passed = hub_.clock.steady_now() - started_;
  const auto ahead = base::Duration(std::llround(static_cast<double>(passed.count()) * (speed_ - 1)));
  return to_local(hub_.clock.now() + ahead, hub_.config.load()->time_zone);
}

Weather World::weather() const {
  return weather_at(time(), noise_, still() ? 0 : hub_.config.load()->latitude);
}

core::Timer World::after(base::Duration time, core::EventBus::Task task) const {
  const auto delay = base::Duration(std::llround(static_cast<double>(time.count()) / speed_));
  return hub_.bus.schedule(delay, [this, task = std::move(task)] {
    if (!stopped_) task();
  });
}

void World::add_areas() {
  for (const Room& room : kRooms) hub_.registry.ensure_area(room.name, room.floor);
}

domains::EntityInfo World::add_product(const Product& product, std::string device_class, std::string icon) {
  const std::string id = core::slugify(product.name), device_id = "demo." + id;
  hub_.registry.put_device(
      {device_id, product.name, product.manufacturer, product.model, hub_.registry.ensure_area(product.area).id, {}});
  return {.integration = "demo",
          .unique_id = id,
          .object_id = product.object_id,
          .name = product.name,
          .device_class = std::move(device_class),
          .icon = std::move(icon),
          .device_id = device_id};
}

Pulse::Pulse(World& world, base::Duration period, std::function<void()> task)
    : world_(world), period_(period), task_(std::move(task)) {
  if (!world_.still()) wait();
}

void Pulse::wait() {
  timer_ = world_.after(period_, [this] {
    task_();
    wait();
  });
}

}  // namespace hearth::integrations::demo
