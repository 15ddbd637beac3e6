// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/components/last_values.h"

#include <fmt/format.h>

#include "base/log/log.h"
#include "core/registry/discovery_items.h"

namespace hearth::integrations::mqtt {
namespace {

constexpr char kItem[] = "values";

std::string last_values_collection(std::size_t shard) {
  return fmt::format("{}mqtt_last.{:02x}", core::kDiscovery, shard);
}

std::size_t shard_of(std::string_view key, std::size_t shards) {
  std::uint32_t hash = 2'166'136'261;  // FNV-1a: the same at every start
  for (const char c : key) hash = (hash ^ static_cast<unsigned char>(c)) * 16'777'619;
  return (hash >> 8) % shards;
}

}  // namespace

LastValues::LastValues(const domains::IntegrationHome& home) : hub_(home.hub), bus_(home.bus) {
  const auto registry = hub_.registry.snapshot();
  for (std::size_t shard = 0; shard < kShards; ++shard) {
    if (const core::Item* const item = registry->find_item(last_values_collection(shard), kItem))
      values_[shard] = item->fields;
  }
}

void LastValues::keep(std::string_view key, const core::State& before, const core::State& now) {
  if (before.value() == core::kUnknown || before.value() == core::kUnavailable) return forget(key);
  // The entity's abilities are told while it is unavailable, too.
  json::object differing;
  const json::object present = now.attributes();
  for (const auto& [name, value] : before.attributes()) {
    const json::value* const same = present.if_contains(name);
    if (!same || *same != value) differing[name] = value;
  }
  json::object kept{{"value", before.value()}, {"attributes", std::move(differing)}};
  if (base::to_json(kept).size() > kMaxBytes) kept.erase("attributes");
  const std::size_t shard = shard_of(key, kShards);
  json::value& place = values_[shard][key];
  if (place.is_object() && place.get_object() == kept) return;
  place = std::move(kept);
  note(shard);
}

core::StatePtr LastValues::find(std::string_view key, const core::State& now) const {
  const json::value* const kept = values_[shard_of(key, kShards)].if_contains(key);
  const json::object* const fields = kept ? kept->if_object() : nullptr;
  const json::value* const value = fields ? fields->if_contains("value") : nullptr;
  const auto id = core::EntityId::parse(now.entity_id());
  if (!value || !value->is_string() || !id) return nullptr;
  json::object attributes = now.attributes();
  const json::value* const differing = fields->if_contains("attributes");
  if (differing && differing->is_object()) {
    for (const auto& [name, each] : differing->get_object()) attributes[name] = each;
  }
  return core::State::create(*id, std::string_view(value->get_string()), base::to_json(attributes),
                             {now.last_changed(), now.last_updated()}, now.context());
}

void LastValues::forget(std::string_view key) {
  const std::size_t shard = shard_of(key, kShards);
  if (values_[shard].erase(key) > 0) note(shard);
}

void LastValues::note(std::size_t shard) {
  if (due_.empty()) timer_ = bus_.schedule(kDelay, [this] { write(kAtOnce); });
  due_.insert(shard);
}

void LastValues::stop() {
  timer_ = {};
  write(kShards);
}

void LastValues::write(std::size_t most) {
  const auto context = core::Context::create(hub_.clock.now());
  const auto registry = hub_.registry.snapshot();
  for (; most > 0 && !due_.empty(); --most) {
    const std::size_t shard = *due_.begin();
    due_.erase(due_.begin());
    const std::string collection = last_values_collection(shard);
    const std::string ids[] = {kItem};
    const bool known = registry->find_item(collection, kItem);
    base::Result<void> done;
    if (values_[shard].empty()) {
      if (known) done = hub_.registry.delete_items(collection, ids, context, core::IfFull::wait);
    } else {
      auto put = known ? hub_.registry.update_item(collection, kItem, values_[shard], {}, context, core::IfFull::wait)
                       : hub_.registry.create_item(collection, kItem, values_[shard], context, core::IfFull::wait);
      if (!put) done = std::unexpected(std::move(put.error()));
    }
    if (!done) base::log_warning("mqtt", "the last values of some entities are not kept: {}", done.error().message);
  }
  if (!due_.empty()) timer_ = bus_.schedule(base::Duration(0), [this] { write(kAtOnce); });
}

}  // namespace hearth::integrations::mqtt
