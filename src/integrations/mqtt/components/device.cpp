// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/components/device.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/values/field.h"
#include "integrations/mqtt/components/abbreviations.h"

namespace hearth::integrations::mqtt {
namespace {

constexpr std::string_view kPrefix = "device.";  // of dropped keys
constexpr std::size_t kMaxText = 255;            // bytes of an identifier, as the registry's names
constexpr std::size_t kMaxIdentifiers = 100;

struct TextKey {
  std::string_view name;
  core::OptionalText core::Device::* field;
};
constexpr TextKey kTexts[] = {
    {"name", &core::Device::name},
    {"manufacturer", &core::Device::manufacturer},
    {"model", &core::Device::model},
    {"model_id", &core::Device::model_id},
    {"sw_version", &core::Device::sw_version},
    {"hw_version", &core::Device::hw_version},
    {"serial_number", &core::Device::serial_number},
    {"configuration_url", &core::Device::configuration_url},
};

void drop(std::vector<DroppedKey>& dropped, std::string_view key, std::string_view expected, const json::value& value) {
  dropped.push_back({std::string(kPrefix) + std::string(key), core::field::mismatch(expected, value)});
}

bool is_link(std::string_view text) {
  return text.starts_with("http://") || text.starts_with("https://") || text.starts_with("homeassistant://");
}

std::optional<std::string> short_text(const json::value& value) {
  auto text = scalar_text(value);
  if (text && (text->empty() || text->size() > kMaxText)) return {};
  return text;
}

void take_identifiers(core::Device& device, const json::value& value, std::vector<DroppedKey>& dropped) {
  const json::array one{value};
  const json::array& list = value.is_array() ? value.get_array() : one;
  for (const json::value& each : list) {
    auto text = short_text(each);
    if (text && device.identifiers.size() < kMaxIdentifiers)
      device.identifiers.emplace("mqtt", std::move(*text));
    else
      drop(dropped, "identifiers", "texts of at most 255 bytes", each);
  }
}

void take_connections(core::Device& device, const json::value& value, std::vector<DroppedKey>& dropped) {
  if (!value.is_array()) return drop(dropped, "connections", "a list of pairs", value);
  for (const json::value& each : value.get_array()) {
    const json::array* const pair = each.if_array();
    auto type = pair && pair->size() == 2 ? short_text(pair->at(0)) : std::nullopt;
    auto id = pair && pair->size() == 2 ? short_text(pair->at(1)) : std::nullopt;
    if (type && id && device.connections.size() < kMaxIdentifiers)
      device.connections.emplace(std::move(*type), std::move(*id));
    else
      drop(dropped, "connections", "a list of pairs", each);
  }
}

}  // namespace

std::optional<std::string> scalar_text(const json::value& value) {
  if (value.is_string()) return std::string(value.get_string());
  if (value.is_number()) return base::to_json(value);
  return {};
}

std::optional<DeviceDescription> parse_device(const json::value& block, std::vector<DroppedKey>& dropped) {
  if (!block.is_object()) {
    dropped.push_back({"device", core::field::mismatch("an object", block)});
    return {};
  }
  DeviceDescription description;
  for (const auto& [name, value] : block.get_object()) {
    const std::string_view key = name;
    if (value.is_null()) continue;
    const auto* const text = std::ranges::find(kTexts, key, &TextKey::name);
    if (text != std::end(kTexts)) {
      auto taken = short_text(value);
      if (taken && (key != "configuration_url" || is_link(*taken)))
        description.device.*text->field = std::move(*taken);
      else if (!(value.is_string() && value.get_string().empty()))
        drop(dropped, key, key == "configuration_url" ? "a link" : "a text of at most 255 bytes", value);
    } else if (key == "identifiers") {
      take_identifiers(description.device, value, dropped);
    } else if (key == "connections") {
      take_connections(description.device, value, dropped);
    } else if (key == "via_device" || key == "suggested_area") {
      auto taken = short_text(value);
      if (!taken)
        drop(dropped, key, "a text of at most 255 bytes", value);
      else
        (key == "via_device" ? description.via_device : description.suggested_area) = std::move(*taken);
    }
  }
  if (!description.device.identifiers.empty() || !description.device.connections.empty()) return description;
  dropped.push_back({"device", "expected identifiers or connections, got neither"});
  return {};
}

}  // namespace hearth::integrations::mqtt
