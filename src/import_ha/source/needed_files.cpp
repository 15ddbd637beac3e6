// SPDX-License-Identifier: Apache-2.0
#include "import_ha/source/needed_files.h"

#include <algorithm>
#include <array>
#include <span>

namespace hearth::import_ha {
namespace {

constexpr std::string_view kStorageFolder = ".storage";
constexpr std::string_view kComponents = "custom_components";
// All of them is needed.
constexpr std::array<std::string_view, 3> kWholeFolders{"blueprints", "image", "www"};
constexpr std::array<std::string_view, 4> kUnneededFolders{"backups", "deps", "tmp_backups", "tts"};
constexpr std::array<std::string_view, 6> kTextEndings{".yaml", ".yml", ".json", ".jinja", ".jinja2", ".ics"};
constexpr std::array<std::string_view, 3> kDatabaseEndings{".db", ".sqlite", ".sqlite3"};
constexpr std::array<std::string_view, 3> kBesideDatabase{"", "-wal", "-journal"};

bool ends_with_any(std::string_view path, std::span<const std::string_view> endings) {
  return std::ranges::any_of(endings, [&](std::string_view ending) { return path.ends_with(ending); });
}

bool is_one_of(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::string_view first_part(std::string_view path) {
  return path.substr(0, path.find('/'));
}
std::string_view last_part(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

bool is_of_whole_folder(std::string_view path) {
  return is_one_of(kWholeFolders, first_part(path));
}

}  // namespace

bool may_hold_needed(std::string_view folder) {
  if (is_of_whole_folder(folder)) return true;
  if (first_part(folder) == kComponents) return std::ranges::count(folder, '/') < 2;
  if (first_part(folder) == kStorageFolder) return folder == kStorageFolder;
  const std::string_view name = last_part(folder);
  return !name.starts_with('.') && !name.starts_with("__") && name != "node_modules" &&
         !is_one_of(kUnneededFolders, first_part(folder));
}

Need need_of(std::string_view path) {
  const auto slash = path.find('/');
  if (slash == std::string_view::npos) {
    for (const std::string_view beside : kBesideDatabase) {
      if (path.ends_with(beside) && ends_with_any(path.substr(0, path.size() - beside.size()), kDatabaseEndings))
        return Need::database;
    }
    return path == ".HA_VERSION" || ends_with_any(path, kTextEndings) ? Need::file : Need::none;
  }
  for (auto end = slash; end != std::string_view::npos; end = path.find('/', end + 1)) {
    if (!may_hold_needed(path.substr(0, end))) return Need::none;
  }
  if (first_part(path) == kComponents)  // the names of what is installed, for the report
    return std::ranges::count(path, '/') == 2 && last_part(path) == "manifest.json" ? Need::file : Need::none;
  const bool all = is_of_whole_folder(path) || first_part(path) == kStorageFolder;
  return all || ends_with_any(path, kTextEndings) ? Need::file : Need::none;
}

}  // namespace hearth::import_ha
