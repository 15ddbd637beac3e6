// SPDX-License-Identifier: Apache-2.0
// Copies files of the old home to the same relative path of the new one. Paths are relative to both homes; none leaves
// them, links neither. One thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "import_ha/report/report.h"
#include "import_ha/source/source.h"
#include "storage/database.h"

namespace hearth::import_ha {

class HomeFiles {
 public:
  HomeFiles(const Source& source, std::filesystem::path home, const storage::GoOn& go_on, Report& report)
      : source_(source), home_(std::move(home)), go_on_(go_on), report_(report) {}

  // Null if there is none; a link out of the home is left. Fails with unavailable.
  base::Result<std::optional<std::string>> read(const std::filesystem::path& file) const;
  // Makes its folders. Fails with unavailable.
  base::Result<void> write(const std::filesystem::path& file, std::string_view text, unsigned mode = 0600) const;
  // With those above it. Fails with unavailable.
  base::Result<void> make_folder(const std::filesystem::path& folder) const;
  // Behind what the new home's file has. Fails with unavailable.
  base::Result<void> append(const std::filesystem::path& file, std::string_view text) const;
  // As it stands, to another place if `to` is given; true if there was such a file.
  base::Result<bool> copy(const std::filesystem::path& file, const std::filesystem::path& to = {}) const;
  // Each file below the folder counts as one `what`. Links out of the home and files above Source::kMaxFile are left.
  base::Result<void> copy_folder(const std::filesystem::path& folder, const std::string& what) const;
  // secrets.yaml of the file's folder and of those above it.
  base::Result<void> copy_secrets_of(const std::filesystem::path& file);

  // The file that `!include NAME` in that file names; null if it is out of the home.
  std::optional<std::filesystem::path> named(const std::filesystem::path& from, const std::string& name) const;
  // The *.yaml below the folder, sorted, as !include_dir_… of both hubs reads them.
  std::vector<std::filesystem::path> yaml_below(const std::filesystem::path& folder) const;
  bool has(const std::filesystem::path& file) const;

  Report& report() const { return report_; }

 private:
  bool is_inside(const std::filesystem::path& path) const;
  base::Result<void> copy_folder(const std::filesystem::path& folder, const std::string& what, int depth) const;
  base::Result<void> copy_plain(const std::filesystem::path& file, const std::string& what) const;
  void leave(const std::filesystem::path& file, const std::string& what, Why why, std::string text) const;

  const Source& source_;
  const std::filesystem::path home_;
  const storage::GoOn& go_on_;
  Report& report_;
  std::set<std::filesystem::path> secrets_;  // folders whose secrets.yaml is there
};

}  // namespace hearth::import_ha
