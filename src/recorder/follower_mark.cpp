// SPDX-License-Identifier: Apache-2.0
#include "recorder/follower_mark.h"

#include <array>

namespace hearth::recorder {
namespace {

using base::Result;

constexpr std::array<std::string_view, 1> kFollowerSteps{R"(
  CREATE TABLE followers(name TEXT PRIMARY KEY, history TEXT NOT NULL, number INTEGER NOT NULL) STRICT, WITHOUT ROWID;
)"};

}  // namespace

storage::Schema FollowerMark::schema() {
  return {"followers", kFollowerSteps};
}

Result<FollowerMark> FollowerMark::open(const std::filesystem::path& file, std::string follower) {
  auto database = storage::Database::open(file, storage::Durability::normal);
  if (!database) return std::unexpected(std::move(database.error()));
  if (auto ready = storage::migrate(*database, "followers", kFollowerSteps); !ready)
    return std::unexpected(std::move(ready.error()));
  FollowerMark mark(std::move(*database), std::move(follower));
  auto select = mark.database_.prepare("SELECT history, number FROM followers WHERE name = ?");
  if (!select) return std::unexpected(std::move(select.error()));
  auto row = select->bind(mark.follower_).step();
  if (!row) return std::unexpected(std::move(row.error()));
  if (*row) mark.mark_ = {std::string(select->text(0)), select->integer(1)};
  return mark;
}

Result<void> FollowerMark::save(LastStates::Mark mark) {
  auto done = database_.run("INSERT OR REPLACE INTO followers VALUES(?, ?, ?)", follower_, mark.history, mark.change);
  if (!done) return std::unexpected(std::move(done.error()));
  mark_ = std::move(mark);
  return {};
}

}  // namespace hearth::recorder
