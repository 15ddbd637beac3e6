// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/manual/manual.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/log/log.h"
#include "base/text/utf8.h"
#include "core/registry/discovery_items.h"
#include "integrations/mqtt/components/component.h"

namespace hearth::integrations::mqtt {
namespace {

constexpr char kKnown[] = "known";

std::string known_collection() {
  return fmt::format("{}mqtt_manual", core::kDiscovery);
}

const json::object* remembered(const core::RegistryData& registry) {
  const core::Item* const item = registry.find_item(known_collection(), kKnown);
  return item ? &item->fields : nullptr;
}

std::string unique_id_of(const Description& description) {
  const json::value* const found = description.keys.if_contains("unique_id");
  const auto text = found ? scalar_text(*found) : std::nullopt;
  return text && !text->empty() ? *text : std::string();
}

}  // namespace

void Manual::apply(const ManualItems& items) {
  const std::set<std::string> former = all_faults();
  std::map<std::string, std::pair<const ManualItem*, ManualDescription>> described;
  std::vector<std::string> order;
  for (const ManualItem& item : items.items) {
    ManualDescription made = describe_item(item);
    const std::string own = own_id(item), unique = unique_id_of(made.description);
    std::string identity;
    for (int number = 1; identity.empty() || described.contains(identity); ++number) {
      made.description.id = number == 1 ? own : fmt::format("{} {}", own, number);
      identity = fmt::format("{} {}", item.component, unique.empty() ? made.description.id : unique);
      if (!unique.empty() && number > 1) identity += fmt::format(" #{}", number);
    }
    described.emplace(identity, std::pair(&item, std::move(made)));
    order.push_back(std::move(identity));
  }
  // First, so that another one may have their names.
  for (auto next = entries_.begin(); next != entries_.end();) {
    const auto entry = next++;
    if (described.contains(entry->first) || items.may_have(entry->first.substr(0, entry->first.find(' ')))) continue;
    parts_.end(entry->second);
    entries_.erase(entry);
  }
  for (const std::string& identity : order) {
    auto& [item, made] = described.at(identity);
    Entry& entry = entries_[identity];
    entry.place = std::move(made.place);
    const Component* const component = find_component(item->component, made.description.keys);
    const std::string unique = unique_id_of(made.description);
    entry.key = fmt::format("{} {}", component->kind->domain,
                            unique.empty() ? fmt::format("{} {}", item->component, made.description.id) : unique);
    entry.keys = made.description.keys;
    for (const std::string& key : made.secrets) entry.keys[key] = "(secret)";
    const auto is_refused = [](const auto& part) { return !part->refusal.empty(); };
    if (entry.text != made.text || entry.parts.empty() || std::ranges::any_of(entry.parts, is_refused)) {
      entry.text = std::move(made.text);
      parts_.apply(entry, std::move(made.description));
    }
    const Part& part = *entry.parts.front();
    entry.faults = faults_of(*item, part.dropped, part.refusal);
  }
  faults_ = items.faults;
  unread_ = items.unread;
  log_new(former);
}

std::set<std::string> Manual::all_faults() const {
  std::set<std::string> all;
  for (const auto& [identity, entry] : entries_) all.insert(entry.faults.begin(), entry.faults.end());
  for (const ManualFault& fault : faults_) all.insert(fault.text());
  return all;
}

void Manual::log_new(const std::set<std::string>& former) const {
  std::size_t logged = 0;
  for (const std::string& fault : all_faults()) {
    if (former.contains(fault)) continue;
    if (++logged <= kMaxLogged) base::log_warning("mqtt", "{}", base::utf8_excerpt(base::utf8_repaired(fault), 1'000));
  }
  if (logged > kMaxLogged)
    base::log_warning("mqtt", "and {} more errors in the components under mqtt: in configuration.yaml",
                      logged - kMaxLogged);
}

void Manual::settle() {
  const auto registry = hub_.registry.snapshot();
  std::set<std::string, std::less<>> present;
  for (const auto& [identity, entry] : entries_) present.insert(entry.key);
  if (const json::object* const known = remembered(*registry); known && unread_.empty()) {
    for (const auto& [key, nothing] : *known) {
      const std::string_view name = key;
      const auto space = name.find(' ');
      if (present.contains(name) || space == std::string_view::npos) continue;
      const core::RegisteredEntity* const entity =
          registry->find_entity("mqtt", name.substr(0, space), name.substr(space + 1));
      if (!entity || parts_.home().domains.entities().all().contains(entity->id)) continue;
      base::log_info("mqtt", "{} is removed, because configuration.yaml no longer describes it", entity->entity_id);
      parts_.home().last_values.forget(name);
      hub_.registry.forget_entity(entity->id);
    }
  }
  remember();
}

void Manual::remember() {
  const auto registry = hub_.registry.snapshot();
  const json::object* const known = remembered(*registry);
  json::object now;
  if (known && !unread_.empty()) now = *known;
  for (const auto& [identity, entry] : entries_) now[entry.key] = true;
  if (known ? *known == now : now.empty()) return;
  const auto context = core::Context::create(hub_.clock.now());
  const std::string ids[] = {kKnown};
  base::Result<void> done;
  if (now.empty()) {
    done = hub_.registry.delete_items(known_collection(), ids, context, core::IfFull::wait);
  } else {
    auto put = known ? hub_.registry.update_item(known_collection(), kKnown, now, {}, context, core::IfFull::wait)
                     : hub_.registry.create_item(known_collection(), kKnown, now, context, core::IfFull::wait);
    if (!put) done = std::unexpected(std::move(put.error()));
  }
  if (!done)
    base::log_warning("mqtt", "the list of the components of configuration.yaml cannot be stored: {}",
                      done.error().message);
}

void Manual::stop() {
  for (auto& [identity, entry] : entries_) Parts::stop(entry);
}

void Manual::connection_changed() const {
  for (const auto& [identity, entry] : entries_) Parts::connection_changed(entry);
}

void Manual::report(json::array& rows) const {
  for (const ManualFault& fault : faults_) {
    rows.push_back(json::object{{"topic", fault.place},
                                {"verdict", "refused"},
                                {"dropped", json::array()},
                                {"reason", fault.reason},
                                {"entity_id", nullptr},
                                {"manual", true}});
  }
  for (const auto& [identity, entry] : entries_) {
    Parts::report(rows, entry.place, entry);
    rows.back().as_object()["manual"] = true;
  }
}

void Manual::debug_info(json::object& info, std::string_view device_id) const {
  for (const auto& [identity, entry] : entries_) {
    const std::size_t before = info["entities"].as_array().size();
    parts_.debug_info(info, entry.place, entry, device_id, [&](const Part&) { return entry.keys; });
    json::array& entities = info["entities"].as_array();
    for (std::size_t i = before; i < entities.size(); ++i) {
      entities[i].as_object()["discovery_data"].as_object()["manual"] = true;
    }
  }
}

}  // namespace hearth::integrations::mqtt
