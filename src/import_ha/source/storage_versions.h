// SPDX-License-Identifier: Apache-2.0
// The versions of the old hub's files that the import knows. Any thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace hearth::import_ha {

struct KnownVersion {
  int major;
  int minor;  // the newest one; 0: any
};

// Of .storage/NAME. A file that is not listed is known as 1.x.
std::span<const KnownVersion> known_versions(std::string_view name);
// "1.x", "1.x and 2.x".
std::string majors_of(std::span<const KnownVersion> known);

// The schemas of the database of history.
constexpr int kOldestSchema = 38, kNewestSchema = 53;

// True if that release of the hub ("2022.3.1", "0.118.0") is older than those whose files were studied. Null if it is
// no release's number.
std::optional<bool> is_old_release(std::string_view version);

}  // namespace hearth::import_ha
