// SPDX-License-Identifier: Apache-2.0
#include "integrations/faulty/faulty.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <thread>

#include "base/config/config_reader.h"
#include "domains/climate/climate.h"
#include "domains/entities/kinds.h"

namespace hearth::integrations::faulty {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kName = "faulty";
constexpr auto kTick = 50ms;

domains::EntityInfo info(std::string id) {
  return {.integration = std::string(kName), .unique_id = id, .object_id = id, .name = "Faulty " + id};
}

}  // namespace

// After the switch and the thermostat.
class Faulty::Device final : public domains::ThingDevice, public domains::ClimateDevice {
 public:
  explicit Device(Mode mode) : mode_(mode) {}

  void act(const domains::Action& action, const json::object&) override {
    if (mode_ == Mode::throws_in_commands) throw std::runtime_error("the device does not obey");
    if (mode_ == Mode::blocks_in_commands) std::this_thread::sleep_for(8s);
    while (mode_ == Mode::hangs_in_commands) std::this_thread::sleep_for(1h);
    relay->report({.value = json::value(action.value)});
  }
  void set(const domains::ClimateCommand&) override {}

  domains::Thing* relay = nullptr;
  domains::Climate* thermostat = nullptr;

 private:
  const Mode mode_;
};

base::Result<Faulty::Options> Faulty::Options::parse(const base::ConfigNode& node) {
  Options options;
  base::ConfigReader in(node);
  in.option<Mode>("mode", options.mode,
                  {{"none", Mode::none},
                   {"throws_in_create", Mode::throws_in_create},
                   {"throws_in_start", Mode::throws_in_start},
                   {"throws_no_exception", Mode::throws_no_exception},
                   {"fails_in_start", Mode::fails_in_start},
                   {"blocks_in_start", Mode::blocks_in_start},
                   {"throws_in_stop", Mode::throws_in_stop},
                   {"throws_in_commands", Mode::throws_in_commands},
                   {"blocks_in_commands", Mode::blocks_in_commands},
                   {"hangs_in_commands", Mode::hangs_in_commands},
                   {"throws_in_timers", Mode::throws_in_timers},
                   {"throws_in_listeners", Mode::throws_in_listeners},
                   {"throws_in_tasks", Mode::throws_in_tasks},
                   {"blocks", Mode::blocks},
                   {"blocks_for_good", Mode::blocks_for_good},
                   {"reports_nan", Mode::reports_nan},
                   {"reports_bad_text", Mode::reports_bad_text},
                   {"reports_much", Mode::reports_much},
                   {"floods", Mode::floods},
                   {"disappears", Mode::disappears}});
  in.integer("failing_starts", options.failing_starts, 0, 1'000'000);
  return in.finish(options);
}

std::vector<base::ConfigProblem> Faulty::Options::check(const base::ConfigNode& node) {
  const auto parsed = parse(node);
  if (parsed) return {};
  return {{node.place().line, &node, false, parsed.error().message}};
}

Faulty::Faulty(const domains::IntegrationHome& home, const Options& options)
    : home_(home), options_(options), device_(std::make_unique<Device>(options.mode)) {
  if (options_.mode == Mode::throws_in_create) throw std::runtime_error("it cannot be made");
}

Faulty::~Faulty() = default;

base::Result<void> Faulty::start() {
  if (auto added = add_entities(); !added) return added;
  timer_ = home_.bus.schedule(kTick, [this] { tick(); });
  // Only now, so that it leaves something to clean up.
  if (auto done = fail_to_start(); !done) return done;
  if (options_.mode == Mode::throws_in_listeners) {
    listening_ = home_.bus.listen(
        {std::string(sensor_->entity_id())},
        [](const core::StateChange&, const core::Event&) { throw std::runtime_error("it does not want to know"); });
  }
  return {};
}

