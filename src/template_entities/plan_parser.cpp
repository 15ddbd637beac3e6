// SPDX-License-Identifier: Apache-2.0
#include "template_entities/plan_parser.h"

#include <fmt/format.h>

#include <algorithm>

#include "automation/config/item_node.h"
#include "automation/items/polled_platforms.h"
#include "configured/unique_ids.h"
#include "core/registry/helper_types.h"
#include "core/values/entity_id.h"
#include "core/values/words.h"
#include "template_entities/entity_parser.h"

namespace hearth::template_entities {
namespace {

using automation::Data;
using base::ConfigNode;
using base::ConfigReader;

std::string text_at(const ConfigNode& node, std::string_view key) {
  const ConfigNode* const found = node.find(key);
  const auto text = found ? found->text() : std::unexpected(base::Error{});
  return text ? *text : std::string();
}

// sensor: Template Sensor
std::string default_name(const Form& form) {
  std::string name = "Template ";
  bool first = true;
  for (const char c : form.domain()) {
    if (c == '_')
      name += ' ';
    else
      name += first || name.ends_with(' ') ? static_cast<char>(c - 'a' + 'A') : c;
    first = false;
  }
  return name;
}

class Reader {
 public:
  Reader(Configuration& made, const automation::Blueprints* blueprints) : made_(made), blueprints_(blueprints) {}

  void blocks(const ConfigNode& section) {
    if (const base::Error* const why = section.broken()) return made_.lose(why->message);
    for (const ConfigNode& node : automation::one_or_many(&section)) block(node);
  }

  void platforms(const std::string& domain, const ConfigNode& section) {
    if (const base::Error* const why = section.broken()) return made_.lose(why->message);
    for (const ConfigNode& node : automation::one_or_many(&section)) platform(domain, node);
  }

 private:
  void block(const ConfigNode& whole) {
    if (const base::Error* const why = whole.broken()) return made_.lose(why->message);
    if (!whole.is_map()) return made_.lose(whole.mismatch("a block of template entities: keys with values").message);
    const ConfigNode root = automation::rerooted(whole, whole.place());
    const auto filled = with_blueprint(root);
    if (!filled) return made_.faults.push_back(base::without_secrets(filled.error().message, base::secrets_in(root)));
    const ConfigNode& node = *filled;
    ConfigReader in(node);
    Plan common;
    common.place = automation::place_of(whole);
    const std::string prefix = automation::read_text(in, "unique_id");
    common.variables = automation::read_variables(in, "variables");
    const ConfigNode* const triggers = automation::find_either(in, "triggers", "trigger");
    common.by_triggers = triggers != nullptr;
    if (triggers) common.triggers = automation::value_or_note(in, *triggers, automation::parse_triggers(triggers));
    const ConfigNode* const conditions = automation::find_either(in, "conditions", "condition");
    common.conditions = automation::read_conditions(in, conditions);
    const ConfigNode* const actions = automation::find_either(in, "actions", "action");
    for (const ConfigNode* const each : {conditions, actions}) {
      if (each && !triggers) automation::note(in, *each, "is only for a block with triggers");
    }
    for (const Form* const form : forms()) {
      const ConfigNode* const section = in.find(form->domain());
      if (!section) continue;
      if (section->broken()) continue;  // named with all that is broken
      for (const ConfigNode& item : automation::one_or_many(section))
        common.entities.push_back(entity(*form, item, Spelling::block, prefix, ""));
    }
    common.id = !prefix.empty() ? prefix : !common.entities.empty() ? common.entities.front().id() : std::string();
    // Two blocks may have the same unique id, if their entities differ.
    if (common.by_triggers) common.id = ids_.claim("block ", common.id, common.place);
    common.id.insert(0, "block ");
    common.actions = read_steps(in, actions, "actions", common.id);
    std::string errors;
    for (const ConfigNode::Entry& entry : node.entries()) {
      if (!find_form(entry.key) || entry.value.broken()) automation::collect_broken(entry.value, errors);
    }
    if (const auto read = in.finish(0); !read) errors = with(errors, read.error().message);
    if (common.entities.empty() && errors.empty())
      errors = node.error("has no entities: expected sensor, binary_sensor and so on").message;
    common.error = base::without_secrets(std::move(errors), base::secrets_in(node));
    put(std::move(common), node);
  }

