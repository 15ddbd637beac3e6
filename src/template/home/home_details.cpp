// SPDX-License-Identifier: Apache-2.0
// Functions of labels, names, integrations, and of what is wrong with the home. What the caller may not read is absent.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "template/home/state_value.h"
#include "template/language/builtins.h"
#include "template/language/home.h"
#include "template/language/render.h"

namespace hearth::templates {
namespace {

using Registry = core::ReadableRegistry;

std::optional<Registry> seen_registry(Call& call) {
  call.render.saw_registry();
  if (!call.render.environment.home) return {};
  return call.render.environment.home->registry();
}

Value sorted_texts(const std::set<std::string>& texts) {
  Values values;
  for (const std::string& text : texts) values.emplace_back(std::string_view(text));
  return Value::list(std::move(values));
}

std::string_view text_in(const core::Item& item, std::string_view field) {
  const json::value* const found = item.fields.if_contains(field);
  return found && found->is_string() ? std::string_view(found->get_string()) : std::string_view();
}

// The label of that id, otherwise that of that name; null if there is none that may be read.
const core::Item* label_of(const Registry& registry, std::string_view key, bool by_id, bool by_name) {
  const core::Item* found = by_id ? registry.find_item(core::kLabels, key) : nullptr;
  if (!found && by_name) {
    for (const core::Item* const label : registry.items_of(core::kLabels)) {
      charge();
      if (text_in(*label, "name") == key) found = label;
    }
  }
  return found && registry.reads_label(found->id) ? found : nullptr;
}

// The ids of what carries a label of that id or name.
template <class ForEach>
Value carriers(Call& call, std::string_view name, ForEach&& add_all) {
  const Parameters in(call, name, {"label_id_or_name"}, 1);
  const auto registry = seen_registry(call);
  const std::string key = in.text(0, "");
  std::set<std::string> ids;
  const core::Item* const label = registry ? label_of(*registry, key, true, true) : nullptr;
  if (registry) add_all(*registry, label ? label->id : key, ids);
  return sorted_texts(ids);
}

Value label_areas(Call& call) {
  return carriers(call, "label_areas", [](const Registry& registry, const std::string& label, auto& ids) {
    registry.for_each_area([&](const core::Area& area) {
      charge();
      if (area.labels.contains(label)) ids.insert(area.id);
    });
  });
}

Value label_devices(Call& call) {
  return carriers(call, "label_devices", [](const Registry& registry, const std::string& label, auto& ids) {
    registry.for_each_device([&](const core::Device& device) {
      charge();
      if (device.labels.contains(label)) ids.insert(device.id);
    });
  });
}

Value label_entities(Call& call) {
  return carriers(call, "label_entities", [](const Registry& registry, const std::string& label, auto& ids) {
    registry.for_each_entity([&](const core::RegisteredEntity& entity) {
      charge();
      if (entity.labels.contains(label)) ids.insert(entity.entity_id);
    });
  });
}

// All labels, or those of an entity, a device, an area or the area of that name.
Value labels(Call& call) {
  const Parameters in(call, "labels", {"lookup_value"}, 0);
  const auto registry = seen_registry(call);
  if (!registry) return sorted_texts({});
  if (!in.has(0) || in[0].is_none()) {
    std::set<std::string> ids;
    for (const core::Item* const label : registry->items_of(core::kLabels)) {
      charge();
      if (registry->reads_label(label->id)) ids.insert(label->id);
    }
    return sorted_texts(ids);
  }
  const std::string key = to_text(in[0]);
  if (const auto* const entity = registry->find_entity(key)) return sorted_texts(entity->labels);
  if (const auto* const device = registry->find_device(key)) return sorted_texts(device->labels);
  if (const auto* const area = registry->find_area(key)) return sorted_texts(area->labels);
  Value found = sorted_texts({});
  registry->for_each_area([&](const core::Area& area) {
    charge();
    if (area.name == key) found = sorted_texts(area.labels);
  });
  return found;
}

Value label_id(Call& call) {
  call.render.saw_beyond_lists();
  const Parameters in(call, "label_id", {"lookup_value"}, 1);
  const auto registry = seen_registry(call);
  const auto* const label = registry ? label_of(*registry, to_text(in[0]), false, true) : nullptr;
  return label ? Value(label->id) : Value();
}

template <const char* field>
Value label_field(Call& call) {
  call.render.saw_beyond_lists();
  const Parameters in(call, "a label's function", {"lookup_value"}, 1);
  const auto registry = seen_registry(call);
  const auto* const label = registry ? label_of(*registry, to_text(in[0]), true, false) : nullptr;
  const std::string_view text = label ? text_in(*label, field) : std::string_view();
  return text.empty() ? Value() : Value(text);
}
constexpr char kName[] = "name", kDescription[] = "description";

// The entity's own name, without that of its device.
Value entity_name(Call& call) {
  const Parameters in(call, "entity_name", {"entity_id"}, 1);
  const std::string id = in.text(0, "");
  const auto registry = seen_registry(call);
  const auto* const entity = registry ? registry->find_entity(id) : nullptr;
  const core::StatePtr state = find_state(call.render, id);
  if (entity && entity->name) return Value(*entity->name);
  if (entity && entity->original_name) {
    const auto* const device = entity->device_id ? registry->find_device(*entity->device_id) : nullptr;
    std::string_view name = *entity->original_name;
    const std::string prefix = device ? device->name.value_or("") + ' ' : std::string();
    if (!entity->has_entity_name && prefix.size() > 1 && name.starts_with(prefix)) name.remove_prefix(prefix.size());
    return Value(name);
  }
  const Value shown = state ? attribute_of_state(*state, "friendly_name") : Value();
  return shown.is_text() ? shown : Value();
}

// Further names of an entity, an area or a floor.
Value aliases(Call& call) {
  const Parameters in(call, "aliases", {"lookup_value"}, 1);
  const std::string key = in.text(0, "");
  const auto registry = seen_registry(call);
  if (!registry) return sorted_texts({});
  if (const auto* const entity = registry->find_entity(key)) return sorted_texts(entity->aliases);
  if (const auto* const area = registry->find_area(key)) return sorted_texts(area->aliases);
  if (const auto* const floor = registry->find_floor(key)) return sorted_texts(floor->aliases);
  return sorted_texts({});
}

Value issue_value(const core::Issue& issue) {
  Dict details, value;
  for (const auto& [name, text] : issue.details) details.set(Value(name), Value(text));
  value.set(Value("domain"), Value(issue.domain));
  value.set(Value("issue_id"), Value(issue.id));
  value.set(Value("severity"), Value(core::to_string(issue.severity)));
  value.set(Value("translation_key"), Value(issue.kind));
  value.set(Value("translation_placeholders"), Value::dict(std::move(details)));
  value.set(Value("created"), Value(to_text(at(issue.since.time_since_epoch().count(), Zone::utc()), 'T')));
  return Value::dict(std::move(value));
}

std::shared_ptr<const std::vector<core::Issue>> issues_of(Call& call) {
  call.render.saw_time();  // no event of the states tells when they change
  return call.render.environment.home ? call.render.environment.home->issues() : nullptr;
}

// By domain and id.
Value all_issues(Call& call) {
  const Parameters in(call, "issues", {}, 0);
  Dict found;
  if (const auto list = issues_of(call)) {
    for (const core::Issue& issue : *list)
      found.set(Value::tuple({Value(issue.domain), Value(issue.id)}), issue_value(issue));
  }
  return Value::dict(std::move(found));
}

Value one_issue(Call& call) {
  const Parameters in(call, "issue", {"domain", "issue_id"}, 2);
  const std::string domain = in.text(0, ""), id = in.text(1, "");
  if (const auto list = issues_of(call)) {
    for (const core::Issue& issue : *list) {
      if (issue.domain == domain && issue.id == id) return issue_value(issue);
    }
  }
  return {};
}

Value config_entry_attribute(Call& call) {
  const Parameters in(call, "config_entry_attr", {"config_entry_id", "attr_name"}, 2);
  const std::string id = in.text(0, ""), name = in.text(1, "");
  constexpr std::string_view known[] = {"domain", "title", "state", "source", "disabled_by"};
  if (std::ranges::find(known, name) == std::end(known)) {
    fail(FailureKind::value, fmt::format("a config entry has no attribute '{}', only {}", name,
                                         "domain, title, state, source, disabled_by"));
  }
  call.render.saw_time();
  if (!call.render.environment.home) return {};
  for (const core::IntegrationStatus& status : call.render.environment.home->integrations()) {
    const core::Connection& connection = *status.connection;
    if (connection.entry_id != id) continue;
    if (name == "state") return Value(core::entry_state(status.state));
    if (name == "source") return Value(core::to_string(connection.source));
    if (name == "disabled_by") return connection.disabled ? Value("user") : Value();
    return Value(name == "domain" ? connection.domain : connection.title);
  }
  return {};
}

// The hub's states are not translated.
Value translated_attribute(Call& call) {
  const Parameters in(call, "state_attr_translated", {"entity_id", "attribute"}, 2);
  const core::StatePtr state = find_state(call.render, in.text(0, ""));
  return state ? attribute_of_state(*state, in.text(1, "")) : Value();
}

constexpr Builtin kDetailFunctions[] = {
    {"aliases", aliases},
    {"config_entry_attr", config_entry_attribute},
    {"entity_name", entity_name},
    {"issue", one_issue},
    {"issues", all_issues},
    {"label_areas", label_areas},
    {"label_description", label_field<kDescription>},
    {"label_devices", label_devices},
    {"label_entities", label_entities},
    {"label_id", label_id},
    {"label_name", label_field<kName>},
    {"labels", labels},
    {"state_attr_translated", translated_attribute},
};

}  // namespace

std::span<const Builtin> detail_functions() {
  return kDetailFunctions;
}

}  // namespace hearth::templates
