// SPDX-License-Identifier: Apache-2.0
#include "app/files/last_good.h"

#include <algorithm>
#include <system_error>
#include <vector>

#include "app/files/configuration_file.h"
#include "app/files/private_file.h"
#include "base/json/json.h"
#include "yaml/node_json.h"

namespace hearth::app {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSections = "sections.json", kAttempts = "attempts", kLater = "later";

}  // namespace

base::Result<std::string> LastGood::file(const fs::path& relative) const {
  auto later = read_text_file(folder() / kLater / relative);
  return later ? later : read_text_file(start_folder() / relative);
}

bool LastGood::has_start() const {
  std::error_code error;
  return fs::exists(start_folder() / kConfigurationFile, error);
}

const base::ConfigNode* LastGood::section(std::string_view name) const {
  if (!sections_) {
    sections_.emplace();
    const auto text = read_text_file(folder() / kSections);
    const auto kept = text ? base::parse_json(*text) : base::Result<json::value>(json::object());
    if (kept && kept->is_object()) {
      for (const auto& [key, value] : kept->get_object()) {
        if (auto node = yaml::node_of(value)) sections_->emplace(key, std::move(*node));
      }
    }
  }
  const auto found = sections_->find(name);
  return found == sections_->end() ? nullptr : &found->second;
}

base::Result<void> LastGood::write(const fs::path& file, std::string_view text) const {
  if (const auto former = read_text_file(file); former && *former == text) return {};
  if (auto made = make_private_folder(home_, file.parent_path()); !made) return made;
  return write_private_file(file, text);
}

base::Result<void> LastGood::copy(const ReadFiles& files, const fs::path& into) const {
  for (const auto& [path, text] : files.good_texts()) {
    const fs::path relative = path.lexically_relative(home_);
    if (relative.empty() || *relative.begin() == ".." || *relative.begin() == kFolder) continue;
    // A file that is as it was at the start needs no copy of its own.
    if (into != start_folder()) {
      if (const auto kept = file(relative); kept && *kept == text) continue;
    }
    if (auto written = write(into / relative, text); !written) return written;
  }
  return {};
}

base::Result<void> LastGood::keep(const ReadFiles& files, const SectionNodes& sections) {
  section("");  // reads what is kept
  for (const auto& [name, node] : sections) sections_->insert_or_assign(name, node);
  json::object kept;
  for (const auto& [name, node] : *sections_) kept[name] = yaml::json_of(node);
  if (auto copied = copy(files, start_folder()); !copied) return copied;
  if (auto written = write(folder() / kSections, base::to_json(kept)); !written) return written;
  // Files that are gone, and those that the start has read anew.
  std::error_code error;
  fs::remove_all(folder() / kLater, error);
  std::vector<fs::path> gone;
  for (auto entry = fs::recursive_directory_iterator(start_folder(), error);
       !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    std::error_code unreadable;
    const fs::path relative = entry->path().lexically_relative(start_folder());
    if (entry->is_regular_file(unreadable) && !fs::exists(home_ / relative, unreadable)) gone.push_back(entry->path());
  }
  for (const fs::path& each : gone) fs::remove(each, error);
  return {};
}

base::Result<void> LastGood::keep_later(const ReadFiles& files) {
  return copy(files, folder() / kLater);
}

bool LastGood::begin_start(base::Timestamp now) {
  const auto text = read_text_file(folder() / kAttempts);
  json::array attempts;
  if (const auto former = text ? base::parse_json(*text) : base::Result<json::value>(json::array());
      former && former->is_array()) {
    for (const json::value& each : former->get_array()) {
      if (!each.is_int64()) continue;
      const base::Timestamp at{base::Duration(each.get_int64())};
      if (at <= now && now - at < kAttemptTime) attempts.push_back(each);
    }
  }
  const bool failed = attempts.size() >= kMaxAttempts;
  attempts.push_back(now.time_since_epoch().count());
  // Without a disk to write to, starts are not counted.
  static_cast<void>(write(folder() / kAttempts, base::to_json(attempts)));
  return failed;
}

void LastGood::end_start() {
  std::error_code error;
  fs::remove(folder() / kAttempts, error);
}

}  // namespace hearth::app
