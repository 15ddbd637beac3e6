// SPDX-License-Identifier: Apache-2.0
#include "app/write_budget.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>
#include <string>

#include "base/log/log.h"
#include "base/text/timestamp.h"
#include "core/client_entity.h"
#include "domains/entities/kinds.h"

namespace hearth::app {
namespace {

constexpr std::string_view kSensor = "sensor.hearth_bytes_written_today";
constexpr std::string_view kIntegration = "recorder", kUniqueId = "bytes_written_today";
constexpr std::string_view kDay = "day";

domains::EntityInfo info() {
  return {.integration = std::string(kIntegration),
          .unique_id = std::string(kUniqueId),
          .object_id = std::string(kSensor.substr(kSensor.find('.') + 1)),
          .name = "Bytes written today",
          .device_class = "data_size",
          .icon = "mdi:harddisk",
          .entity_category = "diagnostic"};
}

json::value or_null(const std::string& text) {
  return text.empty() ? json::value() : json::value(text);
}

}  // namespace

// The file stays open: a process that others may not read cannot open it later (app/process_hardening.h).
std::optional<std::uint64_t> written_bytes() {
  static const int file = ::open("/proc/self/io", O_RDONLY | O_CLOEXEC);
  std::array<char, 1024> text;
  const ::ssize_t size = ::pread(file, text.data(), text.size(), 0);
  std::istringstream io(std::string(text.data(), static_cast<std::size_t>(std::max<::ssize_t>(size, 0))));
  for (std::string name; io >> name;) {
    std::uint64_t value = 0;
    if (!(io >> value)) break;
    if (name == "write_bytes:") return value;
  }
  return {};
}

std::int64_t WriteBudget::today() const {
  return std::chrono::floor<std::chrono::days>(hub_.clock.now()).time_since_epoch().count();
}

void WriteBudget::start() {
  if (!written_bytes()) return;  // a system without this counter
  day_ = today();
  const auto registry = hub_.registry.snapshot();
  const core::RegisteredEntity* const known = registry->find_entity(kIntegration, "sensor", kUniqueId);
  if (const auto last = hub_.states.find(known ? known->entity_id : kSensor)) {
    const json::object attributes = last->attributes();
    const json::value* const day = attributes.if_contains(kDay);
    const std::string_view text = last->value();
    if (day && *day == day_) std::from_chars(text.data(), text.data() + text.size(), before_);
  }
  if (!known) take_over(*registry);
  auto sensor = std::make_unique<domains::Thing>(
      domains::kSensor, info(),
      domains::Abilities{.attributes = {{"state_class", "total_increasing"}, {"unit_of_measurement", "B"}}});
  const auto added = entities_.add(std::move(sensor));
  if (!added) return base::log_error("recorder", "{} cannot be made: {}", kSensor, added.error().message);
  sensor_ = *added;
  report();
}

// An older version wrote the state as a client does: whoever edited the entity has made an entry of that kind.
void WriteBudget::take_over(const core::RegistryData& registry) {
  const core::RegisteredEntity* const former = registry.entities.find(kSensor);
  if (former && former->integration == core::kClientIntegration) hub_.registry.forget_entity(former->id);
}

void WriteBudget::stop() {
  timer_ = {};
  if (sensor_) report();
  timer_ = {};
}

void WriteBudget::report() {
  const std::uint64_t all = written_bytes().value_or(0);
  if (const auto day = today(); day != day_) {
    day_ = day;
    before_ = 0;
    counted_ = all;
  }
  const recorder::Recorder::Health health = recorder_.health();
  sensor_->set_extra_attributes({
      {kDay, day_},
      {"database_bytes", recorder_.database_bytes()},
      {"changes_waiting", health.waiting},
      {"changes_dropped", health.dropped},
      {"last_commit", health.last_commit ? json::value(base::to_string(*health.last_commit)) : json::value()},
      {"last_error", or_null(health.last_error)},
  });
  sensor_->report({.value = before_ + all - counted_});
  timer_ = hub_.bus.schedule(kInterval, [this] { report(); });
}

void WriteBudget::health_changed(const recorder::Recorder::Health& health) {
  const json::object data{{"recording", !health.failing},
                          {"last_error", or_null(health.last_error)},
                          {"backlog", health.waiting},
                          {"changes_dropped", health.dropped}};
  // Through the bus thread, which never waits for room in its own queue: the recorder may be the reason why there is
  // none.
  std::string text = base::to_json(data);
  const std::size_t weight = core::EventBus::kSmallTask + text.size();
  hub_.bus.post(weight, [this, text = std::move(text)] {
    hub_.bus.fire("recorder_health", text, core::Origin::local, core::Context::create(hub_.clock.now()));
    if (sensor_) report();
  });
}

}  // namespace hearth::app
