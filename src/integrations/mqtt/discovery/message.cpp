// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/discovery/message.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/utf8.h"
#include "integrations/mqtt/components/abbreviations.h"

namespace hearth::integrations::mqtt {
namespace {

using base::ErrorCode;

// Keys that the components of a device message take from the message, if they do not have them.
constexpr std::string_view kInherited[] = {
    "availability",  "availability_mode", "availability_template", "availability_topic",
    "command_topic", "encoding",          "payload_available",     "payload_not_available",
    "qos",           "state_topic",
};
constexpr std::string_view kAvailability[] = {"availability", "availability_topic"};

bool is_id(std::string_view text) {
  return !text.empty() && text.size() <= 255 && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

// About how many bytes it has as JSON, which takes longer to write.
std::size_t json_size(const json::value& value);

std::size_t json_size(const json::object& object) {
  std::size_t bytes = 2;
  for (const auto& [key, value] : object) bytes += key.size() + 4 + json_size(value);
  return bytes;
}

std::size_t json_size(const json::value& value) {
  constexpr std::size_t kOther = 8;  // a number, true, false, null
  if (value.is_string()) return value.get_string().size() + 2;
  if (value.is_object()) return json_size(value.get_object());
  if (!value.is_array()) return kOther;
  std::size_t bytes = 2;
  for (const json::value& each : value.get_array()) bytes += 1 + json_size(each);
  return bytes;
}

void fill_in(std::string_view base, json::value& value) {
  if (!value.is_string()) return;
  const std::string_view text = value.get_string();
  if (text.empty()) return;
  std::string filled(text);
  if (text.front() == '~')
    filled = std::string(base) + filled.substr(1);
  else if (text.back() == '~')
    filled = filled.substr(0, filled.size() - 1) + std::string(base);
  else
    return;
  value = filled;
}

// Replaces ~ at either end of topics.
void fill_in_topics(json::object& keys) {
  const json::value* const found = keys.if_contains("~");
  if (!found || !found->is_string()) return;
  const std::string base(found->get_string());
  for (auto& [name, value] : keys) {
    if (std::string_view(name).ends_with("topic")) fill_in(base, value);
  }
  json::value* const list = keys.if_contains("availability");
  if (!list || !list->is_array()) return;
  for (json::value& entry : list->get_array()) {
    json::value* const topic = entry.is_object() ? entry.get_object().if_contains("topic") : nullptr;
    if (topic) fill_in(base, *topic);
  }
}

// A single entry becomes a list of one; its entries get long names.
void expand_availability(json::object& keys) {
  json::value* const found = keys.if_contains("availability");
  if (!found) return;
  if (found->is_object()) *found = json::array{*found};
  if (!found->is_array()) return;
  for (json::value& entry : found->get_array()) {
    if (entry.is_object()) entry = with_long_keys(KeysOf::component, entry.get_object());
  }
}

json::object expanded(const json::object& object) {
  json::object keys = with_long_keys(KeysOf::component, object);
  expand_availability(keys);
  if (json::value* const device = keys.if_contains("device"); device && device->is_object())
    *device = with_long_keys(KeysOf::device, device->get_object());
  if (json::value* const origin = keys.if_contains("origin"); origin && origin->is_object())
    *origin = with_long_keys(KeysOf::origin, origin->get_object());
  return keys;
}

// `keys`: expanded.
Description described(const DiscoveryTopic& topic, json::object keys) {
  fill_in_topics(keys);
  Description description{.component = topic.component, .id = topic.id(), .part = {}, .keys = std::move(keys)};
  if (const json::value* const block = description.keys.if_contains("device"))
    description.device = parse_device(*block, description.dropped);
  description.keys.erase("device");
  description.keys.erase("origin");
  return description;
}

// The keys of one component of a device message, with those that it inherits.
json::object inherited(const json::object& own, const json::object& message) {
  json::object keys = own;
  const bool has_availability =
      std::ranges::any_of(kAvailability, [&](std::string_view key) { return own.contains(key); });
  for (const std::string_view key : kInherited) {
    const json::value* const value = message.if_contains(key);
    if (!value || keys.contains(key)) continue;
    if (has_availability && std::ranges::find(kAvailability, key) != std::end(kAvailability)) continue;
    keys[key] = *value;
  }
  if (const json::value* const base = message.if_contains("~")) keys.emplace("~", *base);
  return keys;
}

base::Result<void> check_origin(const json::object& message) {
  const json::value* const origin = message.if_contains("origin");
  const json::value* const name = origin && origin->is_object() ? origin->get_object().if_contains("name") : nullptr;
  if (name && name->is_string() && !name->get_string().empty()) return {};
  return base::fail(ErrorCode::invalid, "origin: expected an object with a name");
}

Description part_of_device(const DiscoveryTopic& topic, std::string_view name, const json::value& value,
                           const json::object& message, const DeviceDescription& device) {
  Description part{.component = {}, .id = topic.id() + ' ' + std::string(name), .part = std::string(name), .keys = {}};
  part.device = device;
  if (!value.is_object()) {
    part.refusal = fmt::format("components.{}: expected an object", base::utf8_excerpt(name));
    return part;
  }
  const json::object own = expanded(value.get_object());
  const json::value* const platform = own.if_contains("platform");
  if (!platform || !platform->is_string()) {
    part.refusal = fmt::format("components.{}.platform: expected the name of a component", base::utf8_excerpt(name));
    return part;
  }
  part.component = std::string(platform->get_string());
  part.removed = own.size() == 1;
  if (part.removed) return part;
  part.keys = inherited(own, message);
  part.keys.erase("device");
  part.keys.erase("origin");
  fill_in_topics(part.keys);
  const bool named = part.component == "device_automation" || part.component == "tag";
  if (!named && !part.keys.contains("unique_id"))
    part.refusal = fmt::format("components.{}.unique_id: expected a text", base::utf8_excerpt(name));
  return part;
}

base::Result<DiscoveryMessage> parse_device_message(const DiscoveryTopic& topic, const json::object& keys) {
  DiscoveryMessage message;
  if (auto good = check_origin(keys); !good) return std::unexpected(good.error());
  std::vector<DroppedKey> dropped;
  const json::value* const block = keys.if_contains("device");
  const auto device = block ? parse_device(*block, dropped) : std::nullopt;
  if (!device) {
    return base::fail(ErrorCode::invalid, dropped.empty() ? "device: expected an object"
                                                          : dropped.back().key + ": " + dropped.back().reason);
  }
  const json::value* const parts = keys.if_contains("components");
  if (!parts || !parts->is_object() || parts->get_object().empty())
    return base::fail(ErrorCode::invalid, "components: expected an object with at least one");
  if (parts->get_object().size() > kMaxComponents)
    return base::fail(ErrorCode::invalid, fmt::format("components: expected at most {}", kMaxComponents));
  std::size_t bytes = 0;
  for (const auto& [name, value] : parts->get_object()) {
    message.components.push_back(part_of_device(topic, name, value, keys, *device));
    bytes += message.components.back().bytes();
    if (bytes > kMaxInherited) {
      return base::fail(ErrorCode::invalid, fmt::format("components: expected at most {} KiB with what they inherit",
                                                        kMaxInherited / 1024));
    }
    message.components.back().dropped.insert(message.components.back().dropped.end(), dropped.begin(), dropped.end());
  }
  return message;
}

}  // namespace

std::optional<DiscoveryTopic> parse_discovery_topic(std::string_view prefix, std::string_view topic) {
  if (!topic.starts_with(prefix) || !topic.substr(prefix.size()).starts_with('/')) return {};
  topic.remove_prefix(prefix.size() + 1);
  if (!topic.ends_with("/config")) return {};
  topic.remove_suffix(7);
  std::vector<std::string> parts;
  while (true) {
    const auto slash = topic.find('/');
    const std::string_view part = topic.substr(0, slash);
    if (!is_id(part) || parts.size() == 3) return {};
    parts.emplace_back(part);
    if (slash == std::string_view::npos) break;
    topic.remove_prefix(slash + 1);
  }
  if (parts.size() == 2) return DiscoveryTopic{parts[0], {}, parts[1]};
  if (parts.size() == 3) return DiscoveryTopic{parts[0], parts[1], parts[2]};
  return {};
}

std::size_t Description::bytes() const {
  return component.size() + id.size() + json_size(keys);
}

Description describe_component(const DiscoveryTopic& topic, const json::object& object) {
  return described(topic, expanded(object));
}

base::Result<DiscoveryMessage> parse_discovery(const DiscoveryTopic& topic, std::string_view payload) {
  if (payload.size() > kMaxMessageBytes)
    return base::fail(ErrorCode::invalid, fmt::format("expected at most {} KiB", kMaxMessageBytes / 1024));
  const auto parsed = base::parse_json(payload);
  if (!parsed) return base::fail(ErrorCode::invalid, fmt::format("not JSON: {}", parsed.error().message));
  if (!parsed->is_object()) return base::fail(ErrorCode::invalid, "expected a JSON object");
  json::object keys = expanded(parsed->get_object());
  const json::value* const migrates = keys.if_contains("migrate_discovery");
  if (migrates && migrates->is_bool() && migrates->get_bool()) return DiscoveryMessage{.migrates = true};
  if (topic.of_device()) return parse_device_message(topic, keys);
  DiscoveryMessage message;
  message.components.push_back(described(topic, std::move(keys)));
  return message;
}

}  // namespace hearth::integrations::mqtt
