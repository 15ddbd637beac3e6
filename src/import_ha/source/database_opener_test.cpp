// SPDX-License-Identifier: Apache-2.0
#include "import_ha/source/database_opener.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <fstream>

#include "import_ha/source/contained_file.h"
#include "import_ha/source/database_copy.h"
#include "import_ha/source/database_file.h"
#include "import_ha/source/test_old_home.h"

namespace hearth::import_ha {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;

constexpr std::string_view kInsert = "INSERT INTO states (state, metadata_id) VALUES ('on', 1)";

// Another process that has the database open and writes when it is told to.
class OtherProcess {
 public:
  explicit OtherProcess(const fs::path& file) {
    EXPECT_EQ(::pipe(to_.data()), 0);
    EXPECT_EQ(::pipe(from_.data()), 0);
    process_ = ::fork();
    if (process_ == 0) {
      ::close(to_[1]);
      serve(file);
    }
    ::close(to_[0]);
    ::close(from_[1]);
    EXPECT_TRUE(answered());
  }
  ~OtherProcess() {
    ::close(to_[1]);
    ::waitpid(process_, nullptr, 0);
    ::close(from_[0]);
  }
  // Runs one statement there.
  bool run(std::string_view sql) {
    const auto size = static_cast<::ssize_t>(sql.size());
    return ::write(to_[1], sql.data(), sql.size()) == size && ::write(to_[1], "\n", 1) == 1 && answered();
  }

 private:
  [[noreturn]] void serve(const fs::path& file) {
    auto database = storage::Database::open(file);
    bool good = database.has_value() && database->execute("SELECT count(*) FROM states").has_value();
    std::string sql;
    char c = 0;
    if (::write(from_[1], good ? "+" : "-", 1) != 1) ::_exit(1);
    while (::read(to_[0], &c, 1) == 1) {
      if (c != '\n') {
        sql += c;
        continue;
      }
      good = good && database->execute(sql).has_value();
      sql.clear();
      if (::write(from_[1], good ? "+" : "-", 1) != 1) ::_exit(1);
    }
    ::_exit(0);  // without closing it, as if it was killed
  }
  bool answered() {
    char c = 0;
    return ::read(from_[0], &c, 1) == 1 && c == '+';
  }

  std::array<int, 2> to_{}, from_{};
  ::pid_t process_ = -1;
};

class ImportDatabase : public testing::Test {
 protected:
  base::Result<OldDatabase> open() {
    auto options = home_.options();
    options.accept_newer = accept_newer;
    options.moment = moment;
    auto source = Source::open(home_.folder(), options, home_.report);
    if (!source) return std::unexpected(source.error());
    auto database = source->open_history(elsewhere, home_.report);
    if (!database) return std::unexpected(database.error());
    if (!*database) return base::fail(ErrorCode::not_found, "none");
    return std::move(**database);
  }
  void expect_failure(ErrorCode code, std::string_view words) {
    const auto database = open();
    ASSERT_FALSE(database.has_value()) << words;
    EXPECT_EQ(database.error().code, code) << database.error().message;
    EXPECT_TRUE(database.error().message.contains(words)) << database.error().message;
  }
  fs::path file() const { return home_ / "home-assistant_v2.db"; }
  fs::path log() const { return home_ / "home-assistant_v2.db-wal"; }
  std::size_t files() const { return digests_of(home_.folder()).size(); }

