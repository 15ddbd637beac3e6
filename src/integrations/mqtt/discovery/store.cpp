// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/discovery/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/registry/discovery_items.h"

namespace hearth::integrations::mqtt {
namespace {

// A change costs as much as its collection has items, so there are many small ones.
constexpr std::uint32_t kShards = 256;

std::string collection_of_topic(std::string_view topic) {
  std::uint32_t hash = 2'166'136'261;  // FNV-1a: the same at every start
  for (const char c : topic) hash = (hash ^ static_cast<unsigned char>(c)) * 16'777'619;
  return fmt::format("{}mqtt.{:02x}", core::kDiscovery, (hash >> 8) % kShards);
}

std::optional<StoredMessage> read(const core::Item& item) {
  const json::value* const payload = item.fields.if_contains("payload");
  const json::value* const retained = item.fields.if_contains("retained");
  if (!payload || !payload->is_string()) return {};
  return StoredMessage{item.id, std::string(payload->get_string()), retained && *retained == json::value(true)};
}

}  // namespace

base::Result<void> DiscoveryStore::put(const StoredMessage& message) {
  const std::string collection = collection_of_topic(message.topic);
  json::object fields{{"payload", message.payload}};
  if (message.retained) fields["retained"] = true;
  const auto context = core::Context::create(hub_.clock.now());
  const bool known = hub_.registry.snapshot()->find_item(collection, message.topic);
  auto done =
      known ? hub_.registry.update_item(collection, message.topic, std::move(fields), {}, context, core::IfFull::wait)
            : hub_.registry.create_item(collection, message.topic, std::move(fields), context, core::IfFull::wait);
  if (!done) return std::unexpected(done.error());
  return {};
}

void DiscoveryStore::remove(const std::string& topic) {
  const std::string ids[] = {topic};
  static_cast<void>(hub_.registry.delete_items(collection_of_topic(topic), ids, core::Context::create(hub_.clock.now()),
                                               core::IfFull::wait));
}

std::optional<StoredMessage> DiscoveryStore::find(std::string_view topic) const {
  const auto registry = hub_.registry.snapshot();
  const core::Item* const item = registry->find_item(collection_of_topic(topic), topic);
  return item ? read(*item) : std::nullopt;
}

std::vector<StoredMessage> DiscoveryStore::all() const {
  const auto registry = hub_.registry.snapshot();
  std::vector<const core::Item*> items;
  const std::string prefix = fmt::format("{}mqtt.", core::kDiscovery);
  for (auto next = registry->items.lower_bound(core::RegistryData::item_key(prefix, "")); next != registry->items.end();
       ++next) {
    if (!next->second.collection.starts_with(prefix)) break;
    items.push_back(&next->second);
  }
  std::ranges::sort(items, {},
                    [](const core::Item* item) { return std::pair(item->created_at, std::string_view(item->id)); });
  std::vector<StoredMessage> messages;
  for (const core::Item* const item : items) {
    if (auto message = read(*item)) messages.push_back(std::move(*message));
  }
  return messages;
}

}  // namespace hearth::integrations::mqtt
