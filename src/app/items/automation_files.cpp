// SPDX-License-Identifier: Apache-2.0
#include "app/items/automation_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "app/files/configuration_file.h"
#include "app/files/revised_file.h"
#include "app/files/yaml_files.h"
#include "app/items/item_values.h"
#include "app/settings/blueprint_files.h"
#include "automation/config/json_node.h"
#include "automation/config/parsing.h"
#include "automation/items/item_parser.h"
#include "automation/items/key_renames.h"
#include "automation/items/scene_parser.h"
#include "core/values/entity_id.h"
#include "yaml/edit/lines_editor.h"
#include "yaml/item_lines.h"
#include "yaml/item_text.h"
#include "yaml/unresolved_yaml.h"

namespace hearth::app {
namespace {

namespace fs = std::filesystem;
using automation::ItemKind;
using base::ConfigNode;
using base::ErrorCode;

bool is_script(const std::string& domain) {
  return domain == "script";
}

// The node with the present names of its keys, and secrets masked.
json::value shown(const std::string& domain, const ConfigNode& node) {
  std::vector<std::string> secrets;
  return with_present_keys(domain, automation::written_as(node, &secrets));
}

// A body may have the id of its path, and no other.
base::Result<void> check_id(const std::string& domain, const std::string& id, const json::object& item) {
  const json::value* const own = is_script(domain) ? nullptr : item.if_contains("id");
  if (!own) return {};
  const std::string given = own->is_string() ? std::string(own->get_string()) : base::to_json(*own);
  if (given == id) return {};
  return base::fail(ErrorCode::invalid, fmt::format("id: expected {}, as in the path, found {}", id, given));
}

// Calls function(id, node) for each item.
template <class Function>
void for_each_item(const automation::Sections& sections, const std::string& domain, Function&& function) {
  if (is_script(domain)) {
    for (const ConfigNode& section : sections.scripts) {
      for (const ConfigNode::Entry& entry : section.entries()) {
        if (!automation::is_empty_file(entry.value)) function(entry.key, entry.value);
      }
    }
    return;
  }
  for (const ConfigNode& section : domain == "scene" ? sections.scenes : sections.automations) {
    for (const ConfigNode& item : automation::one_or_many(&section)) {
      const ConfigNode* const id = item.find("id");
      if (id && id->is_text()) function(id->text().value(), item);
    }
  }
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : "\n") + line;
  return text;
}

// Inputs that do not fit the blueprint that the item uses, if it uses one.
std::string misfits_of(const std::string& domain, const ConfigNode& item, const automation::Blueprints* blueprints) {
  const ConfigNode* const use = automation::use_of(item);
  if (!use) return {};
  const auto versions = automation::find_used(blueprints, domain, *use);
  if (!versions || !(*versions)->front()) return {};
  return joined(automation::misfits(*(*versions)->front(), *use));
}

// Its error; empty if there is none.
std::string errors_of_item(const std::string& domain, const std::string& id, const ConfigNode& node,
                           const std::shared_ptr<const automation::Blueprints>& blueprints) {
  automation::Sections sections;
  sections.blueprints = blueprints;
  if (is_script(domain)) {
    ConfigNode::Map map;
    map.push_back({id, node});
    sections.scripts.push_back(ConfigNode(ConfigNode::Place{}, std::move(map)));
  } else {
    (domain == "scene" ? sections.scenes : sections.automations)
        .push_back(ConfigNode(ConfigNode::Place{}, ConfigNode::List{node}));
  }
  if (domain == "scene") return joined(errors_of(automation::parse_scenes(sections)));
  const automation::Configuration read = automation::parse_configuration(sections);
  std::vector<std::string> errors = errors_of(read);
  // A running automation may go on with a former version of its blueprint; a saved one fits the present one.
  for (const auto* const list : {&read.automations, &read.scripts}) {
    for (const auto& item : *list)
      if (!item->outdated.empty()) errors.push_back(item->outdated);
  }
  return errors.empty() ? misfits_of(domain, node, blueprints.get()) : joined(errors);
}

std::unexpected<base::Error> no_object_id() {
  return base::fail(ErrorCode::invalid, "Expected an object id of small letters, digits and underscores in the path.");
}

std::size_t line_count(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n')) + !text.ends_with('\n');
}

}  // namespace

