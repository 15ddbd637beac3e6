// SPDX-License-Identifier: Apache-2.0
#include "import_ha/source/storage_versions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace hearth::import_ha {
namespace {

struct VersionsOfFile {
  std::string_view name;
  std::array<KnownVersion, 2> known;
};

constexpr VersionsOfFile kVersions[] = {
    {"core.area_registry", {{{1, 9}}}},
    {"core.config", {{{1, 4}}}},
    {"core.config_entries", {{{1, 5}}}},
    {"core.device_registry", {{{1, 12}, {2, 0}}}},
    {"core.entity_registry", {{{1, 20}}}},
    {"energy", {{{1, 2}}}},
    {"input_select", {{{1, 2}}}},
    {"person", {{{1, 0}, {2, 0}}}},
    {"tag", {{{1, 3}}}},
};
constexpr KnownVersion kAnyOfOne[] = {{1, 0}};

constexpr std::pair kFirstStudied(2022, 4);  // year and month

}  // namespace

std::span<const KnownVersion> known_versions(std::string_view name) {
  const auto* const found = std::ranges::find(kVersions, name, &VersionsOfFile::name);
  if (found == std::end(kVersions)) return kAnyOfOne;
  return std::span(found->known).first(found->known[1].major == 0 ? 1 : 2);
}

std::string majors_of(std::span<const KnownVersion> known) {
  std::string text;
  for (const KnownVersion& version : known) text += fmt::format("{}{}.x", text.empty() ? "" : " and ", version.major);
  return text;
}

std::optional<bool> is_old_release(std::string_view version) {
  std::pair<int, int> release;
  const char* const end = version.data() + version.size();
  const auto year = std::from_chars(version.data(), end, release.first);
  if (year.ec != std::errc() || year.ptr == end || *year.ptr != '.') return {};
  if (std::from_chars(year.ptr + 1, end, release.second).ec != std::errc()) return {};
  return release < kFirstStudied;
}

}  // namespace hearth::import_ha
