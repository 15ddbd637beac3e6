// SPDX-License-Identifier: Apache-2.0
// The configuration of the last good start, stored in the folder .last_good: copies of its files, and the sections as
// they were read. Only the owner reads them.
//
//   .last_good/start/…         the files of the last good start
//   .last_good/later/…         those that have changed since, as they were last readable
//   .last_good/sections.json   sections of configuration.yaml, with what they include
//   .last_good/attempts        when starts began that have not ended well
//
// One thread at a time; the running hub and `hearth check` may use the same folder.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "app/files/read_files.h"
#include "backup/home_files.h"
#include "base/clock.h"
#include "base/config/config_node.h"
#include "base/result.h"

namespace hearth::app {

using SectionNodes = std::map<std::string, base::ConfigNode, std::less<>>;

class LastGood {
 public:
  static constexpr std::string_view kFolder = backup::kLastGoodFolder;
  static constexpr std::size_t kMaxAttempts = 3;
  static constexpr base::Duration kAttemptTime = std::chrono::minutes(5);

  explicit LastGood(std::filesystem::path home) : home_(std::move(home)) {}

  // The copy of a file of the home, by its path there. Fails with not_found.
  base::Result<std::string> file(const std::filesystem::path& relative) const;
  // As the last good start read it; null if it had no such section, or that was wrong.
  const base::ConfigNode* section(std::string_view name) const;
  // The folder with the files of the last good start, laid out as the home.
  std::filesystem::path start_folder() const { return folder() / "start"; }
  bool has_start() const;

  // The hub has started well with these. Sections that are not among them stay as they were kept.
  base::Result<void> keep(const ReadFiles& files, const SectionNodes& sections);
  // These have been read since, some of them changed.
  base::Result<void> keep_later(const ReadFiles& files);

  // Notes that a start begins. True if as many as kMaxAttempts before it have failed within kAttemptTime.
  bool begin_start(base::Timestamp now);
  void end_start();

 private:
  std::filesystem::path folder() const { return home_ / kFolder; }
  base::Result<void> write(const std::filesystem::path& file, std::string_view text) const;
  base::Result<void> copy(const ReadFiles& files, const std::filesystem::path& into) const;

  const std::filesystem::path home_;
  mutable std::optional<SectionNodes> sections_;  // null: not read yet
};

}  // namespace hearth::app
