// SPDX-License-Identifier: Apache-2.0
// What stands first in a backup, as backup.json: what it is of, and every file in it with size and SHA-256, in the
// order in which they follow. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "base/result.h"

namespace hearth::backup {

constexpr std::string_view kManifestFile = "backup.json";
constexpr std::string_view kManifestDigestFile = "backup.json.sha256";  // as sha256sum writes it
constexpr int kFormat = 1;
constexpr std::size_t kMaxFiles = 10'000;
constexpr std::size_t kMaxManifest = 8 << 20;                // bytes
constexpr std::uint64_t kMaxBytes = std::uint64_t(1) << 50;  // of all files: far more than any disk of a home

struct Manifest {
  struct Entry {
    std::string path;  // from the configuration folder on
    std::uint64_t bytes = 0;
    std::string sha256;
  };

  std::string version;  // of the hub that made it
  base::Timestamp created;
  std::string home_uuid;
  std::string home_name;
  bool configuration = true;  // what it includes, besides users, registry and last states, which are always there
  bool history = true;
  std::vector<Entry> files;

  std::uint64_t bytes() const;  // of all files; at most kMaxBytes
};

std::string to_json(const Manifest& manifest);
// Fails with invalid, also if a path does not belong into a home (see is_home_path), or if there are more than
// kMaxFiles files or kMaxBytes bytes.
base::Result<Manifest> parse_manifest(std::string_view text);

// Whether the year, month and number of the one are later than those of the other: 2026.11.0.
bool is_newer(std::string_view version, std::string_view than);

}  // namespace hearth::backup
