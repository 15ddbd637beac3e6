// SPDX-License-Identifier: Apache-2.0
#include "app/upgrade/kept_copies.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "app/upgrade/home_schemas.h"
#include "backup/file.h"
#include "base/json/json.h"
#include "base/json/json_fields.h"
#include "base/log/log.h"
#include "base/text/timestamp.h"

namespace hearth::app {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;

constexpr std::string_view kRecordFile = "upgrade.json";
// Before that there was no Hearth: a machine without a clock starts in 1970.
constexpr base::Timestamp kEarliestCopy = std::chrono::sys_days(std::chrono::year(2026) / 1 / 1);

std::optional<KeptCopy> read_record(const fs::path& folder) {
  std::ifstream in(folder / kRecordFile);
  const auto parsed = base::parse_json(std::string(std::istreambuf_iterator<char>(in), {}));
  if (!parsed || !parsed->is_object()) return {};
  const json::object& object = parsed->get_object();
  const auto made = base::parse_timestamp(base::text_at(object, "made"));
  if (!made) return {};
  KeptCopy copy{folder, base::text_at(object, "from"),     base::text_at(object, "to"),
                *made,  base::flag_at(object, "finished"), {}};
  if (const json::value& databases = base::value_at(object, "databases"); databases.is_object()) {
    for (const auto& [name, modules] : databases.get_object()) {
      auto& versions = copy.schemas[std::string(name)];
      if (!modules.is_object()) continue;
      for (const auto& [module, version] : modules.get_object()) {
        if (version.is_int64()) versions[std::string(module)] = version.get_int64();
      }
    }
  }
  return copy;
}

// Of processes that were killed before they had written a record: no copy was made yet.
void remove_folders_without_record(const fs::path& parent) {
  std::error_code error;
  for (fs::directory_iterator entry(parent, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    std::error_code ignored;
    fs::remove(entry->path() / fmt::format("{}.partial", kRecordFile), ignored);
    ::rmdir(entry->path().c_str());  // if it is empty
  }
}

}  // namespace

bool KeptCopy::has(std::string_view database) const {
  std::error_code error;
  return fs::is_regular_file(folder / database, error);
}

std::uintmax_t KeptCopy::bytes() const {
  std::uintmax_t sum = 0;
  for (const std::string_view database : kDatabases) {
    std::error_code error;
    const auto size = fs::file_size(folder / database, error);
    if (!error) sum += size;
  }
  return sum;
}

std::vector<KeptCopy> kept_copies(const fs::path& home) {
  std::vector<KeptCopy> copies;
  std::error_code error;
  for (fs::directory_iterator entry(home / kUpgradesFolder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    if (auto copy = read_record(entry->path())) copies.push_back(std::move(*copy));
  }
  std::ranges::sort(copies, [](const KeptCopy& a, const KeptCopy& b) {
    return a.made != b.made ? a.made < b.made : a.folder < b.folder;
  });
  return copies;
}

base::Result<KeptCopy> make_kept_copy(const fs::path& home, std::string from, std::string to, base::Timestamp now) {
  const fs::path parent = home / kUpgradesFolder;
  remove_folders_without_record(parent);
  KeptCopy copy{folder_of_moment(parent, "", now), std::move(from), std::move(to), now, false, {}};
  for (const fs::path& folder : {parent, copy.folder}) {
    if (::mkdir(folder.c_str(), S_IRWXU) == 0 || errno == EEXIST) continue;
    return base::fail(ErrorCode::unavailable,
                      fmt::format("{} cannot be made: {}.", folder.string(), std::generic_category().message(errno)));
  }
  return copy;
}

base::Result<void> write_record(const KeptCopy& copy) {
  json::object databases;
  for (const auto& [name, versions] : copy.schemas) {
    json::object modules;
    for (const auto& [module, version] : versions) modules[module] = version;
    databases[name] = std::move(modules);
  }
  const json::object record{{"from", copy.from},
                            {"to", copy.to},
                            {"made", base::to_string(copy.made)},
                            {"finished", copy.finished},
                            {"databases", std::move(databases)}};
  const fs::path file = copy.folder / kRecordFile, partial = copy.folder / fmt::format("{}.partial", kRecordFile);
  std::error_code ignored;
  fs::remove(partial, ignored);
  auto made = backup::File::create(partial);
  if (!made) return std::unexpected(std::move(made.error()));
  if (auto written = made->write(base::to_json(record) + '\n'); !written) return written;
  if (auto synced = made->sync(); !synced) return synced;
  std::error_code error;
  fs::rename(partial, file, error);
  if (error)
    return base::fail(ErrorCode::unavailable, fmt::format("{} cannot be made: {}.", file.string(), error.message()));
  if (auto synced = backup::sync_folder(copy.folder); !synced) return synced;
  return backup::sync_folder(copy.folder.parent_path());
}

void remove_old_copies(const fs::path& home, base::Timestamp now) {
  for (KeptCopy& copy : kept_copies(home)) {
    if (!copy.finished || now < kEarliestCopy) continue;
    if (copy.made < kEarliestCopy || copy.made > now) {
      copy.made = now;
      if (auto written = write_record(copy); !written) base::log_warning("upgrade", "{}", written.error().message);
      continue;
    }
    if (now - copy.made < kCopiesAreKept) continue;
    std::error_code error;
    fs::remove_all(copy.folder, error);
    if (error) {
      base::log_warning("upgrade", "{} cannot be removed: {}", copy.folder.string(), error.message());
    } else {
      base::log_info("upgrade", "the copy of Hearth {} of {} is removed after {} days", copy.from,
                     minute_text(copy.made), kCopiesAreKept.count());
    }
  }
}

std::string minute_text(base::Timestamp time) {
  std::string text = base::to_string(time).substr(0, 16);
  text[10] = ' ';
  return text;
}

fs::path folder_of_moment(const fs::path& parent, std::string_view prefix, base::Timestamp now) {
  std::string time = base::to_string(now).substr(0, 19);
  std::ranges::replace(time, ':', '-');
  fs::path folder = parent / fmt::format("{}{}", prefix, time);
  std::error_code error;
  for (int number = 2; fs::exists(folder, error); ++number)
    folder = parent / fmt::format("{}{}-{}", prefix, time, number);
  return folder;
}

}  // namespace hearth::app
