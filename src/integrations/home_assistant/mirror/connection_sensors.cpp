// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/mirror/connection_sensors.h"

#include <fmt/format.h>

#include "base/log/log.h"
#include "domains/entities/kinds.h"
#include "integrations/home_assistant/mirror/selection.h"

namespace hearth::integrations::home_assistant {
namespace {

constexpr std::string_view kConnection = "connection", kLatency = "latency";

std::string unique_id_of(const Options& options, std::string_view part) {
  return fmt::format("{}/{}", options.name, part);
}

}  // namespace

bool is_connection_sensor(const core::RegisteredEntity& entry, const Options& options) {
  return entry.integration == kIntegration &&
         (entry.unique_id == unique_id_of(options, kConnection) || entry.unique_id == unique_id_of(options, kLatency));
}

domains::Thing* ConnectionSensors::put(const domains::Kind& kind, std::string_view part, std::string_view name,
                                       std::string_view device_class, domains::Abilities can) {
  domains::EntityInfo info{.integration = std::string(kIntegration),
                           .unique_id = unique_id_of(options_, part),
                           .object_id = core::slugify(fmt::format("{} {}", options_.name, part)),
                           .name = fmt::format("{} {}", options_.name, name)};
  info.device_class = device_class;
  info.entity_category = "diagnostic";
  info.entry_id = home_.connection->entry_id;
  auto added = home_.domains.entities().add(std::make_unique<domains::Thing>(kind, std::move(info), std::move(can)));
  if (added) return *added;
  base::log_warning("home_assistant", "{}: {}", options_.name, added.error().message);
  return nullptr;
}

void ConnectionSensors::add() {
  connection_ = put(domains::kBinarySensor, kConnection, "Connection", "connectivity", {});
  domains::Abilities can;
  can.attributes = {{"state_class", "measurement"}, {"unit_of_measurement", "ms"}};
  latency_ = put(domains::kSensor, kLatency, "Latency", "duration", std::move(can));
  set_connected(false);
}

void ConnectionSensors::set_connected(bool connected) {
  if (connection_) connection_->report({.value = connected});
  if (latency_) latency_->set_available(connected);
}

void ConnectionSensors::set_latency(std::chrono::milliseconds time) {
  if (latency_) latency_->report({.value = time.count()});
}

}  // namespace hearth::integrations::home_assistant
