// SPDX-License-Identifier: Apache-2.0
#include "template_entities/entity_parser.h"

#include <fmt/format.h>

#include <algorithm>

#include "automation/config/action_parser.h"
#include "automation/config/item_node.h"
#include "base/digest.h"

namespace hearth::template_entities {
namespace {

using automation::Data;
using base::ConfigNode;
using base::ConfigReader;

std::string_view old_key_of(const Reading& reading) {
  return reading.old_key.empty() ? reading.key : reading.old_key;
}

// Of several spellings the first that is there.
std::optional<Data> read_first(ConfigReader& in, std::initializer_list<std::string_view> keys) {
  std::optional<Data> found;
  for (const std::string_view key : keys) {
    auto data = automation::read_data(in, key);
    if (!found) found = std::move(data);
  }
  return found;
}

void read_common(ConfigReader& in, Spelling spelling, EntityPlan& plan) {
  const bool old = spelling == Spelling::platform;
  std::optional<Data> name;
  if (old) {
    name = read_first(in, {"friendly_name_template", "friendly_name", "name"});
    plan.icon = automation::read_data(in, "icon_template");
    plan.picture = automation::read_data(in, "entity_picture_template");
    plan.availability = automation::read_data(in, "availability_template");
    plan.attributes = automation::read_variables(in, "attribute_templates");
    in.find("entity_id");  // what it once had to listen to
    in.find("platform");
  } else {
    name = automation::read_data(in, "name");
    plan.icon = automation::read_data(in, "icon");
    plan.picture = automation::read_data(in, "picture");
    plan.availability = automation::read_data(in, "availability");
    plan.attributes = automation::read_variables(in, "attributes");
    plan.variables = automation::read_variables(in, "variables");
  }
  if (name) plan.name = std::move(*name);
  plan.device_class = automation::read_text(in, "device_class");
  for (const char* const key : {"optimistic", "tilt_optimistic"}) {
    if (plan.form->sendings.empty()) break;
    bool on = false;
    in.boolean(key, on);
    plan.optimistic = plan.optimistic || on;
  }
}

void read_readings(ConfigReader& in, const ConfigNode& node, Spelling spelling, EntityPlan& plan) {
  for (const Reading& reading : plan.form->readings) {
    const std::string_view old = old_key_of(reading);
    // Both spellings of weather are in blocks, too.
    const bool either = spelling == Spelling::platform || old.ends_with("_template");
    const ConfigNode* found = spelling == Spelling::block ? in.find(reading.key) : nullptr;
    if (!found && either && !(spelling == Spelling::block && old == "value_template")) found = in.find(old);
    if (found)
      plan.readings.emplace_back(&reading, automation::value_or_note(in, *found, Data::parse(*found)));
    else if (reading.required)
      automation::note_missing(in, node, spelling == Spelling::platform ? old : reading.key);
  }
}

void read_fixed(ConfigReader& in, EntityPlan& plan) {
  for (const Fixed& fixed : plan.form->fixed) {
    const ConfigNode* const node = in.find(fixed.key);
    if (!node || node->is_empty()) continue;
    switch (fixed.type) {
      case Fixed::Type::text: {
        std::vector<std::string_view> options(fixed.options.begin(), fixed.options.end());
        auto text = options.empty() ? node->text() : node->option(options);
        const std::string value = automation::value_or_note(in, *node, std::move(text));
        if (value != "no_code") plan.fixed[fixed.attribute] = value;
        break;
      }
      case Fixed::Type::texts: {
        json::array list;
        for (std::string& text : automation::value_or_note(in, *node, node->texts()))
          list.emplace_back(std::move(text));
        plan.fixed[fixed.attribute] = std::move(list);
        break;
      }
      case Fixed::Type::boolean:
        plan.fixed[fixed.attribute] = automation::value_or_note(in, *node, node->boolean());
        break;
      case Fixed::Type::number:
        plan.fixed[fixed.attribute] = automation::value_or_note(in, *node, node->number(1, 100));
        break;
    }
  }
}

void read_all_steps(ConfigReader& in, const ConfigNode& node, EntityPlan& plan) {
  for (const Sending& sending : plan.form->sendings) {
    const std::string key(sending.key);
    if (plan.steps.contains(key)) continue;
    if (auto steps = read_steps(in, in.find(key), key, plan.id())) plan.steps.emplace(key, std::move(steps));
  }
  for (const std::string_view key : plan.form->required) {
    if (!in.find(key)) automation::note_missing(in, node, key);
  }
}

}  // namespace

std::shared_ptr<const automation::Item> read_steps(ConfigReader& in, const ConfigNode* node, const std::string& key,
                                                   std::string_view owner) {
  if (!node) return nullptr;
  automation::Item item;
  item.kind = automation::ItemKind::script;
  item.stored_traces = 0;  // clients ask for those of automations and scripts
  item.unique_id = fmt::format("template/{}/{}", owner, key);
  item.alias = fmt::format("{}: {}", automation::place_of(*node), key);
  // One after the other, in order: the last value that was asked for is the one that stays.
  item.mode = automation::Mode::queued;
  item.fingerprint = base::fingerprint(base::to_json(automation::written_as(*node)));
  item.actions = automation::read_block(in, node, key);
  return std::make_shared<const automation::Item>(std::move(item));
}

void read_entity(ConfigReader& in, const ConfigNode& node, Spelling spelling, EntityPlan& plan) {
  in.find("unique_id");
  in.find("default_entity_id");
  read_common(in, spelling, plan);
  read_readings(in, node, spelling, plan);
  read_fixed(in, plan);
  read_all_steps(in, node, plan);
  for (const std::string_view key : plan.form->ignored) in.find(key);
  if (!plan.form->delays) return;
  plan.delay_on = automation::read_duration(in, "delay_on");
  plan.delay_off = automation::read_duration(in, "delay_off");
  plan.auto_off = automation::read_duration(in, "auto_off");
}

std::string EntityPlan::id() const {
  return fmt::format("{}.{}", form->domain(), unique_id);
}

bool EntityPlan::has(std::string_view key) const {
  const json::value* const value = fixed.if_contains(key);
  return steps.contains(key) || (value && *value != json::value(false)) ||
         std::ranges::any_of(readings, [&](const auto& each) { return each.first->key == key; });
}

bool EntityPlan::reads(std::string_view sets) const {
  return std::ranges::any_of(readings, [&](const auto& each) { return each.first->sets == sets; });
}

}  // namespace hearth::template_entities
