// SPDX-License-Identifier: Apache-2.0
// For tests: small homes of the other hub, with made-up content.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "import_ha/report/report.h"
#include "import_ha/source/source.h"
#include "storage/temporary_folder.h"

namespace hearth::import_ha {

void write_file(const std::filesystem::path& file, std::string_view content);
std::string read_file(const std::filesystem::path& file);
// SHA-256 by path of all files below the folder.
std::map<std::string, std::string> digests_of(const std::filesystem::path& folder);

// A folder as the other hub has it, with a scratch folder beside it.
class OldHome {
 public:
  OldHome();
  std::filesystem::path operator/(std::string_view name) const { return folder() / name; }
  std::filesystem::path folder() const { return place_ / "old"; }
  std::filesystem::path scratch() const { return place_ / "scratch"; }
  const std::filesystem::path& around() const { return place_.path(); }
  Source::Options options() const { return {.scratch = scratch()}; }
  base::Result<Source> open() { return Source::open(folder(), options(), report); }

  Report report;

 private:
  storage::TemporaryFolder place_;
};

// A database of history with so many rows in `states`; nobody has it open afterwards.
void make_history(const std::filesystem::path& file, int schema = 53, int rows = 3);
std::int64_t count_states(OldDatabase& database);
inline std::int64_t count_states(OldDatabase&& database) {
  return count_states(database);
}

}  // namespace hearth::import_ha