  // By the newest version of its blueprint whose inputs it fills in, if it uses one.
  base::Result<ConfigNode> with_blueprint(const ConfigNode& root) const {
    const ConfigNode* const use = automation::use_of(root);
    if (!use) return root;
    const auto versions = automation::find_used(blueprints_, "template", *use);
    if (!versions) return std::unexpected(versions.error());
    std::optional<base::Error> why;
    for (const auto& version : **versions) {
      auto whole = version ? automation::substituted(*version, root) : std::unexpected(version.error());
      if (whole) return with_own_keys(*whole, root);
      if (!why) why = whole.error();
    }
    return std::unexpected(*why);
  }

  // Keys of the use that are an entity's, such as `name` and `unique_id`, belong to the only one of the blueprint.
  static ConfigNode with_own_keys(const ConfigNode& whole, const ConfigNode& use) {
    constexpr core::Words kOfBlock{"use_blueprint variables triggers trigger conditions condition actions action"};
    const ConfigNode::Entry* section = nullptr;
    for (const ConfigNode::Entry& entry : whole.entries()) {
      if (find_form(entry.key) && (section || automation::one_or_many(&entry.value).size() != 1)) return whole;
      if (find_form(entry.key)) section = &entry;
    }
    const ConfigNode* const entity = section ? automation::one_or_many(&section->value).data() : nullptr;
    if (!entity || !entity->is_map()) return whole;
    const auto is_own = [&](std::string_view key) {
      return use.find(key) && !kOfBlock.contains(key) && !find_form(key);
    };
    ConfigNode::Map rest, keys;
    for (const ConfigNode::Entry& entry : entity->entries()) {
      if (!is_own(entry.key)) keys.push_back(entry);
    }
    for (const ConfigNode::Entry& entry : use.entries()) {
      if (is_own(entry.key)) keys.push_back(entry);
    }
    for (const ConfigNode::Entry& entry : whole.entries()) {
      if (&entry == section)
        rest.push_back({entry.key, ConfigNode(entity->place(), std::move(keys))});
      else if (!is_own(entry.key))
        rest.push_back(entry);
    }
    return {whole.place(), std::move(rest)};
  }

  // A block with triggers as it is, otherwise each of its entities by itself.
  void put(Plan common, const ConfigNode& node) {
    if (common.entities.empty()) {
      made_.faults.push_back(common.error);
      return;
    }
    if (common.by_triggers) {
      common.written = base::to_json(automation::written_as(node));
      common.name = common.entities.front().place;
      made_.plans.push_back(std::make_shared<const Plan>(std::move(common)));
      return;
    }
    const ConfigNode* const variables = node.find("variables");
    const std::string shared = variables ? base::to_json(automation::written_as(*variables)) : std::string();
    std::size_t next = 0;
    std::vector<std::string> written;
    for (const Form* const form : forms()) {
      const ConfigNode* const section = node.find(form->domain());
      if (!section || section->broken()) continue;
      for (const ConfigNode& item : automation::one_or_many(section))
        written.push_back(base::to_json(automation::written_as(item)) + shared);
    }
    for (EntityPlan& each : common.entities) put(std::move(each), written[next++], common);
  }

  void put(EntityPlan entity, std::string written, const Plan& common) {
    Plan plan;
    plan.id = entity.id();
    plan.written = std::move(written);
    plan.place = entity.place;
    plan.error = common.error;
    plan.variables = common.variables;
    plan.entities.push_back(std::move(entity));
    made_.plans.push_back(std::make_shared<const Plan>(std::move(plan)));
  }

  void platform(const std::string& domain, const ConfigNode& whole) {
    if (const base::Error* const why = whole.broken()) return made_.lose(why->message);
    if (!whole.is_map()) return made_.lose(whole.mismatch("a platform: keys with values").message);
    const ConfigNode node = automation::rerooted(whole, whole.place());
    const ConfigNode* const name = node.find("platform");
    if (!name) return made_.lose(node.error("platform is missing").message);
    if (text_at(node, "platform") == "group" && core::kGroupTypes.contains(domain)) return;  // a helper
    if (automation::kDerivedPlatforms.contains(text_at(node, "platform"))) return;
    const Form* const form = find_form(domain);
    if (text_at(node, "platform") != "template" || !form || form->only_new) return;  // see knows_platform
    if (form->list.empty()) {
      Plan none;
      return put(entity(*form, node, Spelling::platform, "", ""), base::to_json(automation::written_as(node)), none);
    }
    ConfigReader in(node);
    in.find("platform");
    const ConfigNode* const list = in.find(form->list);
    if (!list)
      automation::note_missing(in, node, form->list);
    else if (const base::Error* const why = list->broken())
      automation::note(in, *list, *why);
    else if (!list->is_map())
      automation::note(in, *list, list->mismatch("object ids, each with an entity"));
    if (const auto read = in.finish(0); !read)
      made_.lose(base::without_secrets(read.error().message, base::secrets_in(node)));
    if (!list) return;
    for (const ConfigNode::Entry& each : list->entries()) {
      if (!core::is_slug(each.key)) {
        made_.lose(each.value.error("expected an object id of small letters, digits and underscores").message);
        continue;
      }
      put(entity(*form, each.value, Spelling::platform, "", each.key),
          base::to_json(automation::written_as(each.value)), Plan());
    }
  }

