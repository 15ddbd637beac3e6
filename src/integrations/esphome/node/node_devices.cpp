// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/node/node_devices.h"

#include <fmt/format.h>

#include <algorithm>

namespace hearth::integrations::esphome {
namespace {

constexpr std::size_t kMaxAreas = 1'000;  // of the home, that nodes may add to

core::OptionalText optional(std::string text) {
  return text.empty() ? core::OptionalText() : core::OptionalText(std::move(text));
}

// "maker.product" is the name of a project.
std::pair<std::string, std::string> project_of(const proto::NodeInfo& info) {
  const std::string project = clean_text(info.project_name());
  const auto dot = project.find('.');
  if (dot == std::string::npos) return {};
  return {project.substr(0, dot), project.substr(dot + 1)};
}

core::Device device_of(const std::string& mac, const proto::NodeInfo& info) {
  const auto [maker, product] = project_of(info);
  core::Device device{.id = "esphome." + mac, .integration = "esphome"};
  device.name = clean_text(info.friendly_name().empty() ? info.name() : info.friendly_name());
  device.manufacturer = optional(maker.empty() ? clean_text(info.manufacturer()) : maker);
  device.model = optional(product.empty() ? clean_text(info.model()) : product);
  if (const std::string version = clean_text(info.esphome_version()); !version.empty())
    device.sw_version = fmt::format("{} (ESPHome)", version);
  device.identifiers = {{"esphome", mac}};
  device.connections = {{"mac", mac}};
  return device;
}

std::string area_of(const proto::NodeInfo& info, std::uint32_t area_id) {
  for (const proto::Area& area : info.areas()) {
    if (area_id != 0 && area.area_id() == area_id) return clean_text(area.name());
  }
  return {};
}

}  // namespace

void NodeDevices::put(const std::string& mac, const proto::NodeInfo& info) {
  devices_.clear();
  core::Device node = device_of(mac, info);
  if (info.webserver_port() > 0 && info.webserver_port() <= 0xFFFF) {
    const bool is_v6 = host_.contains(':');
    node.configuration_url =
        fmt::format("http://{}{}{}:{}", is_v6 ? "[" : "", host_, is_v6 ? "]" : "", info.webserver_port());
  }
  const std::string area = clean_text(info.suggested_area().empty() ? info.area().name() : info.suggested_area());
  const std::string node_id = node.id, model = node.model.value_or("");
  const core::OptionalText manufacturer = node.manufacturer, version = node.sw_version;
  put_device(std::move(node), 0, area);
  for (const proto::SubDevice& each : info.devices()) {
    if (devices_.size() > kMaxSubDevices || each.device_id() == 0) continue;
    core::Device device{.id = fmt::format("{}_{}", node_id, each.device_id()), .integration = "esphome"};
    device.name = clean_text(each.name());
    device.manufacturer = manufacturer;
    device.model = optional(model);
    device.sw_version = version;
    device.identifiers = {{"esphome", fmt::format("{}_{}", mac, each.device_id())}};
    device.via_device_id = node_id;
    put_device(std::move(device), each.device_id(), area_of(info, each.area_id()));
  }
}

void NodeDevices::put_device(core::Device device, std::uint32_t device_id, std::string_view area) {
  device.entry_id = entry_id_;
  const auto registry = hub_.registry.snapshot();
  const std::string name = device.name.value_or("");
  if (const core::Device* const known = registry->devices.find(device.id)) {
    device.name_by_user = known->name_by_user;
    device.area_id = known->area_id;
    device.labels = known->labels;
    device.disabled_by = known->disabled_by;
    device.created_at = known->created_at;
    device.modified_at = known->modified_at;
    if (*known != device) device = hub_.registry.put_device(std::move(device));
  } else {
    if (!area.empty() && registry->areas.size() < kMaxAreas)
      device.area_id = hub_.registry.ensure_area(std::string(area)).id;
    device = hub_.registry.put_device(std::move(device));
  }
  devices_[device_id] = {device.id, name};
}

std::optional<std::string> NodeDevices::id_of(std::uint32_t device_id) const {
  const auto found = devices_.find(device_id);
  return found == devices_.end() ? std::nullopt : std::optional(found->second.first);
}

std::string NodeDevices::name_of(std::uint32_t device_id) const {
  const auto found = devices_.find(device_id);
  return found == devices_.end() ? std::string() : found->second.second;
}

}  // namespace hearth::integrations::esphome
