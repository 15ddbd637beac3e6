// SPDX-License-Identifier: Apache-2.0
#include "automation/items/item_parser.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "automation/config/action_parser.h"
#include "automation/config/item_node.h"
#include "automation/config/limited_templates.h"
#include "automation/config/parsing.h"
#include "automation/config/yaml_booleans.h"
#include "automation/items/blueprint.h"
#include "base/digest.h"
#include "core/values/entity_id.h"
#include "template/home/state_value.h"

namespace hearth::automation {
namespace {

void read_modes(ConfigReader& in, Item& item) {
  in.option(
      "mode", item.mode,
      {{"single", Mode::single}, {"restart", Mode::restart}, {"queued", Mode::queued}, {"parallel", Mode::parallel}});
  in.integer("max", item.max, 1, 10'000);
  in.option("max_exceeded", item.if_exceeded,
            {{"silent", IfExceeded::silent},
             {"debug", IfExceeded::debug},
             {"info", IfExceeded::info},
             {"warning", IfExceeded::warning},
             {"error", IfExceeded::error},
             // Names that Python's log has for these.
             {"notset", IfExceeded::debug},
             {"warn", IfExceeded::warning},
             {"critical", IfExceeded::error},
             {"fatal", IfExceeded::error}});
  in.integer("max_rate", item.max_rate, 1, 100'000);
  in.option("missed", item.missed, {{"skip", Missed::skip}, {"once", Missed::once}, {"all", Missed::all}});
  bool drop = false, stop = false;
  in.option("late", drop, {{"run", false}, {"drop", true}});
  in.option("on_interrupt", stop, {{"go_on", false}, {"stop", true}});
  item.stops_if_interrupted = stop;
  base::Duration longest{0};
  if (const auto time = read_duration(in, "max_late"))
    longest = value_or_note(in, *in.find("max_late"), time->evaluate(Renderer(), {}));
  if (drop) item.max_late = longest;
  in.section("trace").integer("stored_traces", item.stored_traces, 0, 1'000);
  in.find("use_blueprint");  // what it stands for has been filled in
}

// An automation's state as it will be about, for templates that are rendered before there is one.
templates::Value assumed_this(const Item& item) {
  std::string object_id = core::slugify(item.alias.empty() ? item.unique_id : item.alias);
  if (object_id.empty()) object_id = "automation";
  json::object attributes{{"last_triggered", nullptr}, {"mode", "single"}, {"current", 0}};
  if (item.has_id) attributes["id"] = item.unique_id;
  attributes["friendly_name"] = item.alias.empty() ? object_id : item.alias;
  const auto id = core::EntityId::parse("automation." + object_id);
  if (!id) return {};
  return templates::state_value(core::State::create(*id, "on", base::to_json(attributes), {}, core::Context()));
}

void read_automation(ConfigReader& in, const ConfigNode& node, Item& item) {
  item.alias = read_text(in, "alias");
  item.unique_id = read_text(in, "id");
  item.has_id = !item.unique_id.empty();
  read_text(in, "description");
  bool state = true;
  in.boolean("initial_state", state);
  if (in.find("initial_state")) item.initial_state = state;
  in.find("hide_entity");
  templates::Variables seen_by_triggers{{"this", assumed_this(item)}};
  bool late = false;
  item.trigger_variables = read_limited_variables(in, "trigger_variables", seen_by_triggers, late);
  item.variables = read_variables(in, "variables");
  const ConfigNode* const triggers = find_either(in, "triggers", "trigger");
  if (triggers)
    item.triggers = value_or_note(in, *triggers, parse_triggers(triggers, seen_by_triggers, Renderer(), &late));
  if (triggers && late && has_limited_templates(*triggers))
    item.late_triggers = std::make_shared<const ConfigNode>(*triggers);
  if (!triggers) note_missing(in, node, "triggers");
  item.conditions = read_conditions(in, find_either(in, "conditions", "condition"));
  const ConfigNode* const actions = find_either(in, "actions", "action");
  if (!actions) note_missing(in, node, "actions");
  item.actions = read_block(in, actions, "action");
  read_modes(in, item);
}

void read_field(ConfigReader& in, const std::string& name, const ConfigNode& node, Item& item) {
  ConfigReader each(node);
  ScriptField field{.name = name, .description = read_text(each, "description"), .written = {}};
  if (node.is_map()) field.written = written_as(node).as_object();
  bool required = false;
  each.boolean("required", required);
  for (const char* const key : {"name", "default", "example", "selector", "advanced", "filter"}) each.find(key);
  auto read = each.finish(std::move(field));
  if (read)
    item.fields.push_back(std::move(*read));
  else
    note(in, node, std::move(read.error()));
}

void read_script(ConfigReader& in, const ConfigNode& node, Item& item) {
  item.alias = read_text(in, "alias");
  item.icon = read_text(in, "icon");
  item.description = read_text(in, "description");
  item.variables = read_variables(in, "variables");
  if (const ConfigNode* const fields = in.find("fields")) {
    if (!fields->is_map() && !fields->is_empty()) note(in, *fields, fields->mismatch("names with descriptions"));
    for (const ConfigNode::Entry& entry : fields->entries()) read_field(in, entry.key, entry.value, item);
  }
  const ConfigNode* const sequence = in.find("sequence");
  if (!sequence) note_missing(in, node, "sequence");
  item.actions = read_block(in, sequence, "sequence");
  read_modes(in, item);
}

// An item that can at least be named.
Item broken(const Item& read, std::string error) {
  Item item;
  item.kind = read.kind;
  item.unique_id = read.unique_id;
  item.has_id = read.has_id;
  item.object_id = read.object_id;
  item.alias = read.alias;
  item.icon = read.icon;
  item.place = read.place;
  item.written = read.written;
  item.fingerprint = read.fingerprint;
  item.secrets = read.secrets;
  item.blueprint = read.blueprint;
  item.error = base::without_secrets(std::move(error), read.secrets);
  return item;
}

class Reader {
 public:
  Reader(Configuration& made, const Blueprints* blueprints) : made_(made), blueprints_(blueprints) {}

  void automations(const ConfigNode& section) {
    if (const base::Error* const why = section.broken()) return made_.lose(why->message);
    for (const ConfigNode& node : one_or_many(&section)) {
      if (const base::Error* const why = node.broken()) {
        made_.lose(why->message);
        continue;
      }
      if (is_empty_file(node)) continue;
      if (!node.is_map()) {
        made_.lose(node.mismatch("an automation: keys with values").message);
        continue;
      }
      Item item;
      item.place = place_of(node);
      const std::string error = read(node, item, read_automation);
      name(item);
      if (!ids_.insert(item.unique_id).second && error.empty()) {
        const std::string twice =
            node.error(fmt::format("another automation has the id {} too", item.unique_id)).message;
        item.unique_id += fmt::format(" {}", item.place);
        put(made_.automations, item, twice);
      } else {
        put(made_.automations, item, error);
      }
    }
  }

  void scripts(const ConfigNode& section) {
    if (const base::Error* const why = section.broken()) return made_.lose(why->message);
    if (!section.is_map() && !section.is_empty())
      return made_.lose(section.mismatch("object ids, each with a script").message);
    for (const auto& [id, node] : section.entries()) {
      if (is_empty_file(node)) continue;
      if (!core::is_slug(id)) {
        made_.lose(node.error("expected an object id of small letters, digits and underscores").message);
        continue;
      }
      const auto [known, is_new] = scripts_.emplace(id, place_of(node));
      if (!is_new) {
        made_.faults.push_back(
            node.error(fmt::format("the script {} is there twice, also at {}", id, known->second)).message);
        continue;
      }
      Item item;
      item.kind = ItemKind::script;
      item.unique_id = item.object_id = id;
      item.place = known->second;
      std::string error = read(node, item, read_script);
      if (item.alias.empty()) item.alias = id;
      for (const std::string_view taken : {"turn_on", "turn_off", "toggle", "reload"}) {
        if (id == taken) error = node.error("a script cannot be named like the service of all scripts").message;
      }
      if (error.empty() && !node.is_map()) error = node.mismatch("a script: keys with values").message;
      put(made_.scripts, item, error);
    }
  }

 private:
  using Fill = void (*)(ConfigReader& in, const ConfigNode& node, Item& item);

  // Its errors; empty if there are none.
  std::string read(const ConfigNode& node, Item& item, Fill fill) {
    const ConfigNode root = rerooted(node, node.place());
    item.written = base::to_json(written_as(root, &item.secrets));
    item.fingerprint = base::fingerprint(item.secrets.empty() ? item.written : base::to_json(written_as(root)));
    const ConfigNode* const use = use_of(root);
    return use ? read_use(root, *use, item, fill) : read_whole(root, item, fill);
  }

  std::string read_whole(const ConfigNode& root, Item& item, Fill fill) {
    std::string errors;
    collect_broken(root, errors);
    ConfigReader in(root);
    fill(in, root, item);
    if (item.written.size() > kMaxItemBytes) return root.error("is larger than 1 MiB").message;
    const auto read = in.finish(0);
    if (read && errors.empty()) warn_of_unquoted_states(root, made_.warnings);
    if (read) return errors;
    return errors.empty() ? read.error().message : with_lines(std::move(errors), read.error().message);
  }

  // By the newest version of its blueprint that it fits.
  std::string read_use(const ConfigNode& root, const ConfigNode& use, Item& item, Fill fill) {
    const ConfigNode* const path = use.find("path");
    if (path && path->is_text()) item.blueprint = path->text().value();
    const auto versions = find_used(blueprints_, domain_of(item.kind), use);
    if (!versions) {
      ConfigReader in(root);
      fill(in, root, item);  // what it is called
      return versions.error().message;
    }
    std::optional<Item> newest;
    std::string error;
    for (const base::Result<Blueprint>& version : **versions) {
      Item attempt = item;
      std::string wrong = read_version(version, root, attempt, fill);
      if (wrong.empty()) {
        item = std::move(attempt);
        item.outdated = base::without_secrets(std::move(error), item.secrets);
        return {};
      }
      if (newest) continue;
      newest = std::move(attempt);
      error = std::move(wrong);
    }
    item = std::move(*newest);
    return error;
  }

  std::string read_version(const base::Result<Blueprint>& version, const ConfigNode& root, Item& item, Fill fill) {
    const auto whole = version ? substituted(*version, root) : std::unexpected(version.error());
    if (!whole) {
      ConfigReader in(root);
      fill(in, root, item);
      return whole.error().message;
    }
    item.substituted = base::to_json(written_as(*whole, &item.secrets));
    item.fingerprint = base::fingerprint(item.fingerprint + base::to_json(written_as(*whole)));
    std::string errors = read_whole(*whole, item, fill);
    if (!errors.empty()) return errors;
    for (const std::string& line : misfits(*version, *use_of(root))) made_.warnings.push_back(line);
    return {};
  }

  // Gives an automation what it is known by.
  void name(Item& item) {
    ++count_;
    const std::string alias = core::slugify(item.alias), id = core::slugify(item.unique_id);
    item.object_id = !alias.empty() ? alias : !id.empty() ? id : fmt::format("automation_{}", count_);
    if (item.alias.empty()) item.alias = item.object_id;
    if (item.has_id) return;
    item.unique_id = item.object_id;
    for (int next = 2; ids_.contains(item.unique_id); ++next)
      item.unique_id = fmt::format("{}_{}", item.object_id, next);
  }

  static void put(std::vector<std::shared_ptr<const Item>>& list, Item& item, const std::string& error) {
    list.push_back(std::make_shared<const Item>(error.empty() ? std::move(item) : broken(item, error)));
  }

  Configuration& made_;
  const Blueprints* const blueprints_;  // null: there are none
  std::set<std::string> ids_;
  std::map<std::string, std::string> scripts_;  // places, by object id
  std::size_t count_ = 0;
};

}  // namespace

std::string_view to_string(Mode mode) {
  switch (mode) {
    case Mode::single:
      return "single";
    case Mode::restart:
      return "restart";
    case Mode::queued:
      return "queued";
    case Mode::parallel:
      return "parallel";
  }
  return "single";
}

Configuration parse_configuration(const Sections& sections) {
  Configuration made;
  made.faults = sections.faults;
  made.warnings = sections.warnings;
  Reader reader(made, sections.blueprints.get());
  for (const ConfigNode& section : sections.automations) reader.automations(section);
  for (const ConfigNode& section : sections.scripts) reader.scripts(section);
  std::vector<std::string> secrets;
  for (const auto* const all : {&sections.automations, &sections.scripts})
    for (const ConfigNode& section : *all) std::ranges::move(base::secrets_in(section), std::back_inserter(secrets));
  for (auto* const told : {&made.faults, &made.warnings})
    for (std::string& each : *told) each = base::without_secrets(std::move(each), secrets);
  return made;
}

}  // namespace hearth::automation
