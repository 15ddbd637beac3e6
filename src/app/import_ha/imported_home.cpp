// SPDX-License-Identifier: Apache-2.0
#include "app/import_ha/imported_home.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <tuple>

#include "app/files/configuration_file.h"
#include "app/import_ha/known_services.h"
#include "automation/items/helper_parser.h"
#include "automation/items/item_parser.h"
#include "automation/items/scene_parser.h"
#include "automation/references.h"
#include "building_blocks/blocks/blocks.h"
#include "building_blocks/notify/notify_parser.h"
#include "building_blocks/rest_commands/rest_plan_parser.h"
#include "building_blocks/shell_commands/plan_parser.h"
#include "core/values/entity_id.h"
#include "core/values/words.h"
#include "derived/sensors/plan_parser.h"
#include "domains/scenes/file_scenes.h"
#include "integrations/mqtt/manual/manual_items.h"
#include "template_entities/plan_parser.h"

namespace hearth::app {
namespace {

using automation::Item;
using base::ConfigNode;
using import_ha::Fate;
using import_ha::Report;
using import_ha::Why;

constexpr std::string_view kUsualFile = "automations.yaml";
constexpr core::Words kCallKeys{"action service"};
constexpr std::string_view kMendIt = "Mend it, then look with `hearth check`.";

struct PlacedText {
  std::string file;
  int line = 0;
  std::string text;  // behind the place
};

// Of `automations.yaml:12: what is wrong`; what has no place is all text.
PlacedText placed_text(std::string_view message) {
  const std::size_t colon = message.find(':');
  PlacedText all{{}, 0, std::string(message)};
  if (colon == std::string_view::npos) return all;
  int line = 0;
  const char* const begin = message.data() + colon + 1;
  const auto [end, error] = std::from_chars(begin, message.data() + message.size(), line);
  if (error != std::errc() || end == begin || line <= 0) return all;
  std::string_view rest = message.substr(static_cast<std::size_t>(end - message.data()));
  // Perhaps a column.
  while (!rest.empty() && (rest.front() == ':' || (rest.front() >= '0' && rest.front() <= '9'))) rest.remove_prefix(1);
  if (rest.starts_with(' ')) rest.remove_prefix(1);
  return {std::string(message.substr(0, colon)), line, std::string(rest)};
}

std::vector<std::string> lines_in(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    lines.emplace_back(text.substr(0, text.find('\n')));
    text.remove_prefix(std::min(lines.back().size() + 1, text.size()));
  }
  return lines;
}

std::string place_text(const ConfigNode& node) {
  return node.place().file ? fmt::format("{}:{}", *node.place().file, node.place().line) : std::string();
}

// Calls fit(key, node) for each text below the node.
template <class Fit>
const ConfigNode* find_text(const ConfigNode& node, std::string_view key, Fit&& fit) {
  if (node.is_text() && fit(key, node.text().value())) return &node;
  for (const ConfigNode& item : node.items()) {
    if (const ConfigNode* const found = find_text(item, key, fit)) return found;
  }
  for (const ConfigNode::Entry& entry : node.entries()) {
    if (const ConfigNode* const found = find_text(entry.value, entry.key, fit)) return found;
  }
  return nullptr;
}

class Check {
 public:
  Check(const ImportedHome& home, const Settings& settings, Report& report)
      : home_(home), settings_(settings), report_(report) {}

  import_ha::Identities run() {
    values();
    index_nodes();
    const auto read = automation::parse_configuration(settings_.automations);
    for (const auto& script : read.scripts) own_.insert("script." + script->unique_id);
    for (const auto& helper : automation::parse_helpers(settings_.automations).helpers) own_.insert(helper.entity_id());
    for (const auto& item : read.automations) own_.insert("automation." + item->object_id);
    for (const auto& plan : notifiers_.plans) {
      own_.insert(fmt::format("{}.{}", building_blocks::kNotify, plan->name));
      own_.insert(fmt::format("{0}.{0}", building_blocks::kNotify));
    }
    for (const auto& plan : rest_commands_.plans)
      own_.insert(fmt::format("{}.{}", building_blocks::kRestCommand, plan->name));
    for (const auto& plan : shell_commands_.plans)
      own_.insert(fmt::format("{}.{}", building_blocks::kShellCommand, plan->name));
    for (const std::string& fault : read.faults) wrong(fault);
    for (const auto& item : read.automations) check(*item);
    for (const auto& item : read.scripts) check(*item);
    others();
    return std::move(brought_);
  }