base::Result<AutomationFiles::Place> AutomationFiles::find(const automation::Sections& sections,
                                                           const std::string& domain, const std::string& id) const {
  const ConfigNode* found = nullptr;
  for_each_item(sections, domain, [&](const std::string& other, const ConfigNode& node) {
    if (other == id) found = &node;
  });
  if (!found) return base::fail(ErrorCode::not_found, fmt::format("There is no {} {}.", domain, id));
  json::value current = shown(domain, *found);
  if (!current.is_object())
    return base::fail(ErrorCode::unsupported, fmt::format("The {} {} is no object.", domain, id));
  return Place{found->place().file ? *found->place().file : "", found->place().key, std::move(current.get_object())};
}

base::Result<AutomationFiles::Item> AutomationFiles::read(const std::string& domain, const std::string& id) {
  const auto settings = load_();
  if (!settings) return std::unexpected(settings.error());
  auto place = find((*settings)->automations, domain, id);
  if (!place) return std::unexpected(place.error());
  return Item{std::move(place->current), own_text_of(domain, id, *place)};
}

base::Result<void> AutomationFiles::write(const std::string& domain, const std::string& id, const json::object& item,
                                          const By& by, Active active) {
  if (is_script(domain) && !core::is_slug(id)) return no_object_id();
  if (auto checked = check_id(domain, id, item); !checked) return checked;
  json::object wanted = item;
  if (!is_script(domain)) wanted["id"] = json::string(id);
  const auto settings = load_();
  if (!settings) return std::unexpected(settings.error());
  if (std::string errors =
          errors_of_item(domain, id, automation::node_of_json(wanted, ""), (*settings)->automations.blueprints);
      !errors.empty())
    return base::fail(ErrorCode::invalid, std::move(errors));
  // From here on in the present spelling, as what is there is compared.
  wanted = std::move(with_present_keys(domain, std::move(wanted)).get_object());
  auto place = find((*settings)->automations, domain, id);
  if (!place && place.error().code != ErrorCode::not_found) return std::unexpected(place.error());
  if (yaml::has_mark(wanted)) return base::fail(ErrorCode::invalid, "A text begins with a control character (U+0001).");
  if (place) {
    if (auto checked = check_label(folder_, domain, id, place->file, place->key); !checked) return checked;
  }
  yaml::ItemChange asked{ItemRevisions::form_of(domain), id, {}, {}, automation::new_key_of};
  const std::string file = place ? place->file : ItemRevisions::default_file(domain);
  const auto before = parsed(file);
  if (!before) return std::unexpected(before.error());
  if (place) {
    auto source = meaning_in(before->marked, domain, id, place->key);
    if (!source) return base::fail(source.error().code, fmt::format("{}: {}", file, source.error().message));
    asked.current = std::move(*source);
    asked.key = place->key;
  }
  auto marked = with_marks(wanted, place ? place->current : json::object(), asked.current);
  if (!marked) return std::unexpected(marked.error());
  asked.wanted = std::move(*marked);
  const auto after = yaml::edit_item(*before, asked, parse_);
  if (!after) return base::fail(after.error().code, fmt::format("{}: {}", file, after.error().message));
  // The whole text is written as asked, or nothing is.
  const std::string key_now = yaml::key_after(after->marked.root, asked);
  const auto meaning = meaning_in(after->marked, domain, id, key_now);
  if (!meaning) return base::fail(meaning.error().code, fmt::format("{}: {}", file, meaning.error().message));
  const json::value expected = with_present_keys(domain, *asked.wanted);
  if (const std::string key = differing_key(*meaning, expected.get_object()); !key.empty()) {
    return base::fail(
        ErrorCode::unsupported,
        fmt::format("{}: {}: {} cannot be changed here: it comes from an anchor (<<), or the like", file, id, key));
  }
  return put({domain, id}, {file, key_now, before->text, after->text}, by, std::move(active));
}

base::Result<void> AutomationFiles::remove(const std::string& domain, const std::string& id, const By& by,
                                           Active active) {
  const auto settings = load_();
  if (!settings) return std::unexpected(settings.error());
  auto place = find((*settings)->automations, domain, id);
  if (!place) return std::unexpected(place.error());
  if (auto checked = check_label(folder_, domain, id, place->file, place->key); !checked) return checked;
  const auto before = parsed(place->file);
  if (!before) return std::unexpected(before.error());
  const auto edited = yaml::edit_item(
      *before, {ItemRevisions::form_of(domain), id, std::move(place->current), {}, automation::new_key_of, place->key},
      parse_);
  if (!edited) return base::fail(edited.error().code, fmt::format("{}: {}", place->file, edited.error().message));
  return put({domain, id}, {place->file, place->key, before->text, edited->text, true}, by, std::move(active));
}

