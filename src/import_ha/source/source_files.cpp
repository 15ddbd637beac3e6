// SPDX-License-Identifier: Apache-2.0
// How Source reads single files.
#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "import_ha/source/contained_file.h"
#include "import_ha/source/source.h"
#include "import_ha/source/storage_versions.h"

namespace hearth::import_ha {
namespace {

using base::ErrorCode;
using base::Result;
namespace fs = std::filesystem;

// Files that the hub, or people, keep beside: never read in place of the file itself.
bool is_set_aside(std::string_view name) {
  return name.contains(".corrupt") || name.contains(".bak") || name.ends_with(".backup") || name.ends_with("~") ||
         name.ends_with(".tmp");
}

std::unexpected<base::Error> broken_file(const std::string& file, std::string_view reason) {
  return base::fail(ErrorCode::invalid,
                    fmt::format("{} is damaged: {}. Home Assistant would put it aside as {}.corrupt… and start without "
                                "it. Repair it, or use a backup.",
                                file, reason, file.substr(file.rfind('/') + 1)));
}

std::optional<int> version_number(const json::object& object, std::string_view key) {
  const auto* const found = object.if_contains(key);
  if (!found || !found->is_int64() || found->get_int64() < 0 || found->get_int64() > 1'000'000) return {};
  return static_cast<int>(found->get_int64());
}

}  // namespace

Result<void> Source::check_version(std::string_view name, const StorageFile& file, Report& report) const {
  const auto known = known_versions(name);
  const auto same = std::ranges::find(known, file.major, &KnownVersion::major);
  if (same != known.end()) {
    if (same->minor != 0 && file.minor > same->minor && told_.emplace(name).second) {
      report.note(fmt::format("{} has version {}.{}; this Hearth knows {}.{}, and reads what it knows.", file.file,
                              file.major, file.minor, same->major, same->minor));
    }
    return {};
  }
  if (!options_.accept_newer) {
    return base::fail(ErrorCode::unsupported,
                      fmt::format("{} has version {}.{}; this Hearth knows {}. Update Hearth, or try --accept-newer.",
                                  name, file.major, file.minor, majors_of(known)));
  }
  if (told_.emplace(name).second) {
    report.attend("newer_version",
                  fmt::format("{} has version {}.{}; this Hearth knows {}, and reads what it knows.", name, file.major,
                              file.minor, majors_of(known)),
                  "Compare what came from this file with the old home.");
  }
  return {};
}

Result<std::optional<StorageFile>> Source::read_storage(std::string_view name, Report& report) const {
  StorageFile file;
  file.file = fmt::format(".storage/{}", name);
  auto text = read_text(file.file);
  if (!text) return std::unexpected(std::move(text.error()));
  if (!*text) return std::optional<StorageFile>();
  if ((*text)->empty()) return broken_file(file.file, "it is empty (0 bytes)");
  auto parsed = base::parse_json(**text);
  if (!parsed) return broken_file(file.file, parsed.error().message);
  auto* const object = parsed->if_object();
  if (!object) return broken_file(file.file, "an object was expected");
  if (object->empty()) return std::optional<StorageFile>();
  const auto major = version_number(*object, "version");
  if (!major) return broken_file(file.file, "`version` must be a whole number");
  file.major = *major;
  if (object->contains("minor_version")) {
    const auto minor = version_number(*object, "minor_version");
    if (!minor) return broken_file(file.file, "`minor_version` must be a whole number");
    file.minor = *minor;
  }
  if (auto known = check_version(name, file, report); !known) return std::unexpected(std::move(known.error()));
  auto* const data = object->if_contains("data");
  if (!data) return broken_file(file.file, "`data` is missing");
  file.data = std::move(*data);
  return std::optional(std::move(file));
}

std::vector<std::string> Source::storage_names(std::string_view prefix) const {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(folder_ / ".storage", error), end; !error && at != end; at.increment(error)) {
    std::string name = at->path().filename().native();
    std::error_code gone;
    if (name.starts_with(prefix) && !is_set_aside(name) && at->is_regular_file(gone)) names.push_back(std::move(name));
  }
  std::ranges::sort(names);
  return names;
}

Result<std::optional<fs::path>> Source::locate(const fs::path& file) const {
  return locate_within(folder_, file);
}

Result<std::optional<std::string>> Source::read_text(const fs::path& file) const {
  const auto place = locate_within(folder_, file);
  if (!place) return std::unexpected(place.error());
  if (!*place) return std::optional<std::string>();
  auto text = read_whole(**place, file.native(), kMaxFile);
  if (!text) return std::unexpected(std::move(text.error()));
  return std::optional(std::move(*text));
}

}  // namespace hearth::import_ha
