// SPDX-License-Identifier: Apache-2.0
#include "automation/given_variables.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "automation/items/selector.h"
#include "base/text/utf8.h"
#include "core/registry/collection.h"
#include "core/services/service_target.h"
#include "core/values/entity_id.h"

namespace hearth::automation {
namespace {

using base::ErrorCode;

constexpr std::string_view kEverything = "all";
constexpr std::size_t kMaxGiven = 64 * 1024;  // bytes as JSON, which bounds the time on the bus
constexpr const char* kNotAll = "Only who may control everything may name all.";

// The key of a target whose ids the selector's values are; empty for values that are no ids.
std::string_view key_of(std::string_view selector) {
  constexpr std::pair<std::string_view, std::string_view> kKeys[] = {{"entity", "entity_id"},
                                                                     {"device", "device_id"},
                                                                     {"area", "area_id"},
                                                                     {"floor", "floor_id"},
                                                                     {"label", "label_id"}};
  const auto* const found = std::ranges::find(kKeys, selector, &std::pair<std::string_view, std::string_view>::first);
  return found == std::end(kKeys) ? std::string_view() : found->second;
}

// The control that the caller of a script has, also of members of groups and scenes, which the script reaches, too.
// Looks at each entity and each text once.
class Control {
 public:
  // Both must outlive it.
  Control(const core::Rights& caller, const core::Hub& hub)
      : caller_(caller), states_(hub.states.snapshot()), registry_(hub.registry.snapshot()) {}

  // Why a target may not be given; nothing if it may.
  std::optional<std::string> refusal(const json::object& given) {
    const auto target = core::ServiceTarget::parse(given);
    if (!target) return target.error().message;
    if (target->all) return kNotAll;
    // A script may look for the name of what has no such id.
    const auto unknown = [](std::string_view kind, const std::string& id) {
      return fmt::format("There is no {} {}.", kind, base::utf8_excerpt(id));
    };
    for (const std::string& id : target->device_ids)
      if (!registry_->devices.contains(id)) return unknown("device", id);
    for (const std::string& id : target->area_ids)
      if (!registry_->areas.contains(id)) return unknown("area", id);
    for (const std::string& id : target->floor_ids)
      if (!registry_->floors.contains(id)) return unknown("floor", id);
    for (const std::string& id : target->label_ids)
      if (!registry_->find_item(core::kLabels, id)) return unknown("label", id);
    return refusal_of(*target);
  }

  // The same for a value that need not be an id: each text in it may be one, or have some as its words.
  std::optional<std::string> refusal_of_texts(const json::value& value) {
    if (const json::string* const text = value.if_string()) return refusal_of_text(*text);
    if (const json::array* const list = value.if_array()) {
      for (const json::value& each : *list)
        if (auto refused = refusal_of_texts(each)) return refused;
    }
    if (const json::object* const object = value.if_object()) {
      for (const auto& [key, each] : *object) {
        if (auto refused = refusal_of_text(key)) return refused;
        if (auto refused = refusal_of_texts(each)) return refused;
      }
    }
    return {};
  }

 private:
  std::optional<std::string> refusal_of(const core::ServiceTarget& target) {
    for (const std::string& id : core::entities_of(target, *registry_, true))
      if (!is_controlled(id)) return fmt::format("This user may not control {}.", base::utf8_excerpt(id));
    return {};
  }

  bool is_controlled(const std::string& id) {
    if (!seen_.insert(id).second) return true;
    if (!caller_.controls(id, *registry_)) return false;
    const core::StatePtr state = states_->find(id);
    const json::object attributes = state ? state->attributes() : json::object();
    const json::value* const members = attributes.if_contains("entity_id");
    const json::array* const list = members ? members->if_array() : nullptr;
    return !list || std::ranges::all_of(*list, [this](const json::value& member) {
      return !member.is_string() || is_controlled(std::string(member.get_string()));
    });
  }

  std::optional<std::string> refusal_of_text(std::string_view text) {
    if (!texts_.insert(std::string(text)).second) return {};
    core::ServiceTarget target;
    const std::string whole(text);
    if (registry_->devices.contains(whole)) target.device_ids = {whole};
    if (registry_->areas.contains(whole)) target.area_ids = {whole};
    if (registry_->floors.contains(whole)) target.floor_ids = {whole};
    if (registry_->find_item(core::kLabels, whole)) target.label_ids = {whole};
    if (auto refused = refusal_of(target)) return refused;
    const auto in_id = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
    };
    for (auto at = text.begin(); at != text.end();) {
      const auto first = std::find_if(at, text.end(), in_id);
      at = std::find_if_not(first, text.end(), in_id);
      const std::string word = core::lower_case(std::string_view(first, at));
      const core::RegisteredEntity* const meant = registry_->find_entity_by_id(word);
      const std::string id = meant ? meant->entity_id : word;
      if (!registry_->entities.find(id) && !states_->find(id)) continue;
      core::ServiceTarget named;
      named.entity_ids = {id};
      if (auto refused = refusal_of(named)) return refused;
    }
    return {};
  }

  const core::Rights& caller_;
  const core::StateMachine::Snapshot states_;
  const std::shared_ptr<const core::RegistryData> registry_;
  std::set<std::string> seen_, texts_;  // ids and texts that have been looked at
};

}  // namespace

base::Result<void> check_given(const Item& item, const json::object& variables, const core::Rights& caller,
                               const core::Hub& hub) {
  if (caller.controls_all() || variables.empty()) return {};
  if (base::to_json(variables).size() > kMaxGiven)
    return base::fail(ErrorCode::invalid, fmt::format("variables: expected at most {} bytes", kMaxGiven));
  Control control(caller, hub);
  for (const auto& [name, value] : variables) {
    const auto refused = [&](ErrorCode code, std::string_view why) {
      return base::fail(code, fmt::format("{}: {}", base::utf8_excerpt(name), why));
    };
    const auto field = std::ranges::find(item.fields, name, &ScriptField::name);
    if (field == item.fields.end()) {
      return refused(ErrorCode::forbidden,
                     item.kind == ItemKind::script
                         ? "Who does not control the whole home gives a script only what its fields declare."
                         : "Only who may control everything may give an automation variables.");
    }
    const json::value* const selector = field->written.if_contains("selector");
    const json::object* const kinds = selector ? selector->if_object() : nullptr;
    const std::string_view kind = kinds && !kinds->empty() ? std::string_view(kinds->begin()->key()) : "";
    if (selector) {
      if (const std::string expected = expected_by(*selector, value); !expected.empty())
        return refused(ErrorCode::invalid, fmt::format("expected {}", expected));
    }
    std::optional<std::string> refusal;
    if (const std::string_view key = key_of(kind); !key.empty() && !value.is_null())
      refusal = control.refusal({{key, value}});
    else if (kind == "target" && value.is_object())
      refusal = control.refusal(value.get_object());
    else if (kind.empty() && value.is_string() && core::lower_case(value.get_string()) == kEverything)
      refusal = kNotAll;
    else
      refusal = control.refusal_of_texts(value);
    if (refusal) return refused(ErrorCode::forbidden, *refusal);
  }
  return {};
}

}  // namespace hearth::automation