base::Result<json::object> AutomationFiles::revisions(const std::string& domain, const std::string& id) {
  const auto settings = load_();
  if (!settings) return std::unexpected(settings.error());
  const auto place = find((*settings)->automations, domain, id);
  std::optional<ItemRevisions::Source> now;
  if (place) {
    now.emplace(place->file);
    if (auto there = yaml::item_place(ItemRevisions::form_of(domain), id, place->key)) now->places.push_back(*there);
  }
  return ItemRevisions(folder_).list({domain, id}, now);
}

base::Result<json::array> AutomationFiles::deleted(const std::string& domain) {
  const auto settings = load_();
  if (!settings) return std::unexpected(settings.error());
  std::set<std::string> there;
  for_each_item((*settings)->automations, domain, [&](const std::string& id, const ConfigNode&) { there.insert(id); });
  return ItemRevisions(folder_).deleted(domain, there);
}

base::Result<void> AutomationFiles::restore(const std::string& domain, const std::string& id,
                                            const std::string& revision, const By& by, Active active) {
  const auto former = ItemRevisions(folder_).find({domain, id}, revision);
  if (!former) return std::unexpected(former.error());
  const auto settings = load_();
  if (!settings) return std::unexpected(settings.error());
  const auto place = find((*settings)->automations, domain, id);
  if (!place && place.error().code != ErrorCode::not_found) return std::unexpected(place.error());
  const std::string& file = place ? place->file : former->file;
  const std::string& key = place ? place->key : former->place.within;
  if (auto checked = check_label(folder_, domain, id, file, key); !checked) return checked;
  if (!place)
    return put_lines({domain, id}, file, former->place, former->lines, nullptr, **settings, by, std::move(active));
  const auto there = place_in_text(domain, id, *place);
  if (!there) return std::unexpected(there.error());
  return put_lines({domain, id}, file, *there, former->lines, nullptr, **settings, by, std::move(active));
}

base::Result<void> AutomationFiles::put_lines(const ItemRevisions::Item& named, const std::string& file,
                                              const yaml::ItemPlace& place, const std::string& lines,
                                              const std::string* own, const Settings& settings, const By& by,
                                              Active active) {
  const auto& [domain, id] = named;
  const auto former = parsed(file);
  if (!former) return std::unexpected(former.error());
  const auto edited = yaml::put_item_lines(*former, place, id, lines, parse_);
  if (!edited) return base::fail(edited.error().code, fmt::format("{}: {}", file, edited.error().message));
  // As it would be read there, with what it includes and its secrets.
  YamlFiles files(folder_);
  const auto loaded = files.load(edited->file, file);
  if (!loaded) return std::unexpected(loaded.error());
  const auto key = yaml::item_key(loaded->root, place, id);
  const ConfigNode* const item = key ? yaml::node_at(loaded->root, *key) : nullptr;
  if (!item) return base::fail(ErrorCode::unsupported, fmt::format("{}: {} cannot be put there", file, id));
  if (std::string errors = errors_of_item(domain, id, *item, settings.automations.blueprints); !errors.empty()) {
    // The user's text is the last part of the lines; the hub has added the key or the id before it.
    const std::size_t last = edited->first + edited->count;
    if (own) errors = yaml::in_own_text(errors, file, item->place().line, last - line_count(*own));
    return base::fail(ErrorCode::invalid, std::move(errors));
  }
  return put(named, {file, *key, former->text, edited->file.text}, by, std::move(active));
}

base::Result<yaml::ItemPlace> AutomationFiles::place_in_text(const std::string& domain, const std::string& id,
                                                             const Place& place) {
  if (auto there = yaml::item_place(ItemRevisions::form_of(domain), id, place.key)) return *std::move(there);
  return base::fail(ErrorCode::unsupported,
                    fmt::format("{}: {} is part of {} and has no lines of its own", place.file, id, place.key));
}