base::Result<void> Faulty::fail_to_start() {
  while (options_.mode == Mode::blocks_in_start) std::this_thread::sleep_for(1h);
  const auto all = home_.hub.integrations.load_once();
  const auto own = std::ranges::find(*all, kName, &core::IntegrationStatus::name);
  if (own != all->end() && own->attempts >= static_cast<std::uint64_t>(options_.failing_starts)) return {};
  const bool fails = options_.mode == Mode::throws_in_start || options_.mode == Mode::throws_no_exception ||
                     options_.mode == Mode::fails_in_start;
  // If it ran after this object is destroyed, it would use freed memory.
  if (fails) home_.bus.post([this] { tick(); });
  if (options_.mode == Mode::throws_in_start) throw std::runtime_error("it cannot be started");
  if (options_.mode == Mode::throws_no_exception) throw 42;
  if (fails) return base::fail(base::ErrorCode::unavailable, "The bridge does not answer.");
  return {};
}

void Faulty::stop() {
  if (options_.mode == Mode::throws_in_stop) throw std::runtime_error("it cannot be stopped");
  while (options_.mode == Mode::blocks_for_good) std::this_thread::sleep_for(1h);
}

base::Result<void> Faulty::add_entities() {
  domains::EntityTable& entities = home_.domains.entities();
  const auto sensor = entities.add(std::make_unique<domains::Thing>(domains::kSensor, info("counter")));
  if (!sensor) return std::unexpected(sensor.error());
  sensor_ = *sensor;
  const auto relay = entities.add(
      std::make_unique<domains::Thing>(domains::kSwitch, info("switch"), domains::Abilities(), device_.get()));
  if (!relay) return std::unexpected(relay.error());
  (device_->relay = *relay)->report({.value = false});
  const auto thermostat = entities.add(std::make_unique<domains::Climate>(
      info("thermostat"), domains::ClimateCapabilities{.presets = {"none"}}, *device_));
  if (!thermostat) return std::unexpected(thermostat.error());
  device_->thermostat = *thermostat;
  device_->thermostat->report({.mode = domains::HvacMode::heat, .temperature = 20, .preset = "none"});
  return {};
}

void Faulty::tick() {
  timer_ = home_.bus.schedule(kTick, [this] { tick(); });
  ++ticks_;
  if (sensor_) sensor_->report({.value = json::value(std::to_string(ticks_))});
  misbehave();
}

void Faulty::misbehave() {
  domains::Climate& thermostat = *device_->thermostat;
  domains::ClimateState state{.mode = domains::HvacMode::heat, .temperature = 20, .preset = "none"};
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN(), kEndless = std::numeric_limits<double>::infinity();
  switch (options_.mode) {
    case Mode::throws_in_timers:
      throw std::runtime_error("the time is wrong");
    case Mode::throws_in_tasks:
      return home_.bus.post([] { throw std::runtime_error("the task is too hard"); });
    case Mode::blocks:
      if (ticks_ % 10 == 0) std::this_thread::sleep_for(500ms);
      return;
    case Mode::reports_nan:
      state.current_temperature = kNone;
      state.temperature = ticks_ % 2 == 0 ? kEndless : -kEndless;
      state.current_humidity = static_cast<double>(ticks_);
      sensor_->report({.value = ticks_ % 2 == 0 ? kNone : kEndless});
      return thermostat.report(state);
    case Mode::reports_bad_text:
      state.preset = "caf\xE9";
      sensor_->report({.value = "\xFF\xFE"});
      return thermostat.report(state);
    case Mode::reports_much:
      state.preset.assign(1 << 20, 'x');
      sensor_->report({.value = json::value(std::string(1'000, 'x'))});
      return thermostat.report(state);
    case Mode::floods:
      return flood();
    case Mode::disappears:
      return come_and_go();
    default:
      return;
  }
}

void Faulty::flood() {
  constexpr int kAtOnce = 500;
  for (int i = 0; i < kAtOnce; ++i) sensor_->report({.value = json::value(std::to_string(ticks_ * kAtOnce + i))});
}

void Faulty::come_and_go() {
  domains::EntityTable& entities = home_.domains.entities();
  if (sensor_) {
    const std::string id(sensor_->entity_id());
    entities.remove(id);
    sensor_ = nullptr;
    return;
  }
  const auto again = entities.add(std::make_unique<domains::Thing>(domains::kSensor, info("counter")));
  if (again) sensor_ = *again;
}

}  // namespace hearth::integrations::faulty