 private:
  void values() {
    for (const Finding& each : settings_.findings) {
      if (each.kind >= Finding::Kind::wrong) {
        wrong(each.message);
      } else if (each.kind == Finding::Kind::left_out) {
        PlacedText at = placed_text(each.message);
        report_.add({.what = "setting",
                     .id = fmt::format("{}:{}", at.file, at.line),
                     .fate = Fate::left,
                     .why = Why::unknown_section,
                     .text = std::move(at.text),
                     .file = at.file,
                     .line = at.line});
      }
    }
  }

  // Template entities, sensors, helpers, scenes and components of MQTT.
  void others() {
    const auto all = [&](const std::vector<std::string>& errors) {
      for (const std::string& error : errors) {
        for (const std::string& line : lines_in(error)) wrong(line);
      }
    };
    const auto templates = template_entities::parse_configuration(settings_.automations);
    all(errors_of(templates));
    for (const auto& plan : templates.plans)
      for (const auto& entity : plan->entities) brings("template", entity.form->domain(), entity.unique_id);
    const auto sensors = derived::parse_configuration(settings_.automations);
    all(errors_of(sensors));
    for (const auto& plan : sensors.plans) {
      brings(plan->platform, plan->domain, plan->unique_id);
      for (const std::string& domain : plan->also) brings(plan->platform, domain, plan->unique_id);
    }
    all(errors_of(notifiers_));
    for (const auto& plan : notifiers_.plans) brings(building_blocks::kNotify, building_blocks::kNotify, plan->name);
    all(errors_of(rest_commands_));
    all(errors_of(shell_commands_));
    const auto polled = building_blocks::parse_blocks(settings_.automations);
    all(errors_of(polled));
    for (const auto& plan : polled.plans)
      for (const auto& entity : plan->entities) brings(plan->block, entity.domain, entity.unique_id);
    const auto helpers = automation::parse_helpers(settings_.automations);
    all(errors_of(helpers));
    for (const auto* const list : {&helpers.helpers, &helpers.zones}) {
      for (const auto& item : *list) {
        const std::string entity_id = item.entity_id();
        brings(item.collection, entity_id.substr(0, entity_id.find('.')), item.id);
      }
    }
    const auto scenes = automation::parse_scenes(settings_.automations);
    all(errors_of(scenes));
    for (const auto& scene : scenes.plans) brings(domains::FileScenes::kIntegration, "scene", scene->unique_id);
    namespace mqtt = integrations::mqtt;
    all(mqtt::check_manual_items(mqtt::joined_sections({}, settings_.mqtt_components)));
  }

  void brings(std::string_view integration, std::string_view domain, std::string_view unique_id) {
    brought_.emplace(integration, domain, unique_id);
  }

  void wrong(std::string_view message) {
    PlacedText at = placed_text(message);
    report_.add({.what = "setting",
                 .id = at.file.empty() ? std::string(message) : fmt::format("{}:{}", at.file, at.line),
                 .fate = Fate::left,
                 .why = Why::broken,
                 .text = std::move(at.text),
                 .file = at.file,
                 .line = at.line,
                 .attention = "broken",
                 .todo = std::string(kMendIt)});
  }

