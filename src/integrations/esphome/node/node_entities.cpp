// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/node/node_entities.h"

#include <fmt/format.h>
#include <sodium.h>

#include <algorithm>

#include "base/json/json_fields.h"
#include "base/text/timestamp.h"
#include "integrations/esphome/entities/values.h"
#include "integrations/esphome/node/names.h"

namespace hearth::integrations::esphome {
namespace {

constexpr std::string_view kCategories[] = {"", "config", "diagnostic"};
constexpr std::size_t kMaxGone = 1'000;

std::string to_hex(std::string_view bytes) {
  std::string digits(bytes.size() * 2 + 1, '\0');
  sodium_bin2hex(digits.data(), digits.size(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  digits.pop_back();
  return digits;
}

std::string from_hex(std::string_view digits) {
  std::string bytes(digits.size() / 2, '\0');
  std::size_t size = 0;
  if (sodium_hex2bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), digits.data(), digits.size(),
                     nullptr, &size, nullptr) != 0)
    return {};
  bytes.resize(size);
  return bytes;
}

}  // namespace

bool NodeEntities::take(const Component& component, std::string_view description) {
  if (!component.make(node_, description)) return false;
  listed_.push_back({&component, std::string(description)});
  return true;
}

domains::EntityInfo NodeEntities::info_of(const NodeEntity& entity, const std::string& unique_id,
                                          std::string_view node_name, bool available) const {
  const CommonFields& common = entity.common();
  domains::EntityInfo info{.integration = "esphome", .unique_id = unique_id, .object_id = {}, .name = common.name};
  const std::string& part = common.object_id.empty() ? common.name : common.object_id;
  const bool of_sub_device = part.empty() && common.device_id != 0;
  info.object_id = slug_of(fmt::format("{}_{}", node_name, of_sub_device ? devices_.name_of(common.device_id) : part));
  if (info.object_id.empty()) info.object_id = entity.component().name;
  info.device_class = common.device_class;
  info.icon = common.icon;
  if (auto device = devices_.id_of(common.device_id)) info.device_id = *device;
  info.entity_category = word_of(kCategories, common.category).value_or("");
  info.has_entity_name = true;
  info.disabled = common.disabled;
  info.available = available;
  info.entry_id = node_.entry_id;
  return info;
}

void NodeEntities::finish(const std::string& mac, std::string_view node_name, bool available) {
  available_ = available;
  Entities before = std::exchange(entities_, {});
  std::vector<std::pair<std::string, Held>> fresh;
  for (Listed& listed : std::exchange(listed_, {})) {
    auto made = listed.component->make(node_, listed.description);
    const CommonFields& common = made->common();
    const std::string& name = common.name.empty() ? devices_.name_of(common.device_id) : common.name;
    const std::string object_id = common.object_id.empty() ? object_id_of(name) : common.object_id;
    const std::string unique_id = unique_id_of(mac, listed.component->name, object_id, common.device_id);
    if (entities_.contains(unique_id) ||
        std::ranges::find(fresh, unique_id, &std::pair<std::string, Held>::first) != fresh.end()) {
      node_.complain(unique_id,
                     fmt::format("{} describes the {} {} twice", node_.name, listed.component->name, object_id));
      continue;
    }
    const auto known = before.find(unique_id);
    if (known != before.end() && known->second.description == listed.description) {
      entities_.insert(before.extract(known));
      continue;
    }
    fresh.emplace_back(unique_id, Held{std::move(made), std::move(listed.description)});
  }
  for (auto& [unique_id, held] : before) withdraw(held);
  for (auto& [unique_id, held] : fresh) {
    if (!index_.add(*held.entity)) {
      node_.complain(unique_id, fmt::format("{} describes two entities of the component {} with the key {:#x}",
                                            node_.name, held.entity->component().name, held.entity->key()));
      continue;
    }
    if (auto done = held.entity->start(info_of(*held.entity, unique_id, node_name, available)); !done) {
      node_.complain(unique_id, done.error().message);
      index_.remove(*held.entity);
      continue;
    }
    entities_.emplace(std::move(unique_id), std::move(held));
  }
  note_gone(before);
  remove_long_gone();
  set_available(available);
}

void NodeEntities::withdraw(Held& held) {
  index_.remove(*held.entity);
  held.entity->withdraw();
}

void NodeEntities::note_gone(const Entities& before) {
  std::erase_if(gone_, [&](const Gone& each) { return entities_.contains(each.unique_id); });
  const auto now = node_.hub.clock.now();
  for (const auto& [unique_id, held] : before) {
    if (entities_.contains(unique_id) || gone_.size() >= kMaxGone) continue;
    gone_.push_back({std::string(held.entity->component().domain), unique_id, now});
  }
  // Nothing provides them: nobody else says that they are not there, and people may remove them.
  const auto registry = node_.hub.registry.snapshot();
  for (const Gone& each : gone_) {
    const auto* const known = registry->find_entity("esphome", each.domain, each.unique_id);
    if (known) node_.hub.registry.release_entity(known->entity_id);
    const core::StatePtr state = known ? node_.hub.states.find(known->entity_id) : nullptr;
    if (!state || state->value() == core::kUnavailable) continue;
    static_cast<void>(node_.hub.states.set(core::EntityId::parse(known->entity_id).value(),
                                           {core::kUnavailable, state->attributes_json(), core::Context::create(now)}));
  }
}

void NodeEntities::remove_long_gone() {
  const auto now = node_.hub.clock.now();
  const auto registry = node_.hub.registry.snapshot();
  std::erase_if(gone_, [&](const Gone& each) {
    const auto* const known = registry->find_entity("esphome", each.domain, each.unique_id);
    if (!known) return true;  // a person has removed it
    if (now - each.since < kGoneLimit) return false;
    static_cast<void>(node_.hub.registry.remove_entity(known->entity_id, core::Context::create(now)));
    return true;
  });
}

void NodeEntities::set_available(bool available) {
  available_ = available;
  for (const auto& [unique_id, held] : entities_) held.entity->set_available(available);
}

void NodeEntities::node_is_ready() {
  for (const auto& [unique_id, held] : entities_) held.entity->node_is_ready();
}

void NodeEntities::withdraw() {
  for (auto& [unique_id, held] : entities_) withdraw(held);
  entities_.clear();
}

json::object NodeEntities::description() const {
  json::array entities, gone;
  for (const auto& [unique_id, held] : entities_) {
    entities.push_back({{"list", held.entity->component().list}, {"description", to_hex(held.description)}});
  }
  for (const Gone& each : gone_) {
    gone.push_back({{"domain", each.domain}, {"unique_id", each.unique_id}, {"since", base::to_string(each.since)}});
  }
  return {{"entities", std::move(entities)}, {"gone", std::move(gone)}};
}

void NodeEntities::restore(const json::object& kept) {
  begin();
  if (const json::value* const entities = kept.if_contains("entities"); entities && entities->is_array()) {
    for (const json::value& each : entities->get_array()) {
      if (!each.is_object() || listed_.size() >= kMaxList) continue;
      const json::value* const type = each.get_object().if_contains("list");
      std::error_code wrong;
      const auto number = type ? type->to_number<std::uint32_t>(wrong) : 0;
      const Component* const component = wrong ? nullptr : component_of_list(number);
      const auto description = base::text_view_at(each.get_object(), "description");
      if (component) take(*component, from_hex(description));
    }
  }
  if (const json::value* const gone = kept.if_contains("gone"); gone && gone->is_array()) {
    for (const json::value& each : gone->get_array()) {
      if (!each.is_object() || gone_.size() >= kMaxGone) continue;
      const auto since = base::parse_timestamp(base::text_view_at(each.get_object(), "since"));
      if (since)
        gone_.push_back({std::string(base::text_view_at(each.get_object(), "domain")),
                         std::string(base::text_view_at(each.get_object(), "unique_id")), *since});
    }
  }
}

}  // namespace hearth::integrations::esphome
