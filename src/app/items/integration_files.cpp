// SPDX-License-Identifier: Apache-2.0
#include "app/items/integration_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/files/configuration_file.h"
#include "app/files/revised_file.h"
#include "app/items/item_revisions.h"
#include "app/sections/mqtt_sections.h"
#include "base/log/log.h"
#include "base/text/utf8.h"
#include "yaml/edit/yaml_editor.h"

namespace hearth::app {
namespace {

const IntegrationSettings* find_set(const Settings& settings, std::string_view name) {
  const auto found = std::ranges::find(settings.integrations, name, &IntegrationSettings::name);
  return found == settings.integrations.end() ? nullptr : &*found;
}

std::string place_of(const IntegrationSettings& set) {
  const base::ConfigNode::Place& place = set.options.place();
  const std::string file = place.file ? *place.file : std::string(kConfigurationFile);
  return place.line == 0 ? file : fmt::format("{}:{}", file, place.line);
}

// The connection of MQTT has commands of its own.
bool has_page(std::string_view name) {
  return name == kMqttKey;
}

}  // namespace

base::Result<json::array> IntegrationFiles::list() {
  const auto settings = load_();
  if (!settings) return std::unexpected(settings.error());
  json::array rows;
  for (const std::string& name : known_) {
    const IntegrationSettings* const set = find_set(**settings, name);
    rows.push_back(json::object{{"name", name},
                                {"set_by", has_page(name) ? "page" : "file"},
                                {"place", set ? json::value(json::string(place_of(*set))) : json::value()},
                                {"removable", set && !has_page(name)}});
  }
  return rows;
}

base::Result<void> IntegrationFiles::remove(const std::string& name, bool with_areas, const std::string& user_id,
                                            Gone gone) {
  using base::ErrorCode;
  if (std::ranges::find(known_, name) == known_.end())
    return base::fail(ErrorCode::not_found, fmt::format("There is no integration {}.", base::utf8_excerpt(name)));
  if (has_page(name)) {
    return base::fail(ErrorCode::unsupported,
                      fmt::format("{}: mqtt/config/delete removes its connection", base::utf8_excerpt(name)));
  }
  const auto settings = load_();
  if (!settings) return std::unexpected(settings.error());
  const IntegrationSettings* const set = find_set(**settings, name);
  if (!set) return base::fail(ErrorCode::not_found, fmt::format("{} does not name {}.", kConfigurationFile, name));
  auto text = read_configuration(folder_);
  if (!text) return std::unexpected(text.error());
  const auto before = yaml::parse_document(std::move(*text), std::string(kConfigurationFile));
  if (!before) return std::unexpected(before.error());
  const auto after = yaml::edit_item(*before, {yaml::ItemForm::map, name, {}, {}});
  if (!after) {
    return base::fail(after.error().code, fmt::format("{}: {} cannot be removed here: {}. Remove it in the file.",
                                                      place_of(*set), name, after.error().message));
  }
  const auto path = folder_ / kConfigurationFile;
  const json::object note = ItemRevisions::note({"integration", name}, user_id, name);
  if (auto written = write_revised(folder_, path, before->text, after->text, note); !written) return written;
  const auto now = load_();
  if (!now || find_set(**now, name)) {
    if (auto undone = undo_revised(folder_, path, before->text); !undone) return undone;
    if (!now) return std::unexpected(now.error());
    return base::fail(ErrorCode::unsupported, fmt::format("{} is named elsewhere, too: {}. Remove it there.", name,
                                                          place_of(*find_set(**now, name))));
  }
  base::log_info("config", "{} is removed from {}; the former text is kept in .revisions", name, kConfigurationFile);
  end_(name, with_areas, std::move(gone));
  return {};
}

}  // namespace hearth::app
