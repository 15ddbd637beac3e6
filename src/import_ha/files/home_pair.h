// SPDX-License-Identifier: Apache-2.0
// For tests: an old home of made-up files, and the new one beside it.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "import_ha/files/known_configuration.h"
#include "import_ha/report/report.h"
#include "import_ha/source/source.h"
#include "storage/temporary_folder.h"

namespace hearth::import_ha {

class HomePair {
 public:
  HomePair() {
    std::filesystem::create_directories(folder() / ".storage");
    std::filesystem::create_directories(home());
    put(".HA_VERSION", "2026.2.3");
    put_storage("core.config", "{}");
    put_storage("core.entity_registry", R"({"entities": []})");
  }

  std::filesystem::path folder() const { return temporary_ / "old"; }
  std::filesystem::path home() const { return temporary_ / "new"; }

  void put(const std::filesystem::path& file, std::string_view text) const {
    std::filesystem::create_directories((folder() / file).parent_path());
    std::ofstream(folder() / file, std::ios::binary) << text;
  }
  void put_storage(const std::string& name, std::string_view data) const {
    put(std::filesystem::path(".storage") / name,
        R"({"version": 1, "minor_version": 1, "key": ")" + name + R"(", "data": )" + std::string(data) + "}");
  }
  Source open(Report& report) const {
    return Source::open(folder(), {.scratch = temporary_ / "scratch"}, report).value();
  }

  // A file of the new home; "(none)" if there is none.
  std::string made(const std::filesystem::path& file) const {
    std::ifstream in(home() / file, std::ios::binary);
    return in ? std::string{std::istreambuf_iterator<char>(in), {}} : "(none)";
  }
  unsigned mode(const std::filesystem::path& file) const {
    return static_cast<unsigned>(std::filesystem::status(home() / file).permissions());
  }

 private:
  storage::TemporaryFolder temporary_;
};

}  // namespace hearth::import_ha