base::Result<std::string> AutomationFiles::own_text_of(const std::string& domain, const std::string& id,
                                                       const Place& place) const {
  const auto text = text_to_change(place.file);
  if (!text) return std::unexpected(text.error());
  const auto there = place_in_text(domain, id, place);
  if (!there) return std::unexpected(there.error());
  const auto lines = yaml::item_lines(*text, *there, id);
  auto own = lines ? yaml::own_text(*lines, there->form) : std::nullopt;
  if (!own) {
    return base::fail(ErrorCode::unsupported,
                      fmt::format("{}: {} has no lines of its own, such as those behind a dash", place.file, id));
  }
  return std::move(*own);
}

base::Result<void> AutomationFiles::write_text(const std::string& domain, const std::string& id,
                                               const std::string& text, const By& by, Active active) {
  if (is_script(domain) && !core::is_slug(id)) return no_object_id();
  const yaml::ItemForm form = ItemRevisions::form_of(domain);
  if (auto checked = yaml::check_own_text(text, form, id); !checked) return checked;
  const auto settings = load_();
  if (!settings) return std::unexpected(settings.error());
  const auto place = find((*settings)->automations, domain, id);
  if (!place && place.error().code != ErrorCode::not_found) return std::unexpected(place.error());
  if (!place) {
    return put_lines({domain, id}, ItemRevisions::default_file(domain), {form}, yaml::lines_of_text(text, form, id, ""),
                     &text, **settings, by, std::move(active));
  }
  if (auto checked = check_label(folder_, domain, id, place->file, place->key); !checked) return checked;
  const auto there = place_in_text(domain, id, *place);
  const auto former = text_to_change(place->file);
  if (!there || !former) return std::unexpected(there ? former.error() : there.error());
  const std::string lines = yaml::lines_of_text(text, form, id, yaml::item_lines(*former, *there, id).value_or(""));
  return put_lines({domain, id}, place->file, *there, lines, &text, **settings, by, std::move(active));
}

base::Result<yaml::YamlDocument> AutomationFiles::parsed(const std::string& file) const {
  auto text = text_to_change(file);
  if (!text) return std::unexpected(std::move(text.error()));
  auto document = parse_(std::move(*text), file);
  if (document) return document;
  return base::fail(document.error().code, fmt::format("Nothing can be saved in {}, because it cannot be read: {}",
                                                       file, document.error().message));
}

base::Result<std::string> AutomationFiles::text_to_change(const std::string& file) const {
  auto text = read_text_file(folder_ / file);
  if (!text && text.error().code == ErrorCode::not_found) return std::string();
  return text;
}

base::Result<void> AutomationFiles::put(const ItemRevisions::Item& item, const Change& change, const By& by,
                                        Active active) {
  const fs::path path = folder_ / change.file;
  const json::object note = ItemRevisions::note(item, by, change.key);
  // A file that was an item's alone goes with it, unless something names the file.
  const bool goes = change.removes && change.key.empty() && !is_included_by_name(change.file);
  const auto done = goes ? remove_revised(folder_, path, change.former, note)
                         : write_revised(folder_, path, change.former, change.text, note);
  if (!done) return done;
  const auto settings = load_();
  if (!settings) {
    // A refused text must not be there after a restart.
    if (auto undone = undo_revised(folder_, path, change.former); !undone) return undone;
    return std::unexpected(settings.error());
  }
  const bool there = find((*settings)->automations, item.domain, item.id).has_value();
  if (!change.removes && !there) {
    if (auto undone = undo_revised(folder_, path, change.former); !undone) return undone;
    return base::fail(ErrorCode::unsupported,
                      fmt::format("{}: nothing includes it, so {} would not be read there", change.file, item.id));
  }
  // One of the same name may stand elsewhere.
  std::vector<std::string> removed;
  if (change.removes && !there) removed.push_back(item.domain + "." + item.id);
  apply_(**settings, std::move(removed), [this, item, by, active = std::move(active)] {
    tell_(item, by);
    active();
  });
  return {};
}

bool AutomationFiles::is_included_by_name(const std::string& file) const {
  const auto text = read_text_file(folder_ / kConfigurationFile);
  YamlFiles files(folder_);
  if (!text) return true;  // a file too many does no harm
  static_cast<void>(files.load(*text, std::string(kConfigurationFile)));
  return files.names(file);
}

}  // namespace hearth::app
