// SPDX-License-Identifier: Apache-2.0
#include "import_ha/steps/dashboards_step.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/utf8.h"
#include "core/registry/collection.h"
#include "import_ha/steps/item_reader.h"
#include "import_ha/steps/registry_items.h"

namespace hearth::import_ha {
namespace {

using base::Result;

constexpr std::string_view kFirst = "lovelace";  // the url_path of the dashboard that everybody sees first
constexpr std::string_view kEnergyLists[] = {"energy_sources", "device_consumption", "device_consumption_water"};
constexpr std::string_view kPreferences = "preferences";

class DashboardsImport {
 public:
  DashboardsImport(const Source& source, core::RegistryData& data, Report& report)
      : source_(source), data_(data), report_(report) {}

  Result<void> run() {
    if (auto taken = take_list(); !taken) return taken;
    if (!first_is_listed_) {
      if (auto taken = take_content("lovelace", std::string(kFirst), "Overview"); !taken) return taken;
    }
    if (auto taken = take_resources(); !taken) return taken;
    if (auto taken = take_energy(); !taken) return taken;
    return take_system_data();
  }

 private:
  Result<void> take_list() {
    auto file = source_.read_storage("lovelace_dashboards", report_);
    if (!file) return std::unexpected(std::move(file.error()));
    if (!*file) return {};
    for (const json::object* const each : items_of((*file)->data, "items", "dashboard", (*file)->file, report_)) {
      ItemReader item(*each);
      const std::string id = item.needed_text("id"), url_path = item.needed_text("url_path");
      const std::string title = item.text("title").value_or(url_path);
      if (item.broken()) {
        report_.add(broken_thing("dashboard", id, item, (*file)->file));
        continue;
      }
      first_is_listed_ = first_is_listed_ || url_path == kFirst;
      auto content = take_content(fmt::format("lovelace.{}", id), url_path, title);
      if (!content) return content;
      // The first is there without being listed.
      if (url_path == kFirst || !content_is_there_) continue;
      const base::OptionalText icon = item.text("icon");
      json::object fields{{"url_path", url_path},
                          {"title", title},
                          {"icon", icon ? json::value(*icon) : json::value()},
                          {"show_in_sidebar", item.truth("show_in_sidebar", true)},
                          {"require_admin", item.truth("require_admin")}};
      core::Item made{.collection = std::string(core::kDashboards), .id = id, .fields = std::move(fields)};
      if (const auto place = data_.place_of(made); place && !data_.find_item(made.collection, made.id)) {
        made.position = *place;
        data_.set(std::move(made));
      }
    }
    return {};
  }

  // One dashboard is one thing in the report: what is on it.
  Result<void> take_content(const std::string& name, const std::string& url_path, const std::string& title) {
    content_is_there_ = false;
    auto file = source_.read_storage(name, report_);
    if (!file) return std::unexpected(std::move(file.error()));
    if (!*file) {
      if (url_path == kFirst) return {};
      report_.add({.what = "dashboard", .id = url_path, .name = title, .text = "it is empty"});
      content_is_there_ = true;
      return {};
    }
    Thing thing{.what = "dashboard", .id = url_path, .name = title, .file = (*file)->file};
    const json::object* const data = (*file)->data.if_object();
    const json::value* const config = data ? data->if_contains("config") : nullptr;
    if (!config || !config->is_object()) {
      // Nobody has changed it there: the old hub makes it of what the home has.
      if (config && config->is_null()) return {};
      thing.fate = Fate::left;
      thing.why = Why::broken;
      thing.text = "config is no object";
      report_.add(std::move(thing));
      return {};
    }
    std::string text = base::to_json(*config);
    if (text.size() > core::kMaxDashboardBytes) {
      thing.fate = Fate::left;
      thing.why = Why::out_of_range;
      thing.text = fmt::format("it has {} bytes; here at most {} are taken", text.size(), core::kMaxDashboardBytes);
      report_.add(std::move(thing));
      return {};
    }
    core::Item made{
        .collection = std::string(core::kDashboardContents), .id = url_path, .fields = {{"config", std::move(text)}}};
    place_item(std::move(made), std::move(thing), data_, report_);
    content_is_there_ = data_.find_item(core::kDashboardContents, url_path) != nullptr;
    return {};
  }

  Result<void> take_resources() {
    auto file = source_.read_storage("lovelace_resources", report_);
    if (!file) return std::unexpected(std::move(file.error()));
    if (!*file) return {};
    for (const json::object* const each : items_of((*file)->data, "items", "resource", (*file)->file, report_)) {
      ItemReader item(*each);
      const std::string id = item.needed_text("id"), url = item.needed_text("url");
      const std::string type = item.text("type").value_or("module");
      if (item.broken()) {
        report_.add(broken_thing("resource", id, item, (*file)->file));
        continue;
      }
      Thing thing{.what = "resource", .id = id, .name = url, .file = (*file)->file};
      if (url.starts_with("/hacsfiles/")) {
        thing.fate = Fate::left;
        thing.why = Why::no_integration;
        thing.text = "its file is kept by an integration that is not here";
        thing.instead = "put the file into www/ and name it /local/…";
        report_.add(std::move(thing));
        continue;
      }
      place_item({.collection = std::string(core::kPageResources), .id = id, .fields = {{"type", type}, {"url", url}}},
                 std::move(thing), data_, report_);
    }
    return {};
  }

  Result<void> take_energy() {
    auto file = source_.read_storage("energy", report_);
    if (!file) return std::unexpected(std::move(file.error()));
    const json::object* const data = *file ? (*file)->data.if_object() : nullptr;
    if (!data) return {};
    json::object fields;
    for (const std::string_view list : kEnergyLists) {
      const json::value* const value = data->if_contains(list);
      const auto is_object = [](const json::value& each) { return each.is_object(); };
      if (value && value->is_array() && std::ranges::all_of(value->get_array(), is_object)) fields[list] = *value;
    }
    place_item({.collection = std::string(core::kEnergy), .id = std::string(kPreferences), .fields = std::move(fields)},
               {.what = "energy", .id = std::string(kPreferences), .file = (*file)->file}, data_, report_);
    return {};
  }

  Result<void> take_system_data() {
    auto file = source_.read_storage("frontend.system_data", report_);
    if (!file) return std::unexpected(std::move(file.error()));
    const json::object* const data = *file ? (*file)->data.if_object() : nullptr;
    if (!data) return {};
    for (const auto& [key, value] : *data) {
      place_item({.collection = std::string(core::kPageData), .id = std::string(key), .fields = {{"value", value}}},
                 {.what = "page_setting", .id = base::utf8_excerpt(key), .file = (*file)->file}, data_, report_);
    }
    return {};
  }

  const Source& source_;
  core::RegistryData& data_;
  Report& report_;
  bool first_is_listed_ = false, content_is_there_ = false;
};

}  // namespace

Result<void> import_dashboards(const Source& source, core::RegistryData& data, Report& report) {
  return DashboardsImport(source, data, report).run();
}

}  // namespace hearth::import_ha
