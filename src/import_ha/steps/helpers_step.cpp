// SPDX-License-Identifier: Apache-2.0
#include "import_ha/steps/helpers_step.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "core/registry/collection_type.h"
#include "import_ha/report/instead.h"
#include "import_ha/steps/helper_entries.h"
#include "import_ha/steps/item_reader.h"
#include "import_ha/steps/lists_step.h"
#include "import_ha/steps/pictures.h"
#include "import_ha/steps/registry_items.h"
#include "yaml/yaml_writer.h"

namespace hearth::import_ha {
namespace {

using base::Result;

// Kinds with a file of their own, as there and here, and what one is called in the report.
constexpr std::pair<std::string_view, std::string_view> kKinds[] = {
    {"input_boolean", "helper"}, {"input_button", "helper"}, {"input_number", "helper"},   {"input_text", "helper"},
    {"input_select", "helper"},  {"counter", "helper"},      {"input_datetime", "helper"}, {"timer", "helper"},
    {"schedule", "helper"},      {"zone", "zone"},           {"person", "person"},         {"tag", "tag"},
};

class HelpersImport {
 public:
  HelpersImport(const HelpersPlan& plan, Report& report) : plan_(plan), report_(report) {}

  Result<void> run() {
    for (const auto& [kind, what] : kKinds) {
      if (auto taken = take_kind(kind, what); !taken) return taken;
    }
    auto entries = read_config_entries(plan_.source, report_);
    if (!entries) return std::unexpected(std::move(entries.error()));
    for (const ConfigEntry& entry : *entries) {
      if (!is_list(entry.domain)) {
        take_entry(entry);
      } else if (auto taken = take_list(entry, plan_.zone, plan_.source, plan_.data, report_); !taken) {
        return taken;
      }
    }
    return write_made();
  }

 private:
  Result<void> take_kind(std::string_view kind, std::string_view what) {
    auto file = plan_.source.read_storage(kind, report_);
    if (!file) return std::unexpected(std::move(file.error()));
    if (!*file) return {};
    const std::string& path = (*file)->file;
    for (const json::object* const each : items_of((*file)->data, "items", what, path, report_)) {
      ItemReader item(*each);
      const std::string id = item.text("id").value_or(item.text("tag_id").value_or(""));
      Thing thing{.what = std::string(what), .id = id, .name = item.text("name").value_or(""), .file = path};
      thing.platform = kind;
      if (id.empty()) {
        thing.fate = Fate::left;
        thing.why = Why::broken;
        thing.text = "id is missing";
        report_.add(std::move(thing));
        continue;
      }
      take_item(kind, *each, std::move(thing));
    }
    return {};
  }

  void take_item(std::string_view kind, const json::object& item, Thing thing) {
    const core::CollectionType* const type = core::find_collection_type(kind);
    json::object given;
    std::string unknown;
    for (const auto& [key, value] : item) {
      if (key == std::string_view("id") || key == std::string_view("tag_id") || value.is_null()) continue;
      const auto known = [&](const core::CollectionField& field) { return field.field.name == std::string_view(key); };
      if (std::ranges::any_of(type->fields, known))
        given[key] = value;
      else if (key != std::string_view("last_scanned"))
        unknown += (unknown.empty() ? "left out: " : ", ") + std::string(key);
    }
    thing.text = unknown;
    if (kind == "person") fit_person(given, thing);
    if (kind == "tag") name_tag(given, thing);
    auto fields = type->fields_of(given);
    if (!fields) {
      thing.fate = Fate::left;
      thing.why = Why::broken;
      thing.text = fields.error().message;
      report_.add(std::move(thing));
      return;
    }
    core::Item made{.collection = std::string(kind), .id = thing.id, .fields = std::move(*fields)};
    place_item(std::move(made), std::move(thing), plan_.data, report_);
  }

  void fit_person(json::object& fields, Thing& thing) {
    const json::value* const user = fields.if_contains("user_id");
    if (user && !(user->is_string() && plan_.users.contains(std::string(user->get_string())))) {
      add_text(thing.text, "its account was left");
      fields.erase("user_id");
    }
    const json::value* const picture = fields.if_contains("picture");
    if (!picture || !picture->is_string()) return;
    const auto taken = take_picture(plan_.source, plan_.home, picture->get_string());
    if (taken && !taken->empty()) {
      fields["picture"] = *taken;
    } else if (!taken || is_stored_picture(picture->get_string())) {
      add_text(thing.text, taken ? "its picture is not there" : taken.error().message);
      fields.erase("picture");
    }
  }

