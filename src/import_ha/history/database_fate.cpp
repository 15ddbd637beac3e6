// SPDX-License-Identifier: Apache-2.0
#include "import_ha/history/database_fate.h"

#include <fmt/format.h>

#include <utility>

namespace hearth::import_ha {
namespace {

namespace fs = std::filesystem;

constexpr double kRoomOfDatabase = 0.15;
constexpr std::uintmax_t kRoom = 64 << 20;  // bytes besides

Thing thing_of(const std::string& name) {
  return {.what = "database", .id = name, .file = name};
}

}  // namespace

base::Result<void> check_room(const fs::path& database, const fs::path& files, const fs::path& home) {
  std::error_code error, absent;
  const auto bytes = fs::file_size(database, absent);
  const fs::space_info space = fs::space(files, error);
  const double share = absent ? 0 : static_cast<double>(bytes) * kRoomOfDatabase;
  const auto needed = static_cast<std::uintmax_t>(share) + kRoom;
  if (error || space.available >= needed) return {};
  return base::fail(base::ErrorCode::full, fmt::format("The disk of {} has {} MiB left; the import needs {}.",
                                                       home.string(), space.available >> 20, needed >> 20));
}

void tell_read_database(const std::string& name, Report& report) {
  Thing thing = thing_of(name);
  std::uint64_t lost = 0;
  for (const char* const kind : {"states", "events", "statistics", "short_term_statistics"}) {
    const auto found = report.counts().find(kind);
    if (found != report.counts().end()) lost += found->second.lost;
  }
  if (lost > 0) {
    thing.why = Why::broken;
    thing.text = fmt::format("it is damaged: {} of its rows cannot be read", lost);
    thing.attention = "damaged";
    thing.todo = "Keep it, or a backup of it that is older: what is lost may be in there.";
  }
  report.add(std::move(thing));
}

void tell_unread_database(const std::string& name, std::string why, Report& report) {
  Thing thing = thing_of(name);
  thing.fate = Fate::left;
  thing.why = Why::broken;
  thing.text = std::move(why);
  thing.attention = "history";
  thing.todo = "The past stays in the old hub.";
  report.add(std::move(thing));
}

}  // namespace hearth::import_ha
