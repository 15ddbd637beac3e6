// SPDX-License-Identifier: Apache-2.0
// Remembers the files and folders that a reading of the configuration has looked at, to tell if it would read the same
// again. One thread at a time.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace hearth::app {

// The *.yaml below the folder, by path, without names that begin with a dot. Fails with unsupported if it cannot be
// read or holds too many, and with unavailable if the machine fails.
base::Result<std::vector<std::filesystem::path>> yaml_files_below(const std::filesystem::path& folder);

class ReadFiles {
 public:
  // Call before the file is read, and after it with its text. `good`: it is YAML.
  void look_at(const std::filesystem::path& file);
  void note(const std::filesystem::path& file, std::string_view text, bool good);
  void note_folder(const std::filesystem::path& folder);

  // By the times and sizes of the files: cheap, for looking often.
  bool same_times() const;
  // By their texts: certain.
  bool same_texts() const;

  // The text of each file that was good and is as it was then.
  std::vector<std::pair<std::filesystem::path, std::string>> good_texts() const;

 private:
  struct Stamp {
    std::int64_t seconds = 0, nanoseconds = 0;  // of its last change
    std::uint64_t bytes = 0, inode = 0;

    bool operator==(const Stamp&) const = default;
  };
  struct File {
    std::optional<Stamp> stamp;       // null: there was no such file
    std::optional<std::size_t> hash;  // of the text; null: it could not be read
    bool good = false;
  };

  static std::optional<Stamp> stamp_of(const std::filesystem::path& file);
  bool same_folders() const;

  std::map<std::filesystem::path, File> files_;
  std::map<std::filesystem::path, std::vector<std::filesystem::path>> folders_;
};

}  // namespace hearth::app