  EntityPlan entity(const Form& form, const ConfigNode& node, Spelling spelling, const std::string& prefix,
                    const std::string& object_id) {
    EntityPlan plan;
    plan.form = &form;
    plan.place = automation::place_of(node);
    plan.object_id = object_id;
    std::string errors;
    automation::collect_broken(node, errors);
    if (!node.is_map()) {
      if (errors.empty()) errors = node.mismatch("a template entity: keys with values").message;
      name(plan, node, prefix, errors);
      return broken(plan, node, errors);
    }
    name(plan, node, prefix, errors);
    ConfigReader in(node);
    read_entity(in, node, spelling, plan);
    if (const auto read = in.finish(0); !read) errors = with(errors, read.error().message);
    if (base::to_json(automation::written_as(node)).size() > automation::kMaxItemBytes)
      errors = node.error("is larger than 1 MiB").message;
    return errors.empty() ? plan : broken(plan, node, errors);
  }

  static std::string with(std::string errors, const std::string& more) {
    return errors.empty() ? more : automation::with_lines(std::move(errors), more);
  }

  // Gives it what it is known by.
  void name(EntityPlan& plan, const ConfigNode& node, const std::string& prefix, std::string& errors) {
    const std::string wanted = text_at(node, "default_entity_id");
    if (const auto dot = wanted.find('.'); dot != std::string::npos) {
      plan.object_id = core::slugify(wanted.substr(dot + 1));
      if (wanted.substr(0, dot) != plan.form->domain())
        errors = with(errors, node.find("default_entity_id")
                                  ->mismatch(fmt::format("an id such as {}.kitchen", plan.form->domain()))
                                  .message);
    }
    std::string name = text_at(node, "name");
    if (name.empty()) name = text_at(node, "friendly_name");
    if (name.empty()) name = plan.object_id.empty() ? default_name(*plan.form) : plan.object_id;
    const std::string given = text_at(node, "unique_id");
    const std::string made = !plan.object_id.empty() ? plan.object_id : core::slugify(name);
    std::string twice;
    plan.unique_id = ids_.claim(fmt::format("{}.", plan.form->domain()),
                                given.empty()    ? made
                                : prefix.empty() ? given
                                                 : prefix + "-" + given,
                                plan.place, given.empty() ? nullptr : node.find("unique_id"), twice);
    if (!twice.empty()) errors = with(errors, twice);
    // Unless it is a template.
    plan.name = Data::constant(json::string(name));
  }

  static EntityPlan broken(const EntityPlan& read, const ConfigNode& node, std::string error) {
    EntityPlan plan;
    plan.form = read.form;
    plan.unique_id = read.unique_id;
    plan.object_id = read.object_id;
    plan.place = read.place;
    plan.name = read.name.is_constant() ? read.name : Data::constant(json::string(read.unique_id));
    plan.error = base::without_secrets(std::move(error), base::secrets_in(node));
    return plan;
  }

  Configuration& made_;
  const automation::Blueprints* const blueprints_;  // null: there are none
  configured::UniqueIds ids_;                       // as EntityPlan::id() and Plan::id
};

}  // namespace

bool knows_platform(std::string_view domain, std::string_view platform) {
  if (platform == "group") return core::kGroupTypes.contains(domain);
  if (automation::is_polled_platform(domain, platform)) return true;
  if (platform != "template") return automation::kDerivedPlatforms.contains(platform);
  const Form* const form = find_form(domain);
  return form && !form->only_new;
}

Configuration parse_configuration(const automation::Sections& sections) {
  Configuration made;
  Reader reader(made, sections.blueprints.get());
  for (const ConfigNode& section : sections.templates) reader.blocks(section);
  for (const auto& [domain, section] : sections.platforms) reader.platforms(domain, section);
  return made;
}

std::vector<std::string> errors_of(const Configuration& configuration) {
  std::vector<std::string> errors = configuration.faults;
  for (const auto& plan : configuration.plans) {
    if (!plan->error.empty() && std::ranges::find(errors, plan->error) == errors.end()) errors.push_back(plan->error);
    for (const EntityPlan& entity : plan->entities) {
      if (!entity.error.empty()) errors.push_back(entity.error);
    }
  }
  return errors;
}

}  // namespace hearth::template_entities
