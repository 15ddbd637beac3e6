// SPDX-License-Identifier: Apache-2.0
// Files that templates import: the files *.jinja in the folder custom_templates of the configuration and in folders
// within it. Any thread; one `reload` at a time.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "base/threads/published.h"
#include "template/values/environment.h"

namespace hearth::templates {

class CustomTemplates {
 public:
  static constexpr std::size_t kMostFiles = 500;
  static constexpr std::size_t kMostBytes = 4 * 1024 * 1024;  // of all files
  static constexpr int kMostFolders = 8;                      // within each other

  // Reads nothing yet.
  explicit CustomTemplates(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // Reads the folder; one that does not exist is empty. Fails with invalid if a file cannot be read or there are too
  // many: the former ones then stay. If one is wrong, it fails, too, but all are in force.
  base::Result<void> reload();
  std::shared_ptr<const Imports> texts() const { return texts_.load(); }

 private:
  const std::filesystem::path folder_;
  base::Published<Imports> texts_{std::make_shared<const Imports>()};
};

}  // namespace hearth::templates
