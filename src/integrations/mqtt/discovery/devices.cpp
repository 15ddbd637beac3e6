// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/discovery/devices.h"

#include <fmt/format.h>

#include <algorithm>

namespace hearth::integrations::mqtt {
namespace {

constexpr std::string_view kIntegration = "mqtt";
// Devices that are forgotten before others have their turn on the bus.
constexpr std::size_t kSweep = 500;

void merge(core::OptionalText& into, const core::OptionalText& from) {
  if (from) into = from;
}

}  // namespace

Devices::Devices(const domains::IntegrationHome& home) : hub_(home.hub), bus_(home.bus) {
  for (const auto& [id, device] : hub_.registry.snapshot()->devices) {
    if (device.integration != core::kFleetIntegration) remember(device);
  }
}

void Devices::remember(const core::Device& device) {
  for (const Mark& mark : device.identifiers) by_identifier_[mark] = device.id;
  for (const Mark& mark : device.connections) by_connection_[mark] = device.id;
}

const core::Device* Devices::find(const core::RegistryData& registry, const core::Device& device) const {
  for (const Mark& mark : device.identifiers) {
    const auto found = by_identifier_.find(mark);
    if (found != by_identifier_.end())
      if (const core::Device* const known = registry.devices.find(found->second)) return known;
  }
  for (const Mark& mark : device.connections) {
    const auto found = by_connection_.find(mark);
    if (found != by_connection_.end())
      if (const core::Device* const known = registry.devices.find(found->second)) return known;
  }
  return nullptr;
}

// A device that waits for another integration, with which somebody moved in, comes by MQTT now.
void Devices::take_over(const core::RegistryData& registry, core::Device& device) const {
  const auto* const entities = registry.entities_of_device.find(device.id);
  if (entities && std::ranges::any_of(*entities, [](const auto& entry) { return entry.second.provided; })) return;
  device.integration = kIntegration;
}

core::Device Devices::put(const DeviceDescription& description) {
  const auto registry = hub_.registry.snapshot();
  core::Device device = description.device;
  device.integration = kIntegration;
  if (const core::Device* const known = find(*registry, device)) {
    core::Device merged = *known;
    for (const auto field : {&core::Device::name, &core::Device::manufacturer, &core::Device::model,
                             &core::Device::model_id, &core::Device::sw_version, &core::Device::hw_version,
                             &core::Device::serial_number, &core::Device::configuration_url})
      merge(merged.*field, device.*field);
    merged.identifiers.insert(device.identifiers.begin(), device.identifiers.end());
    merged.connections.insert(device.connections.begin(), device.connections.end());
    device = std::move(merged);
    if (device.integration != kIntegration) take_over(*registry, device);
  } else if (empty_since_.size() >= kMaxEmpty) {
    return {};
  } else {
    const std::string& mark =
        device.identifiers.empty() ? device.connections.begin()->second : device.identifiers.begin()->second;
    device.id = fmt::format("{}.{}", kIntegration, mark);
    for (int number = 2; registry->devices.contains(device.id); ++number)
      device.id = fmt::format("{}.{}_{}", kIntegration, mark, number);
    if (!description.suggested_area.empty() && registry->areas.size() < kMaxAreas)
      device.area_id = hub_.registry.ensure_area(description.suggested_area).id;
    device = hub_.registry.put_device(std::move(device));
  }
  if (!description.via_device.empty()) {
    const auto via = by_identifier_.find({std::string(kIntegration), description.via_device});
    if (via != by_identifier_.end() && via->second != device.id)
      device.via_device_id = via->second;
    else if (via == by_identifier_.end())
      wait_for(device.id, description.via_device);
  }
  if (const core::Device* const known = registry->devices.find(device.id); !known || *known != device)
    hub_.registry.put_device(device);
  remember(device);
  connect(device);
  if (!parts_.contains(device.id)) note_empty(device.id);
  return device;
}

void Devices::wait_for(const std::string& id, const std::string& identifier) {
  stop_waiting(id);
  waiting_[identifier].insert(id);
  waits_for_[id] = identifier;
}

void Devices::stop_waiting(const std::string& id) {
  const auto waits = waits_for_.extract(id);
  if (waits.empty()) return;
  const auto others = waiting_.find(waits.mapped());
  others->second.erase(id);
  if (others->second.empty()) waiting_.erase(others);
}

void Devices::connect(const core::Device& device) {
  for (const auto& [type, identifier] : device.identifiers) {
    const auto found = waiting_.find(identifier);
    if (found == waiting_.end()) continue;
    const auto registry = hub_.registry.snapshot();
    for (const std::string& id : found->second) {
      const core::Device* const known = id == device.id ? nullptr : registry->devices.find(id);
      if (!known) continue;
      core::Device connected = *known;
      connected.via_device_id = device.id;
      hub_.registry.put_device(std::move(connected));
    }
    for (const std::string& id : found->second) waits_for_.erase(id);
    waiting_.erase(found);
  }
}

void Devices::join(const std::string& id) {
  if (id.empty()) return;
  ++parts_[id];
  empty_since_.erase(id);
}

void Devices::leave(const std::string& id) {
  const auto parts = parts_.find(id);
  if (parts == parts_.end() || --parts->second > 0) return;
  parts_.erase(parts);
  note_empty(id);
}

void Devices::settle() {
  for (const auto& [id, device] : hub_.registry.snapshot()->devices) {
    if (device.integration == kIntegration && !parts_.contains(id)) note_empty(id);
  }
}

void Devices::note_empty(const std::string& id) {
  empty_since_[id] = hub_.clock.steady_now();
  if (!std::exchange(is_sweeping_, true)) sweeping_ = bus_.schedule(kEmptyTime, [this] { sweep(); });
}

void Devices::sweep() {
  const auto registry = hub_.registry.snapshot();
  const auto now = hub_.clock.steady_now();
  core::Texts gone;
  base::Duration next = kEmptyTime;
  for (auto each = empty_since_.begin(); each != empty_since_.end() && gone.size() < kSweep;) {
    const base::Duration left = each->second + kEmptyTime - now;
    if (left > base::Duration(0)) {
      next = std::min(next, left);
      ++each;
      continue;
    }
    // Another integration's entities may keep it.
    if (!registry->entities_of_device.contains(each->first)) gone.insert(each->first);
    each = empty_since_.erase(each);
  }
  if (!gone.empty()) forget(gone);
  is_sweeping_ = !empty_since_.empty();
  if (!is_sweeping_) return;
  if (gone.size() == kSweep) next = base::Duration(0);
  sweeping_ = bus_.schedule(next, [this] { sweep(); });
}

void Devices::forget(const core::Texts& ids) {
  const auto registry = hub_.registry.snapshot();
  for (const auto& [id, device] : registry->devices) {
    // They find it again if it comes back.
    if (!device.via_device_id || !ids.contains(*device.via_device_id) || ids.contains(id)) continue;
    const core::Device* const via = registry->devices.find(*device.via_device_id);
    if (via && !via->identifiers.empty()) wait_for(id, via->identifiers.begin()->second);
  }
  for (const std::string& id : ids) {
    stop_waiting(id);
    const core::Device* const device = registry->devices.find(id);
    if (!device) continue;
    const auto drop = [&](auto& marks, const Mark& mark) {
      const auto found = marks.find(mark);
      if (found != marks.end() && found->second == id) marks.erase(found);
    };
    for (const Mark& mark : device->identifiers) drop(by_identifier_, mark);
    for (const Mark& mark : device->connections) drop(by_connection_, mark);
  }
  hub_.registry.forget_devices(ids);
}

}  // namespace hearth::integrations::mqtt
