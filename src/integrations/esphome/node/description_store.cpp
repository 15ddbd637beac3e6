// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/node/description_store.h"

#include "base/json/json_fields.h"
#include "base/log/log.h"
#include "core/registry/discovery_items.h"

namespace hearth::integrations::esphome {
namespace {

const std::string kItem = "node";
constexpr std::string_view kDescriptionField = "description";

}  // namespace

DescriptionStore::DescriptionStore(core::Hub& hub, const std::string& entry_id)
    : hub_(hub), collection_(std::string(core::kDiscovery) + "esphome." + entry_id) {}

std::optional<json::object> DescriptionStore::load() const {
  const auto registry = hub_.registry.snapshot();
  const core::Item* const item = registry->find_item(collection_, kItem);
  if (!item) return {};
  auto kept = base::parse_json(base::text_view_at(item->fields, kDescriptionField));
  if (!kept || !kept->is_object()) return {};
  return std::move(kept->as_object());
}

void DescriptionStore::save(const json::object& description) {
  const std::string text = base::to_json(json::value(description));
  const auto registry = hub_.registry.snapshot();
  const core::Item* const item = registry->find_item(collection_, kItem);
  if (item && base::text_view_at(item->fields, kDescriptionField) == text) return;
  json::object fields{{kDescriptionField, text}};
  const auto context = core::Context::create(hub_.clock.now());
  const auto done =
      item ? hub_.registry.update_item(collection_, kItem, std::move(fields), {}, context, core::IfFull::wait)
           : hub_.registry.create_item(collection_, kItem, std::move(fields), context, core::IfFull::wait);
  if (!done) base::log_warning("esphome", "a node's description is not kept: {}", done.error().message);
}

void DescriptionStore::remove() {
  const std::string ids[] = {kItem};
  static_cast<void>(
      hub_.registry.delete_items(collection_, ids, core::Context::create(hub_.clock.now()), core::IfFull::wait));
}

}  // namespace hearth::integrations::esphome
