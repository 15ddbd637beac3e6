// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/mirror/mirrored_devices.h"

#include <fmt/format.h>

#include <algorithm>

#include "integrations/home_assistant/mirror/selection.h"
#include "integrations/home_assistant/mirror/texts.h"

namespace hearth::integrations::home_assistant {
namespace {

constexpr std::size_t kMostMarks = 32;  // of one device
constexpr int kMostBehind = 8;          // devices, each behind the next

bool is_registry_id(std::string_view id) {
  return id.size() == 32 && id.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::set<std::pair<std::string, std::string>> marks_of(const std::vector<std::pair<std::string, std::string>>& given) {
  std::set<std::pair<std::string, std::string>> marks;
  for (const auto& [first, second] : given) {
    if (marks.size() < kMostMarks) marks.emplace(fit(first), fit(second));
  }
  return marks;
}

core::Device described(const OtherDevice& there, const Options& options) {
  core::Device device;
  device.name = fitting(there.name);
  if (device.name && !options.name_prefix.empty()) device.name = fit(options.name_prefix + *device.name);
  device.manufacturer = fitting(there.manufacturer);
  device.model = fitting(there.model);
  device.model_id = fitting(there.model_id);
  device.sw_version = fitting(there.sw_version);
  device.hw_version = fitting(there.hw_version);
  device.serial_number = fitting(there.serial_number);
  device.configuration_url = fitting(there.configuration_url);
  device.entry_type = fitting(there.entry_type);
  device.identifiers = marks_of(there.identifiers);
  device.connections = marks_of(there.connections);
  const std::string& maker = device.identifiers.empty() ? std::string() : device.identifiers.begin()->first;
  device.integration = core::is_slug(maker) ? maker : std::string(kIntegration);
  return device;
}

}  // namespace

void MirroredDevices::take(std::vector<OtherDevice> devices) {
  devices_ = std::move(devices);
  std::ranges::sort(devices_, {}, &OtherDevice::id);
  ++listing_;
  identifiers_.clear();
  connections_.clear();
  const auto data = home_.hub.registry.snapshot();
  for (const auto& [id, device] : data->devices) {
    if (device.integration == core::kFleetIntegration) continue;
    for (const Mark& mark : device.identifiers) identifiers_[mark] = id;
    for (const Mark& mark : device.connections) connections_[mark] = id;
  }
  marks_there_.clear();
  for (const OtherDevice& device : devices_) {
    for (const Mark& mark : marks_of(device.connections)) marks_there_[mark] = device.id;
  }
  for (const OtherDevice& device : devices_) {
    for (const Mark& mark : marks_of(device.identifiers)) marks_there_[mark] = device.id;
  }
}

void MirroredDevices::taken() {
  devices_ = {};
  identifiers_.clear();
  connections_.clear();
}

const OtherDevice* MirroredDevices::find(std::string_view id_there) const {
  const auto found = std::ranges::lower_bound(devices_, id_there, {}, &OtherDevice::id);
  return found == devices_.end() || found->id != id_there ? nullptr : &*found;
}

const core::Device* MirroredDevices::find_here(const core::Device& device, const core::RegistryData& data) const {
  for (const auto& [marks, index] :
       {std::pair(&device.identifiers, &identifiers_), std::pair(&device.connections, &connections_)}) {
    for (const Mark& mark : *marks) {
      const auto found = index->find(mark);
      if (found == index->end()) continue;
      if (const core::Device* const known = data.devices.find(found->second)) return known;
    }
  }
  return nullptr;
}

bool MirroredDevices::is_own(const core::Device& device, const core::RegistryData& data) const {
  const auto* const entities = data.entities_of_device.find(device.id);
  return entities && std::ranges::any_of(*entities, [](const auto& each) {
           return each.second.provided && core::provider_of(each.second).empty();
         });
}

std::string MirroredDevices::free_id(const std::string& id_there, const core::RegistryData& data) const {
  if (is_registry_id(id_there) && !data.devices.contains(id_there)) return id_there;
  const std::string wanted = fmt::format("{}.{}.{}", kIntegration, options_.name, fit(id_there));
  std::string id = wanted;
  for (int number = 2; data.devices.contains(id); ++number) id = fmt::format("{}_{}", wanted, number);
  return id;
}

OptionalText MirroredDevices::here(const OptionalText& id_there) {
  if (!id_there) return {};
  const auto known = put_.find(*id_there);
  const OtherDevice* const there = find(*id_there);
  if (!there || (known != put_.end() && known->second == listing_)) {
    const std::string_view id = table_.device_here(*id_there);
    return id.empty() ? OptionalText() : OptionalText(id);
  }
  return put(*there);
}

OptionalText MirroredDevices::put(const OtherDevice& there) {
  put_[there.id] = listing_;  // before the one that it is behind, so that a ring of them ends
  core::Device device = described(there, options_);
  ++behind_;
  const OptionalText via = behind_ <= kMostBehind ? here(there.via_device_id) : OptionalText();
  --behind_;
  const auto data = home_.hub.registry.snapshot();
  const core::Device* known = data->devices.find(table_.device_here(there.id));
  if (!known) known = find_here(device, *data);
  if (known && is_own(*known, *data)) {
    table_.place_device(there.id, known->id);
    return known->id;
  }
  Chosen chosen{fitting(there.name_by_user), there.area_id, there.labels};
  if (known && known->entry_id == home_.connection->entry_id && options_.registry == Options::Registry::once) {
    device = *known;
  } else if (known) {
    device.id = known->id;
    device.identifiers.insert(known->identifiers.begin(), known->identifiers.end());
    device.connections.insert(known->connections.begin(), known->connections.end());
    if (device.integration == kIntegration) device.integration = known->integration;
  } else {
    device.id = free_id(there.id, *data);
    device.name_by_user = chosen.name_by_user;
    device.area_id = places_.area(chosen.area_id);
    device.labels = places_.labels(chosen.labels);
    if (there.disabled_by) device.disabled_by = core::ChangedBy::integration;
  }
  device.entry_id = home_.connection->entry_id;
  device.via_device_id = via;
  const core::Device put = home_.hub.registry.put_device(std::move(device));
  if (put.disabled_by == core::ChangedBy::integration && !there.disabled_by) {
    core::DeviceEdit edit;
    edit.disabled_by.emplace();
    static_cast<void>(
        home_.hub.registry.update_device(put.id, std::move(edit), core::Context::create(home_.hub.clock.now())));
  }
  table_.place_device(there.id, put.id);
  for (const Mark& mark : put.identifiers) identifiers_[mark] = put.id;
  for (const Mark& mark : put.connections) connections_[mark] = put.id;
  chosen_.insert_or_assign(put.id, std::move(chosen));
  return put.id;
}

std::string_view MirroredDevices::like(const core::Device& device) const {
  for (const auto* const marks : {&device.identifiers, &device.connections}) {
    for (const Mark& mark : *marks) {
      if (const auto found = marks_there_.find(mark); found != marks_there_.end()) return found->second;
    }
  }
  return {};
}

void MirroredDevices::forget_missing() {
  const auto data = home_.hub.registry.snapshot();
  core::Texts gone;
  for (const auto& [id, device] : data->devices) {
    if (device.entry_id != home_.connection->entry_id || data->entities_of_device.contains(id)) continue;
    const std::string_view there = table_.device_there(id);
    if (!there.empty() && find(there)) continue;
    gone.insert(id);
  }
  for (const std::string& id : gone) {
    chosen_.erase(id);
    table_.displace_device(std::string(table_.device_there(id)));
  }
  if (!gone.empty()) home_.hub.registry.forget_devices(gone);
}

std::vector<Difference> MirroredDevices::differences(std::string_view id_here) const {
  std::vector<Difference> all;
  const auto data = home_.hub.registry.snapshot();
  const auto found = chosen_.find(id_here);
  const core::Device* const device = data->devices.find(id_here);
  if (!device || found == chosen_.end()) return all;
  const auto note = [&](std::string_view field, const OptionalText& here, const OptionalText& there) {
    if (there && !(here == there))
      all.push_back({device->id, std::string(field), here ? json::value(*here) : json::value(), json::value(*there)});
  };
  note("name", device->name_by_user, found->second.name_by_user);
  note("area_id", device->area_id, places_.known_area(found->second.area_id));
  return all;
}

core::DeviceEdit MirroredDevices::chosen(std::string_view id_here) {
  core::DeviceEdit edit;
  const auto found = chosen_.find(id_here);
  if (found == chosen_.end()) return edit;
  if (found->second.name_by_user) edit.name_by_user = found->second.name_by_user;
  if (OptionalText area = places_.area(found->second.area_id)) edit.area_id = std::move(area);
  return edit;
}

}  // namespace hearth::integrations::home_assistant
