// SPDX-License-Identifier: Apache-2.0
#include "import_ha/files/files_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "base/json/json.h"
#include "import_ha/files/configuration_walk.h"
#include "import_ha/files/home_files.h"
#include "import_ha/files/stored_http.h"
#include "import_ha/report/instead.h"

namespace hearth::import_ha {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kConfiguration = "configuration.yaml";

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> names;
  std::error_code error;
  auto entry = fs::directory_iterator(folder, error);
  for (const auto end = fs::directory_iterator(); !error && entry != end; entry.increment(error))
    names.push_back(entry->path().filename());
  std::ranges::sort(names);
  return names;
}

// Each of custom_components/ by its name.
void leave_custom_components(const Source& source, Report& report) {
  for (const fs::path& name : entries_of(source.folder() / "custom_components")) {
    const fs::path manifest = fs::path("custom_components") / name / "manifest.json";
    const auto text = source.read_text(manifest);
    if (!text || !*text) continue;
    const auto read = base::parse_json(**text);
    const json::object* const fields = read ? read->if_object() : nullptr;
    const json::value* const title = fields ? fields->if_contains("name") : nullptr;
    report.add({.what = "custom_component",
                .id = name.string(),
                .name = title && title->is_string() ? std::string(title->get_string()) : "",
                .fate = Fate::left,
                .why = Why::no_integration,
                .file = manifest.generic_string(),
                .instead = std::string(sentence_of(instead_of(name.native()).way))});
  }
}

// Files that this hub reads without an include are read only if one names them there: nothing begins to run that did
// not run before.
base::Result<void> leave_unread(const ConfigurationWalk& walk, const HomeFiles& files) {
  for (const char* const name : {"automations.yaml", "scripts.yaml", "scenes.yaml"}) {
    if (walk.has_seen(name) || !files.has(name)) continue;
    const auto copied = files.copy(name, kLeftBehindFolder / fs::path(name));
    if (!copied) return std::unexpected(copied.error());
    files.report().note(fmt::format("{} is not included by the configuration, and was not in force: it is in {}/", name,
                                    kLeftBehindFolder));
  }
  return {};
}

// Kept as data, until something here reads it.
base::Result<void> keep_data(const HomeFiles& files) {
  for (const char* const name : {"homeassistant.exposed_entities", "assist_pipeline.pipelines"}) {
    const fs::path file = fs::path(".storage") / name;
    const auto copied = files.copy(file, kLeftBehindFolder / fs::path(name));
    if (!copied) return std::unexpected(copied.error());
    if (!*copied) continue;
    files.report().add({.what = "file",
                        .id = name,
                        .fate = Fate::left,
                        .why = Why::not_yet,
                        .text = fmt::format("kept in {}/", kLeftBehindFolder),
                        .file = file.generic_string(),
                        .instead = "not there yet: Hearth has no voice assistant"});
  }
  return {};
}

// The section of the bridge, for a hub that goes on: commented out, because its token is not known.
std::string bridge_lines(const Source& source, Report& report) {
  std::string url = "http://ADDRESS-OF-HOME-ASSISTANT:8123";
  const auto core = source.read_storage("core.config", report);
  const json::object* const data = core && *core ? (*core)->data.if_object() : nullptr;
  const json::value* const internal = data ? data->if_contains("internal_url") : nullptr;
  if (internal && internal->is_string() && !internal->get_string().empty()) url = std::string(internal->get_string());
  return fmt::format(
      "\n# The bridge, by which this hub shows what the other one has. Put a long-lived token of that one into\n"
      "# secrets.yaml as ha_token, and take these # away.\n"
      "# home_assistant:\n#   url: {}\n#   token: !secret ha_token\n",
      url);
}

base::Result<void> carry_configuration(const FilesPlan& plan, const HomeFiles& files, ConfigurationWalk& walk) {
  if (files.has(kConfiguration)) {
    if (auto done = walk.run(kConfiguration); !done) return done;
  } else {
    const auto core = plan.source.read_storage("core.config", files.report());
    if (!core) return std::unexpected(core.error());
    if (!*core)
      return base::fail(base::ErrorCode::invalid, "there is neither configuration.yaml nor .storage/core.config in it");
    const std::string_view text = "# The configuration of this hub: docs/configuration.md has the keys.\n";
    if (auto written = files.write(kConfiguration, text); !written) return written;
  }
  std::error_code error;
  for (const auto& [section, file] : {std::pair("template", kTemplatesFile), std::pair("mqtt", kMqttFile)}) {
    if (!fs::exists(plan.home / file, error)) continue;
    const std::string lines = fmt::format("\n{} made_on_pages: !include {}\n", section, file);
    if (auto written = files.append(kConfiguration, lines); !written) return written;
  }
  if (plan.side_by_side) {
    const std::string lines = bridge_lines(plan.source, files.report());
    if (auto written = files.append(kConfiguration, lines); !written) return written;
  }
  if (walk.has_http()) return {};
  const auto section = stored_http(plan.source, plan.side_by_side, files.report());
  if (!section) return std::unexpected(section.error());
  return section->empty() ? base::Result<void>() : files.append(kConfiguration, *section);
}

}  // namespace

base::Result<CarriedFiles> carry_files(const FilesPlan& plan, Report& report) {
  CarriedFiles result;
  HomeFiles files(plan.source, plan.home, plan.go_on, report);
  ConfigurationWalk walk(plan, files, report, result);
  if (auto done = carry_configuration(plan, files, walk); !done) return std::unexpected(done.error());
  if (auto done = leave_unread(walk, files); !done) return std::unexpected(done.error());
  if (!walk.left_behind().is_empty()) {
    if (auto done = files.write(kLeftBehindFile, walk.left_behind().text()); !done)
      return std::unexpected(done.error());
  }
  constexpr std::pair<const char*, const char*> kFolders[] = {
      {"blueprints", "blueprint"}, {"custom_templates", "custom_template"}, {"www", "picture"}};
  for (const auto& [folder, what] : kFolders) {
    if (auto done = files.copy_folder(folder, what); !done) return std::unexpected(done.error());
  }
  if (auto done = keep_data(files); !done) return std::unexpected(done.error());
  leave_custom_components(plan.source, report);
  if (files.has("ip_bans.yaml"))
    report.add({.what = "file",
                .id = "ip_bans.yaml",
                .fate = Fate::left,
                .why = Why::unknown_section,
                .file = "ip_bans.yaml",
                .instead = "addresses that guess passwords are delayed, then banned anew"});
  return result;
}

}  // namespace hearth::import_ha