  void check(const Item& item) {
    const std::string_view domain = automation::domain_of(item.kind);
    brings(domain, domain, item.unique_id);
    const core::RegisteredEntity* const entity = home_.registry.find_entity(domain, domain, item.unique_id);
    Report::Automation told;
    told.id = item.unique_id;
    told.entity_id = entity ? entity->entity_id : fmt::format("{}.{}", domain, item.object_id);
    if (home_.was) told.was = home_.was(told.entity_id);
    for (const std::string& line : lines_in(item.error)) {
      PlacedText at = placed_text(line);
      told.errors.push_back({at.line, in_file(at.file, std::move(at.text))});
    }
    missing(item, told);
    std::ranges::sort(told.errors, {}, [](const auto& error) { return std::tie(error.line, error.text); });
    // Scripts are told only if something is wrong; of automations a person wants to know which were on.
    if (item.kind == automation::ItemKind::automation || !told.errors.empty()) report_.add(std::move(told));
  }

  void missing(const Item& item, Report::Automation& told) {
    const ConfigNode* const node = node_of(item);
    auto named = automation::references_of(item);
    if (node) add_calls(*node, named.services);
    const auto note = [&](const std::string& what, auto&& fit) {
      const ConfigNode* const at = node ? find_text(*node, "", fit) : nullptr;
      const PlacedText place = placed_text(at ? place_text(*at) + ": " : item.place + ": ");
      told.errors.push_back({place.line, in_file(place.file, what + " is not there")});
    };
    for (const std::string& service : named.services) {
      if (services_.has(service) || own_.contains(service)) continue;
      note(service,
           [&](std::string_view key, const std::string& text) { return kCallKeys.contains(key) && text == service; });
    }
    for (const std::string& entity : named.entities) {
      if (knows(entity)) continue;
      note(entity, [&](std::string_view, const std::string& text) { return text.contains(entity); });
    }
  }

  bool knows(const std::string& entity_id) const {
    return home_.registry.entities.find(entity_id) || own_.contains(entity_id) || home_.is_there(entity_id);
  }

  // Literal names that are called, also of an item that cannot run.
  static void add_calls(const ConfigNode& node, std::set<std::string>& services) {
    find_text(node, "", [&](std::string_view key, const std::string& text) {
      if (kCallKeys.contains(key) && core::EntityId::parse(text)) services.insert(text);
      return false;
    });
  }

  // The items as they are written.
  void index_nodes() {
    const auto add = [&](const ConfigNode& node) { nodes_.emplace(place_text(node), &node); };
    for (const auto* const sections : {&settings_.automations.automations, &settings_.automations.scripts}) {
      for (const ConfigNode& section : *sections) {
        if (section.is_map() && section.find("action")) add(section);
        for (const ConfigNode& each : section.items()) add(each);
        for (const ConfigNode::Entry& entry : section.entries()) add(entry.value);
      }
    }
  }

  // Null if it stands behind an alias or the like.
  const ConfigNode* node_of(const Item& item) const {
    const auto found = nodes_.find(item.place);
    return found == nodes_.end() ? nullptr : found->second;
  }

  static std::string in_file(const std::string& file, std::string text) {
    return file.empty() || file == kUsualFile ? std::move(text) : fmt::format("{} ({})", text, file);
  }

  const ImportedHome& home_;
  const Settings& settings_;
  const building_blocks::NotifyConfiguration notifiers_ = building_blocks::parse_notifiers(settings_.automations);
  const building_blocks::RestConfiguration rest_commands_ = building_blocks::parse_rest_commands(settings_.automations);
  const building_blocks::ShellConfiguration shell_commands_ =
      building_blocks::parse_shell_commands(settings_.automations);
  Report& report_;
  const KnownServices services_;
  std::map<std::string, const ConfigNode*> nodes_;  // by place
  import_ha::Identities brought_;
  std::set<std::string, std::less<>> own_;  // entities that the files make; script.x is a service, too
};

}  // namespace

base::Result<import_ha::Identities> check_imported_home(const ImportedHome& home,
                                                        std::span<const KnownIntegration> integrations,
                                                        Report& report) {
  const auto settings = load_settings(home.folder, integrations);
  if (!settings) return std::unexpected(settings.error());
  return Check(home, *settings, report).run();
}

}  // namespace hearth::app
