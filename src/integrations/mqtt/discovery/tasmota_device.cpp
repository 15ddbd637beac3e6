// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/discovery/tasmota_device.h"

#include <fmt/format.h>

namespace hearth::integrations::mqtt {
namespace {

std::string text_in(const json::object& object, std::string_view key, std::string_view otherwise = {}) {
  const json::value* const value = object.if_contains(key);
  return value && value->is_string() ? std::string(value->get_string()) : std::string(otherwise);
}

void replace(std::string& text, std::string_view what, std::string_view by) {
  if (const auto found = text.find(what); found != std::string::npos) text.replace(found, what.size(), by);
}

// aa:bb:cc:dd:ee:ff
std::string with_colons(std::string_view mac) {
  std::string text;
  for (std::size_t i = 0; i < mac.size(); ++i) {
    if (i > 0 && i % 2 == 0) text += ':';
    text += mac[i] >= 'A' && mac[i] <= 'F' ? static_cast<char>(mac[i] + 32) : mac[i];
  }
  return text;
}

const json::array* list_in(const json::object& object, std::string_view key) {
  const json::value* const value = object.if_contains(key);
  return value && value->is_array() ? &value->get_array() : nullptr;
}

}  // namespace

base::Result<TasmotaDevice> TasmotaDevice::parse(std::string_view mac, std::string_view payload) {
  auto parsed = base::parse_json(payload);
  if (!parsed) return base::fail(base::ErrorCode::invalid, fmt::format("not JSON: {}", parsed.error().message));
  if (!parsed->is_object()) return base::fail(base::ErrorCode::invalid, "expected a JSON object");
  TasmotaDevice device;
  device.config_ = std::move(parsed->get_object());
  device.mac_ = mac;
  device.topic_ = text_in(device.config_, "t");
  device.full_topic_ = text_in(device.config_, "ft", "%prefix%/%topic%/");
  if (device.topic_.empty()) return base::fail(base::ErrorCode::invalid, "t: expected the device's topic");
  if (device.full_topic_.find("%prefix%") == std::string::npos)
    return base::fail(base::ErrorCode::invalid, "ft: expected a topic with %prefix%");
  const json::array* const prefixes = list_in(device.config_, "tp");
  for (std::size_t i = 0; i < 3; ++i) {
    constexpr std::string_view kDefaults[] = {"cmnd", "stat", "tele"};
    const bool given = prefixes && i < prefixes->size() && prefixes->at(i).is_string();
    device.prefixes_.emplace_back(given ? std::string_view(prefixes->at(i).get_string()) : kDefaults[i]);
  }
  device.name_ = text_in(device.config_, "dn", device.topic_);
  core::Device& described = device.device_.device;
  described.identifiers.emplace("mqtt", mac);
  described.connections.emplace("mac", with_colons(mac));
  described.name = device.name_;
  described.manufacturer = "Tasmota";
  if (const std::string model = text_in(device.config_, "md"); !model.empty()) described.model = model;
  if (const std::string version = text_in(device.config_, "sw"); !version.empty()) described.sw_version = version;
  if (const std::string address = text_in(device.config_, "ip"); !address.empty())
    described.configuration_url = "http://" + address;
  return device;
}

std::string TasmotaDevice::full(std::size_t prefix) const {
  std::string topic = full_topic_;
  replace(topic, "%prefix%", prefixes_[prefix]);
  replace(topic, "%topic%", topic_);
  replace(topic, "%hostname%", text_in(config_, "hn"));
  replace(topic, "%id%", mac_.substr(mac_.size() - 6));
  if (!topic.ends_with('/')) topic += '/';
  return topic;
}

int TasmotaDevice::number(std::string_view list, std::size_t index) const {
  const json::array* const numbers = list_in(config_, list);
  if (!numbers || index >= numbers->size() || !numbers->at(index).is_int64()) return 0;
  return static_cast<int>(numbers->at(index).get_int64());
}

std::size_t TasmotaDevice::size(std::string_view list) const {
  constexpr std::size_t kMax = 64;  // more than any device has
  const json::array* const found = list_in(config_, list);
  return found ? std::min(found->size(), kMax) : 0;
}

int TasmotaDevice::option(std::string_view number) const {
  const json::value* const options = config_.if_contains("so");
  const json::value* const value =
      options && options->is_object() ? options->get_object().if_contains(number) : nullptr;
  return value && value->is_int64() ? static_cast<int>(value->get_int64()) : 0;
}

std::string TasmotaDevice::text(std::string_view list, std::size_t index) const {
  const json::array* const texts = list_in(config_, list);
  return texts && index < texts->size() && texts->at(index).is_string() ? std::string(texts->at(index).get_string())
                                                                        : std::string();
}

Description TasmotaDevice::describe(std::string_view component, std::string_view id, json::object keys) const {
  keys["unique_id"] = fmt::format("{}_{}_{}", mac_, component, id);
  const json::value* const sleeps = config_.if_contains("dslp");
  // A device that sleeps is not there most of the time.
  if (!sleeps || *sleeps != json::value(1)) {
    keys["availability_topic"] = tele("LWT");
    keys["payload_available"] = text_in(config_, "onln", "Online");
    keys["payload_not_available"] = text_in(config_, "ofln", "Offline");
  }
  Description description{.component = std::string(component),
                          .id = fmt::format("{} {}", mac_, id),
                          .part = fmt::format("{} {}", component, id),
                          .keys = std::move(keys)};
  description.device = device_;
  return description;
}

}  // namespace hearth::integrations::mqtt
