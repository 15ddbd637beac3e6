// SPDX-License-Identifier: Apache-2.0
// The first file of a backup, backup.json: what it contains, and every file with size and SHA-256, in the order of the
// archive. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/json/json.h"
#include "base/result.h"

namespace hearth::backup {

constexpr std::string_view kManifestFile = "backup.json";
constexpr std::string_view kManifestDigestFile = "backup.json.sha256";  // in sha256sum's format
constexpr int kFormat = 1;
constexpr std::size_t kMaxFiles = 10'000;
constexpr std::size_t kMaxManifest = 8 << 20;                // bytes
constexpr std::uint64_t kMaxBytes = std::uint64_t(1) << 50;  // of all files: far more than any home's disk

struct Manifest {
  struct Entry {
    std::string path;  // relative to the configuration folder
    std::uint64_t bytes = 0;
    std::string sha256;
  };

  std::string version;  // of the hub that made it
  base::Timestamp created;
  std::string home_uuid;
  std::string home_name;
  std::string audit_head;     // of the home's audit log at that time, `number:hash`; empty if there was none
  bool configuration = true;  // what it includes besides users, registry and last states, which are always there
  bool history = true;
  std::vector<Entry> files;

  std::uint64_t bytes() const;  // of all files; at most kMaxBytes
};

std::string to_json(const Manifest& manifest);
// Fails with invalid, also if a path does not belong to a home (see is_home_path), or there are more than kMaxFiles
// files or kMaxBytes bytes.
base::Result<Manifest> parse_manifest(std::string_view text);

// Compares year, month and number of versions such as 2026.11.0.
bool is_newer(std::string_view version, std::string_view than);

}  // namespace hearth::backup
