// SPDX-License-Identifier: Apache-2.0
#include "integrations/demo/world.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace hearth::integrations::demo {
namespace {

// 2026-11-21 12:00, for the home at rest.
constexpr LocalTime kStillTime{498'732, 12, 324};

struct Room {
  const char *name, *icon;
};
struct Storey {
  const char* name;
  int level;
  std::initializer_list<Room> rooms;
};

const Storey kStoreys[] = {
    {"Ground floor",
     0,
     {{"Living room", "mdi:sofa"},
      {"Kitchen", "mdi:countertop"},
      {"Hall", "mdi:door"},
      {"Garden", "mdi:flower"},
      {"Garage", "mdi:garage"}}},
    {"First floor", 1, {{"Bedroom", "mdi:bed"}, {"Bathroom", "mdi:shower"}}},
    {"Second floor", 2, {{"Office", "mdi:desk"}, {"Guest room", "mdi:bed-outline"}}},
};

constexpr std::string_view kIntegration = "demo";

}  // namespace

World::World(const domains::IntegrationHome& home, const DemoOptions& options)
    : hub_(home.hub),
      entities_(home.domains.entities()),
      bus_(home.bus),
      noise_(options.seed),
      speed_(options.speed),
      started_(hub_.clock.steady_now()) {}

LocalTime World::time() const {
  return still() ? kStillTime : to_local(now(), hub_.config.load()->time_zone);
}

base::Timestamp World::now(double hours) const {
  using Hours = std::chrono::duration<double, std::ratio<3600>>;
  const base::Duration later = std::chrono::round<base::Duration>(Hours(hours));
  if (still()) return hub_.clock.now() + later;
  const base::Duration passed = hub_.clock.steady_now() - started_;
  const auto ahead = base::Duration(std::llround(static_cast<double>(passed.count()) * (speed_ - 1)));
  return hub_.clock.now() + ahead + later;
}

Weather World::weather(double hours) const {
  return weather_at(later(time(), hours), noise_, still() ? 0 : hub_.config.load()->latitude);
}

core::Timer World::after(base::Duration time, core::EventBus::Task task, const std::source_location& where) const {
  const auto delay = base::Duration(std::llround(static_cast<double>(time.count()) / speed_));
  return bus_.schedule(
      delay,
      [this, task = std::move(task)] {
        if (!stopped_) task();
      },
      where);
}

void World::add_areas() {
  const auto registry = hub_.registry.snapshot();
  const bool known = std::any_of(registry->devices.begin(), registry->devices.end(),
                                 [](const auto& entry) { return entry.second.integration == kIntegration; });
  if (known) return;
  for (const Storey& storey : kStoreys) {
    const core::Floor floor = hub_.registry.ensure_floor(storey.name, storey.level);
    for (const Room& room : storey.rooms) hub_.registry.ensure_area(room.name, floor.id, room.icon);
  }
}

domains::EntityInfo World::add_product(const Product& product, std::string device_class, std::string icon) {
  const std::string id = core::slugify(product.name);
  core::Device device{.id = "demo." + id, .integration = std::string(kIntegration)};
  device.name = product.name;
  device.manufacturer = product.manufacturer;
  device.model = product.model;
  device.identifiers = {{device.integration, id}};
  // Later the user decides where the device is.
  const bool known = hub_.registry.snapshot()->devices.contains(device.id);
  if (!known) device.area_id = hub_.registry.ensure_area(product.area).id;
  hub_.registry.put_device(device);
  return {.integration = device.integration,
          .unique_id = id,
          .object_id = product.object_id,
          .name = product.name,
          .device_class = std::move(device_class),
          .icon = std::move(icon),
          .device_id = device.id};
}

void World::call(std::string_view domain, std::string_view service, json::object data,
                 const core::Context& context) const {
  core::ServiceRequest request{.domain = std::string(domain),
                               .service = std::string(service),
                               .data = std::move(data),
                               .context = context,
                               .wait = base::Duration(0)};
  hub_.services.call(std::move(request), [](const base::Result<core::CallOutcome>&) {});
}

core::StatePtr World::last_state(std::string_view domain, const domains::EntityInfo& info) const {
  const auto registry = hub_.registry.snapshot();
  const auto* const registered = registry->find_entity(info.integration, domain, info.unique_id);
  return hub_.states.find(registered ? registered->entity_id : fmt::format("{}.{}", domain, info.object_id));
}

bool World::known(const domains::Kind& kind, const domains::EntityInfo& info) const {
  return hub_.registry.snapshot()->find_entity(info.integration, kind.domain, info.unique_id) != nullptr;
}

domains::Report World::remembered(const domains::Kind& kind, const domains::EntityInfo& info,
                                  domains::Report first) const {
  const auto last = last_state(kind.domain, info);
  return last ? domains::restored(kind, std::move(first), *last) : first;
}

double World::remembered(const domains::Kind& kind, const domains::EntityInfo& info, double first) const {
  const auto last = remembered(kind, info, domains::Report{});
  const auto number = last.value ? domains::field::convert(domains::field::Number{}, *last.value) : std::nullopt;
  return number ? number->get_double() : first;
}

domains::Thing& World::add(const domains::Kind& kind, domains::Report first, domains::EntityInfo info,
                           domains::Abilities can, domains::ThingDevice* device) {
  auto thing = std::make_unique<domains::Thing>(kind, std::move(info), std::move(can), device);
  thing->report(std::move(first));
  return *entities_.add(std::move(thing)).value();
}

Pulse::Pulse(World& world, base::Duration period, std::function<void()> task, const std::source_location& where)
    : world_(world), period_(period), task_(std::move(task)), where_(where) {
  if (!world_.still()) wait();
}

void Pulse::wait() {
  timer_ = world_.after(
      period_,
      [this] {
        task_();
        wait();
      },
      where_);
}

}  // namespace hearth::integrations::demo
