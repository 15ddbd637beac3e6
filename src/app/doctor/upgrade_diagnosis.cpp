// SPDX-License-Identifier: Apache-2.0
// The home's databases and the version of this program: the way forwards, and the way back.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/doctor/diagnosis.h"
#include "app/upgrade/kept_copies.h"
#include "app/upgrade/upgrade.h"
#include "app/version.h"
#include "storage/file_copy.h"

namespace hearth::app {
namespace {

using enum Diagnosis::Grade;

constexpr std::uintmax_t kMebibyteOfCopy = 1 << 20;

std::uintmax_t bytes_of(const std::filesystem::path& folder, const std::vector<std::string>& names) {
  std::uintmax_t sum = 0;
  for (const std::string& name : names) {
    std::error_code error;
    const auto size = std::filesystem::file_size(folder / name, error);
    if (!error) sum += size;
  }
  return sum;
}

Diagnosis examine_older(const std::filesystem::path& folder, const HomeAge& age) {
  constexpr std::string_view check = "upgrades";
  const std::string names = fmt::format("{}", fmt::join(age.older, " and "));
  const auto needed = bytes_of(folder, age.older) + storage::kSpareRoom;
  std::error_code error;
  const auto space = std::filesystem::space(folder, error);
  if (!error && space.available < needed) {
    return {
        check, bad,
        fmt::format("the next start of {} changes {}, and first needs {} MiB for a copy; {} MiB are free", version(),
                    names, needed / kMebibyteOfCopy, space.available / kMebibyteOfCopy),
        fmt::format("Make room, or make {} a link to a folder on a larger disk.", (folder / kUpgradesFolder).string())};
  }
  return {check, warning, fmt::format("{} was written by Hearth {}", names, age.version),
          fmt::format("Start the hub: {} keeps a copy, then upgrades it.", version())};
}

}  // namespace

Diagnoses examine_upgrades(const std::filesystem::path& folder) {
  constexpr std::string_view check = "upgrades";
  const auto copies = kept_copies(folder);
  const auto age = age_of_home(folder);
  if (!age) return {};  // the databases' own diagnosis says why
  Diagnoses found;
  if (!age->newer.empty()) {
    const std::string back = copies.empty() ? "restore a backup into an empty folder: hearth restore."
                                            : fmt::format("go back: hearth downgrade --to {}.", copies.back().from);
    found.push_back({check, bad,
                     fmt::format("{} was written by a newer version of Hearth, {}; this is {}",
                                 fmt::join(age->newer, " and "), age->version, version()),
                     fmt::format("Install that version again, or {}", back)});
  }
  if (std::ranges::any_of(copies, [](const KeptCopy& copy) { return !copy.finished; })) {
    found.push_back({check, warning, "an upgrade was interrupted",
                     "Start the hub, which completes it; its copies are kept until then."});
  } else if (!age->older.empty()) {
    found.push_back(examine_older(folder, *age));
  }
  if (copies.empty()) {
    if (found.empty()) found.push_back({check, good, "there are no copies of earlier versions"});
    return found;
  }
  std::uintmax_t bytes = 0;
  for (const KeptCopy& copy : copies) bytes += copy.bytes();
  const std::string size = fmt::format("{:.1f} MiB", static_cast<double>(bytes) / kMebibyteOfCopy);
  const std::string until = minute_text(copies.front().made + kCopiesAreKept).substr(0, 10);
  found.push_back(
      {check, good,
       copies.size() == 1
           ? fmt::format("a copy of Hearth {} uses {} and is kept until {}", copies.front().from, size, until)
           : fmt::format("{} copies of earlier versions use {}; the oldest, of Hearth {}, is kept until {}",
                         copies.size(), size, copies.front().from, until)});
  return found;
}

}  // namespace hearth::app
