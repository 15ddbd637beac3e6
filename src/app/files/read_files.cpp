// SPDX-License-Identifier: Apache-2.0
#include "app/files/read_files.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <functional>
#include <system_error>

#include "app/files/configuration_file.h"
#include "app/files/yaml_files.h"

namespace hearth::app {
namespace {

namespace fs = std::filesystem;

std::size_t text_hash(std::string_view text) {
  return std::hash<std::string_view>()(text);
}

std::vector<fs::path> listing_of(const fs::path& folder) {
  return yaml_files_below(folder).value_or(std::vector<fs::path>());
}

}  // namespace

base::Result<std::vector<fs::path>> yaml_files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  auto entry = fs::recursive_directory_iterator(folder, error);
  for (const auto end = fs::recursive_directory_iterator(); !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().native();
    std::error_code gone;
    if (name.starts_with('.')) {
      entry.disable_recursion_pending();
    } else if (name.ends_with(".yaml") && entry->is_regular_file(gone)) {
      files.push_back(entry->path());
      if (files.size() > YamlFiles::kMaxFiles)
        return base::fail(base::ErrorCode::unsupported,
                          fmt::format("{} holds more than {} files", folder.native(), YamlFiles::kMaxFiles));
    }
  }
  if (error)
    return base::fail(code_of_unreadable(error.value()) == base::ErrorCode::unavailable ? base::ErrorCode::unavailable
                                                                                        : base::ErrorCode::unsupported,
                      fmt::format("the folder {} cannot be read: {}", folder.native(), error.message()));
  std::ranges::sort(files);
  return files;
}

std::optional<ReadFiles::Stamp> ReadFiles::stamp_of(const fs::path& file) {
  struct stat status{};
  if (::stat(file.c_str(), &status) != 0) return {};
  return Stamp{status.st_mtim.tv_sec, status.st_mtim.tv_nsec, static_cast<std::uint64_t>(status.st_size),
               static_cast<std::uint64_t>(status.st_ino)};
}

void ReadFiles::look_at(const fs::path& file) {
  files_[file].stamp = stamp_of(file);
}

void ReadFiles::note(const fs::path& file, std::string_view text, bool good) {
  File& noted = files_[file];
  noted.hash = text_hash(text);
  noted.good = good;
}

void ReadFiles::note_folder(const fs::path& folder) {
  folders_[folder] = listing_of(folder);
}

bool ReadFiles::same_folders() const {
  return std::ranges::all_of(folders_, [](const auto& each) { return listing_of(each.first) == each.second; });
}

bool ReadFiles::same_times() const {
  return std::ranges::all_of(files_, [](const auto& each) { return stamp_of(each.first) == each.second.stamp; }) &&
         same_folders();
}

bool ReadFiles::same_texts() const {
  const auto same = [](const auto& each) {
    const auto text = read_text_file(each.first);
    return (text ? std::optional(text_hash(*text)) : std::nullopt) == each.second.hash;
  };
  return same_folders() && std::ranges::all_of(files_, same);
}

std::vector<std::pair<fs::path, std::string>> ReadFiles::good_texts() const {
  std::vector<std::pair<fs::path, std::string>> texts;
  for (const auto& [path, file] : files_) {
    if (!file.good) continue;
    auto text = read_text_file(path);
    if (text && text_hash(*text) == file.hash) texts.emplace_back(path, std::move(*text));
  }
  return texts;
}

}  // namespace hearth::app