  OldHome home_;
  bool accept_newer = false;
  std::chrono::steady_clock::duration moment = OldDatabase::kMaxMoment;
  fs::path elsewhere;
};

TEST_F(ImportDatabase, ReadsAStoppedOneWhereItIs) {
  make_history(file(), 38, 7);
  write_file(log(), "");
  const auto before = digests_of(home_.folder());
  {
    auto database = open();
    ASSERT_TRUE(database.has_value()) << database.error().message;
    EXPECT_EQ(count_states(*database), 7);
    EXPECT_EQ(database->schema(), 38);
    EXPECT_EQ(database->name(), "home-assistant_v2.db");
    EXPECT_FALSE(database->live());
    EXPECT_FALSE(database->due());
    EXPECT_FALSE(database->connection().execute(kInsert).has_value());
  }
  EXPECT_EQ(digests_of(home_.folder()), before);
  EXPECT_FALSE(fs::exists(home_.scratch()));
}

TEST_F(ImportDatabase, CopiesOneWithItsLogIfTheHubWasKilled) {
  make_history(file());
  {
    OtherProcess killed(file());
    ASSERT_TRUE(killed.run(kInsert));
  }
  ASSERT_GT(size_beside(file(), "-wal"), 0U);
  const auto before = digests_of(home_.folder());
  {
    auto database = open();
    ASSERT_TRUE(database.has_value()) << database.error().message;
    EXPECT_EQ(count_states(*database), 4);
    EXPECT_FALSE(database->live());
  }
  EXPECT_EQ(digests_of(home_.folder()), before);
  // Without its log the newest row would be missing.
  fs::remove(log());
  fs::remove(home_ / "home-assistant_v2.db-shm");
  EXPECT_EQ(count_states(open().value()), 3);
}

TEST_F(ImportDatabase, ReadsOneMomentOfOneInUseAndRenewsIt) {
  make_history(file());
  OtherProcess hub(file());
  ASSERT_TRUE(hub.run(kInsert));
  const std::size_t before = files();
  moment = std::chrono::seconds(0);
  {
    auto database = open();
    ASSERT_TRUE(database.has_value()) << database.error().message;
    EXPECT_TRUE(database->live());
    EXPECT_EQ(count_states(*database), 4);
    ASSERT_TRUE(hub.run(kInsert));
    ASSERT_TRUE(hub.run("DELETE FROM states WHERE state_id = 1"));
    ASSERT_TRUE(hub.run("PRAGMA wal_checkpoint(PASSIVE)"));
    EXPECT_EQ(count_states(*database), 4);
    EXPECT_TRUE(database->due());
    ASSERT_TRUE(database->renew().has_value());
    EXPECT_EQ(count_states(*database), 4);  // one more, one less
    ASSERT_TRUE(hub.run(kInsert));
    ASSERT_TRUE(hub.run(kInsert));
    ASSERT_TRUE(database->renew().has_value());
    EXPECT_EQ(count_states(*database), 6);
    EXPECT_FALSE(database->connection().execute(kInsert).has_value());
  }
  // The other one can go on and empty its log, since nobody reads it any more.
  EXPECT_TRUE(hub.run("PRAGMA wal_checkpoint(TRUNCATE)"));
  EXPECT_EQ(size_beside(file(), "-wal"), 0U);
  EXPECT_EQ(files(), before);
  EXPECT_FALSE(fs::exists(home_.scratch()));
}

TEST_F(ImportDatabase, IsDueOnlyAfterAWhile) {
  make_history(file());
  OtherProcess hub(file());
  auto database = open().value();
  EXPECT_TRUE(database.live());
  EXPECT_FALSE(database.due());
}

TEST_F(ImportDatabase, CopiesOneInUseWhoseIndexCannotBeUsed) {
  make_history(file());
  OtherProcess hub(file());
  ASSERT_TRUE(hub.run(kInsert));
  fs::remove(home_ / "home-assistant_v2.db-shm");  // as seen from another machine
  auto database = open();
  ASSERT_TRUE(database.has_value()) << database.error().message;
  EXPECT_FALSE(database->live());
  EXPECT_EQ(count_states(*database), 4);
  EXPECT_FALSE(fs::exists(home_ / "home-assistant_v2.db-shm"));
}

TEST_F(ImportDatabase, CopiesAgainIfItChangesMeanwhile) {
  make_history(file());
  OtherProcess hub(file());
  ASSERT_TRUE(hub.run(kInsert));
  const auto change = [&] {  // the next write begins the log anew
    ASSERT_TRUE(hub.run("PRAGMA wal_checkpoint(PASSIVE)"));
    ASSERT_TRUE(hub.run(kInsert));
  };
  int steps = 0;
  const auto once = copy_moment(file(), "old.db", home_.scratch(), [&] {
    if (steps++ == 0) change();
    return true;
  });
  ASSERT_TRUE(once.has_value()) << once.error().message;
  auto copy = storage::Database::open(*once).value();
  auto rows = copy.prepare("SELECT count(*) FROM states").value();
  ASSERT_TRUE(rows.step().value());
  EXPECT_EQ(rows.integer(0), 5);

  const auto never = copy_moment(file(), "old.db", home_.around() / "again", [&] {
    change();
    return true;
  });
  ASSERT_FALSE(never.has_value());
  EXPECT_EQ(never.error().code, ErrorCode::unavailable);
  EXPECT_EQ(never.error().message,
            "old.db changed while it was copied, 5 times. Stop Home Assistant, or use a backup.");
}

TEST_F(ImportDatabase, SaysThatACopyIsIncomplete) {
  make_history(file(), 53, 2'000);
  const auto whole = fs::file_size(file());
  fs::resize_file(file(), whole / 2);
  expect_failure(ErrorCode::unavailable,
                 fmt::format("home-assistant_v2.db: the copy is incomplete: {} of {} bytes.", whole / 2, whole));
  EXPECT_EQ(of_bytes(620 << 20, 745 << 20), "620 of 745 MiB");
}

TEST_F(ImportDatabase, KnowsWhichPagesTheLogHolds) {
  make_history(file());
  {
    OtherProcess killed(file());
    for (int i = 0; i < 300; ++i) ASSERT_TRUE(killed.run(kInsert));
    ASSERT_TRUE(killed.run("UPDATE states SET state = hex(zeroblob(200))"));
  }
  // The log alone holds the new pages.
  EXPECT_EQ(count_states(open().value()), 303);
  fs::resize_file(log(), fs::file_size(log()) / 2);  // cut short: the last commits are missing
  const auto fewer = open();
  ASSERT_TRUE(fewer.has_value()) << fewer.error().message;
  fs::resize_file(file(), 4'096);
  expect_failure(ErrorCode::unavailable, "the copy is incomplete");
}

TEST_F(ImportDatabase, LeavesWhatIsNoDatabase) {
  write_file(file(), "");
  expect_failure(ErrorCode::invalid, "home-assistant_v2.db is empty (0 bytes).");
  write_file(file(), "seven lamps");
  expect_failure(ErrorCode::invalid, "home-assistant_v2.db is no SQLite database, or it is encrypted.");
  write_file(file(), std::string(8'192, 'x'));
  expect_failure(ErrorCode::invalid, "home-assistant_v2.db is no SQLite database, or it is encrypted.");
  fs::remove(file());
  storage::Database::open(file()).value().execute("CREATE TABLE letters (id INTEGER)").value();
  expect_failure(ErrorCode::invalid, "home-assistant_v2.db holds no history of Home Assistant.");
  fs::remove(file());
  make_history(file());
  std::fstream damage(file(), std::ios::in | std::ios::out | std::ios::binary);
  damage.seekp(100);
  damage << std::string(1'000, 'x');
  damage.close();
  expect_failure(ErrorCode::invalid, "home-assistant_v2.db is damaged where it says which tables it has.");
}

TEST_F(ImportDatabase, KnowsTheSchema) {
  make_history(file(), 37);
  expect_failure(ErrorCode::unsupported,
                 "home-assistant_v2.db has schema 37; this Hearth reads 38 to 53. Start it once with a newer Home "
                 "Assistant");
  fs::remove(file());
  make_history(file(), 54);
  expect_failure(
      ErrorCode::unsupported,
      "home-assistant_v2.db has schema 54; this Hearth knows 38 to 53. Update Hearth, or try --accept-newer.");
  accept_newer = true;
  {
    const auto database = open();
    ASSERT_TRUE(database.has_value()) << database.error().message;
    EXPECT_EQ(database->schema(), 54);
    EXPECT_TRUE(home_.report.to_text().contains("has schema 54")) << home_.report.to_text();
  }
  storage::Database::open(file()).value().execute("ALTER TABLE states RENAME last_updated_ts TO updated").value();
  expect_failure(ErrorCode::unsupported, "columns are missing");
}

TEST_F(ImportDatabase, IsAlsoReadElsewhere) {
  elsewhere = home_.around() / "other.db";
  expect_failure(ErrorCode::not_found, "none");
  make_history(elsewhere, 53, 9);
  EXPECT_EQ(count_states(open().value()), 9);
  EXPECT_EQ(open()->name(), elsewhere.native());
  // In the other hub's container the folder is /config.
  make_history(home_ / "db/mine.db", 53, 2);
  elsewhere = "/config/db/mine.db";
  EXPECT_EQ(count_states(open().value()), 2);
  elsewhere = "/config/../etc/passwd";
  EXPECT_FALSE(open().has_value());
}

}  // namespace
}  // namespace hearth::import_ha
