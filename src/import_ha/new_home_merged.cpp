// SPDX-License-Identifier: Apache-2.0
// Files of a home that somebody uses, and those of the source beside them.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>

#include "backup/file.h"
#include "backup/home_files.h"
#include "core/values/words.h"
#include "import_ha/files/files_step.h"
#include "import_ha/new_home.h"
#include "yaml/yaml_document.h"

namespace hearth::import_ha {
namespace {

namespace fs = std::filesystem;
using base::Result;

// A package may have them, too, but they say how the hub is.
constexpr core::Words kHubSections{
    "home homeassistant http network zeroconf auth api frontend limits log logger recorder fleet prometheus audit "
    "import "
    "demo"};

// Null if there is no such file.
std::optional<std::string> text_in(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// A file that is there, whose mode stays.
Result<void> write_over(const fs::path& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (!file) return backup::folder_failure(path, "written", {errno, std::generic_category()});
  return {};
}

}  // namespace

// The file of both homes, item by item; null if the file counts as a whole.
std::optional<MergedYaml> NewHome::merge_file(const fs::path& name, const std::string& here,
                                              const std::string& theirs) const {
  if (name.extension() != ".yaml" && name.extension() != ".yml") return {};
  constexpr std::string_view kWhole[] = {"blueprints", "custom_templates", "www", kLeftBehindFolder};
  if (std::ranges::find(kWhole, name.begin()->native()) != std::end(kWhole)) return {};
  const auto makes_things = [&](const std::string& key) {
    return !kHubSections.contains(key) && hooks_.known.section &&
           hooks_.known.section(key, true).kind == KnownConfiguration::Kind::read;
  };
  if (name == backup::kConfigurationFile) return merge_sections(here, theirs, name.string(), makes_things);
  const auto document = yaml::parse_document(theirs, name.string());
  const bool package =
      document && document->root().IsMap() && std::ranges::all_of(document->root(), [&](const auto& pair) {
        return pair.first.IsScalar() && makes_things(pair.first.Scalar());
      });
  return package ? merge_sections(here, theirs, name.string(), makes_things) : merge_items(here, theirs, name.string());
}

void NewHome::tell_merged(const fs::path& name, const MergedYaml& merged, Report& report) {
  if (!merged.added.empty())
    report.note(fmt::format("{}: what is there stays, and {} of the former home stand behind it", name.string(),
                            merged.added.size()));
  for (const MergedYaml::Collision& each : merged.collisions) {
    Thing thing{.what = "collision",
                .id = fmt::format("{}: {}", name.string(), each.name),
                .fate = Fate::left,
                .why = Why::duplicate,
                .file = name.string(),
                .line = static_cast<int>(each.line)};
    thing.text = each.of_hub ? "a setting of the hub, which stays as it is" : "is there already, and differs";
    if (!each.of_hub) {
      thing.attention = "duplicate";
      thing.todo = fmt::format("Take what you want from {}/{}.", kLeftBehindFolder, name.string());
    }
    report.add(std::move(thing));
  }
}

Result<void> NewHome::merge_files(Report& report) {
  if (!keeps_home_) return {};
  std::error_code error;
  const fs::path from = files_of_source();
  if (!fs::exists(from, error)) return {};
  for (const auto& entry : fs::recursive_directory_iterator(from, error)) {
    if (!entry.is_regular_file()) continue;
    const fs::path name = fs::relative(entry.path(), from);
    const auto theirs = text_in(entry.path()), here = text_in(files() / name);
    if (here == theirs) continue;
    const bool usual = here && name == backup::kConfigurationFile && hooks_.is_default_configuration(*here);
    const auto merged = here && !usual ? merge_file(name, *here, *theirs) : std::nullopt;
    if (merged) {
      if (auto written = write_over(files() / name, merged->text); !written) return written;
      tell_merged(name, *merged, report);
      if (merged->collisions.empty()) continue;
      if (auto copied = copy_one(entry.path(), files() / kLeftBehindFolder / name); !copied) return copied;
      continue;
    }
    if (here && !usual) {
      if (auto copied = copy_one(entry.path(), files() / kLeftBehindFolder / name); !copied) return copied;
      report.add({.what = "file",
                  .id = name.string(),
                  .fate = Fate::left,
                  .why = Why::duplicate,
                  .text = "is there already, and differs",
                  .attention = "duplicate",
                  .todo = fmt::format("Take what you want from {}/{}.", kLeftBehindFolder, name.string())});
      continue;
    }
    if (auto copied = copy_one(entry.path(), files() / name); !copied) return copied;
  }
  if (error) return backup::folder_failure(from, "read", error);
  return backup::remove_whole(from);
}

}  // namespace hearth::import_ha