  // Newer versions keep a tag's name in the registry.
  void name_tag(json::object& fields, Thing& thing) {
    const core::RegisteredEntity* const entity = plan_.data.find_entity("tag", "tag", thing.id);
    const core::OptionalText name = !entity        ? core::OptionalText()
                                    : entity->name ? entity->name
                                                   : entity->original_name;
    if (name) fields["name"] = *name;
    if (thing.name.empty()) thing.name = name.value_or("");
  }

  void take_entry(const ConfigEntry& entry) {
    if (entry.domain == "template") return take_template(entry);
    if (is_helper(entry.domain)) return take_helper(entry);
    if (entry.domain == "mqtt") take_mqtt_devices(entry, plan_.check_components, mqtt_, report_);
    Thing thing{
        .what = "integration", .id = entry.id, .name = entry.title, .platform = entry.domain, .file = kConfigEntries};
    if (entry.domain == "mqtt" ? plan_.mqtt : is_built_in(entry.domain)) {
      report_.add(std::move(thing));
      return;
    }
    const Instead instead = instead_of(entry.domain);
    thing.fate = Fate::left;
    thing.why = Why::no_integration;
    thing.instead = instead.way;
    if (entry.domain == "mobile_app") {
      thing.text = "what the companion app reports does not come";
      thing.attention = "mobile_app";
      thing.todo = "Log in to this home in the phone's app; it then registers here.";
    }
    report_.add(std::move(thing));
  }

  Thing helper_thing(const ConfigEntry& entry) const {
    return {.what = "helper", .id = entry.id, .name = entry.title, .platform = entry.domain, .file = kConfigEntries};
  }

  void broken(Thing thing, const std::string& message) {
    thing.fate = Fate::left;
    thing.why = Why::broken;
    thing.text = message;
    report_.add(std::move(thing));
  }

  void take_helper(const ConfigEntry& entry) {
    auto item = helper_item(entry, plan_.old.entity_ids);
    if (!item) return broken(helper_thing(entry), item.error().message);
    Thing thing = helper_thing(entry);
    thing.text = item->note;
    place_item({.collection = item->collection, .id = item->id, .fields = std::move(item->fields)}, std::move(thing),
               plan_.data, report_);
  }

  void take_template(const ConfigEntry& entry) {
    std::string entity_id;
    for (const OldEntity& each : plan_.old.entities)
      if (each.platform == "template" && each.unique_id == entry.id) entity_id = each.entity_id;
    auto made = template_entry(entry, entity_id);
    if (!made) return broken(helper_thing(entry), made.error().message);
    json::value& list = templates_[made->domain];
    if (!list.is_array()) list = json::array();
    list.get_array().push_back(std::move(made->fields));
    Thing thing = helper_thing(entry);
    thing.text = made->note;
    report_.add(std::move(thing));
  }

  // YAML of what people made on pages there.
  Result<void> write_made() {
    if (!mqtt_.empty()) {
      const std::string text =
          "# Devices of MQTT that people made on the pages of the former hub.\n" + yaml::yaml_of(mqtt_);
      if (auto written = write_new_file(plan_.home / kMqttFile, text); !written) return written;
    }
    if (templates_.empty()) return {};
    json::array sections;
    for (auto& [domain, entities] : templates_) sections.push_back(json::object{{domain, std::move(entities)}});
    const std::string text =
        "# Template entities that people made on the pages of the former hub.\n" + yaml::yaml_of(sections);
    return write_new_file(plan_.home / kTemplatesFile, text);
  }

  static constexpr const char* kConfigEntries = ".storage/core.config_entries";

  const HelpersPlan& plan_;
  Report& report_;
  json::object templates_;  // lists of entities by domain
  json::object mqtt_;       // lists of components by component
};

}  // namespace

Result<void> import_helpers(const HelpersPlan& plan, Report& report) {
  return HelpersImport(plan, report).run();
}

}  // namespace hearth::import_ha
