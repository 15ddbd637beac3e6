// SPDX-License-Identifier: Apache-2.0
#include "integrations/demo/sensors.h"

#include <cmath>

namespace hearth::integrations::demo {
namespace {

constexpr std::uint64_t kFridge = 101, kPeople = 102, kGauges = 103;
constexpr auto kDetectorPeriod = std::chrono::seconds(5);
constexpr auto kMeterPeriod = std::chrono::seconds(30);
constexpr double kFirstReading = 4'211.7;  // kWh

base::Duration gauge_period(const World& world, const std::string& id) {
  std::uint32_t slot = 0;
  for (const char c : id) slot = slot * 31 + static_cast<unsigned char>(c);
  return base::Duration(std::llround((30 + 30 * world.noise().in_slot(kGauges, slot)) * 1e6));
}

}  // namespace

domains::Abilities measuring(Unit unit) {
  return {.attributes = {{"state_class", unit.state_class}, {"unit_of_measurement", unit.name}},
          .decimals = unit.decimals};
}

Gauge::Gauge(World& world, domains::EntityInfo info, Unit unit, std::function<double()> measure)
    : measure_(std::move(measure)),
      sensor_(world.add(domains::kSensor, {.value = measure_()}, info, measuring(unit))),
      pulse_(world, gauge_period(world, info.unique_id), [this] { sensor_.report({.value = measure_()}); }) {}

bool happens(const Habit& habit, const LocalTime& time, const Noise& noise) {
  const double slots = time.hours * 60 / habit.slot_minutes, slot = std::floor(slots);
  const int part = time.hour < 6 ? 0 : time.hour < 9 ? 1 : time.hour < 17 ? 2 : 3;
  if (noise.in_slot(habit.channel, static_cast<std::int64_t>(slot)) >= habit.chance[part]) return false;
  return (slots - slot) * habit.slot_minutes < habit.on_minutes;
}

Detector::Detector(World& world, domains::EntityInfo info, const Habit& habit)
    : world_(world),
      habit_(habit),
      on_(!world.still() && happens(habit, world.time(), world.noise())),
      sensor_(world.add(domains::kBinarySensor, {.value = on_}, std::move(info))),
      pulse_(world, kDetectorPeriod, [this] {
        if (const bool on = happens(habit_, world_.time(), world_.noise()); on != on_)
          sensor_.report({.value = on_ = on});
      }) {}

Meter::Meter(World& world, domains::EntityInfo power, domains::EntityInfo energy,
             const std::vector<std::unique_ptr<Appliance>>& appliances)
    : world_(world),
      appliances_(appliances),
      kilowatt_hours_(world.remembered(domains::kSensor, energy, kFirstReading)),
      watts_(world.still() ? world.remembered(domains::kSensor, power, measure()) : measure()),
      power_(world.add(domains::kSensor, {.value = watts_}, std::move(power), measuring({"W", "measurement", 0}))),
      energy_(world.add(domains::kSensor, {.value = kilowatt_hours_}, std::move(energy),
                        measuring({"kWh", "total_increasing", 2}))),
      pulse_(world, kMeterPeriod, [this] { pass_time(); }) {}

double Meter::measure() const {
  const LocalTime time = world_.time();
  double watts = 85;
  if (std::fmod(time.hours + world_.noise().in_slot(kFridge, 0), 0.75) < 0.3) watts += 95;  // the fridge's compressor
  if (time.hour > 6 && time.hour < 23) watts += 120 * (1 + world_.noise().smooth(kPeople, time.hours, 0.7));
  for (const auto& each : appliances_) watts += each->power();
  return watts;
}

void Meter::pass_time() {
  watts_ = measure();
  kilowatt_hours_ += watts_ / 1000 * 30 / 3600;
  power_.report({.value = watts_});
  energy_.report({.value = kilowatt_hours_});
}

}  // namespace hearth::integrations::demo
