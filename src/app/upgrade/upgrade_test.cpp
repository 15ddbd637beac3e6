// SPDX-License-Identifier: Apache-2.0
#include "app/upgrade/upgrade.h"

#include <gtest/gtest.h>

#include <fstream>

#include "app/upgrade/downgrade.h"
#include "app/upgrade/home_schemas.h"
#include "app/upgrade/kept_copies.h"
#include "app/upgrade/program_record.h"
#include "storage/temporary_folder.h"

namespace hearth::app {
namespace {

using base::ErrorCode;

constexpr base::Timestamp kUpgraded = std::chrono::sys_days(std::chrono::year(2026) / 12 / 1);

// A home whose tables have seen one step less, where there is more than one.
class UpgradeTest : public testing::Test {
 protected:
  void make_old() {
    for (const std::string_view name : kDatabases) {
      auto database = storage::Database::open(folder_ / name).value();
      for (const storage::Schema& schema : schemas_of(name)) {
        const std::size_t steps = schema.steps.size();
        storage::migrate(database, schema.module, schema.steps.first(steps > 1 ? steps - 1 : steps)).value();
      }
      if (name == kDatabases.front()) record_version(database, "2026.11.0", kUpgraded).value();
    }
    put_word("old");
  }
  void put_word(const std::string& word) {
    auto database = storage::Database::open(folder_ / "home.db").value();
    database.run("INSERT OR REPLACE INTO home_settings VALUES('word', ?)", word).value();
  }
  std::string word() {
    auto database = storage::Database::open(folder_ / "home.db").value();
    auto select = database.prepare("SELECT value FROM home_settings WHERE key = 'word'").value();
    return select.step().value() ? std::string(select.text(0)) : "";
  }
  base::Result<void> upgrade(const std::string& version = "2026.12.0", base::Timestamp now = kUpgraded) {
    return upgrade_home(folder_.path(), version, now);
  }
  bool is_old() { return age_of_home(folder_.path()).value().older.size() == 2; }
  // As a newer program leaves it.
  void make_newer() {
    auto database = storage::Database::open(folder_ / "home.db").value();
    database.run("UPDATE schema_version SET version = 99 WHERE module = 'auth'").value();
  }

  storage::TemporaryFolder folder_;
};

TEST_F(UpgradeTest, DoesNothingWithoutAHomeOrForOneOfToday) {
  upgrade().value();
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
  make_old();
  upgrade().value();
  upgrade().value();
  EXPECT_EQ(1, kept_copies(folder_.path()).size());
}

TEST_F(UpgradeTest, CopiesThenChanges) {
  make_old();
  EXPECT_TRUE(is_old());
  upgrade().value();
  const HomeAge age = age_of_home(folder_.path()).value();
  EXPECT_TRUE(age.older.empty() && age.newer.empty());
  const auto copies = kept_copies(folder_.path());
  ASSERT_EQ(1, copies.size());
  EXPECT_EQ("2026.11.0", copies[0].from);
  EXPECT_EQ("2026.12.0", copies[0].to);
  EXPECT_EQ("2026-12-01T00-00-00", copies[0].name());
  EXPECT_TRUE(copies[0].finished);
  for (const std::string_view name : kDatabases) EXPECT_TRUE(copies[0].has(name));
  EXPECT_EQ("old", word());
}

TEST_F(UpgradeTest, CopiesOnlyTheDatabaseThatChanges) {
  make_old();
  {
    auto database = storage::Database::open(folder_ / "history.db").value();
    storage::migrate_together(database, schemas_of("history.db")).value();
  }
  upgrade().value();
  const auto copies = kept_copies(folder_.path());
  ASSERT_EQ(1, copies.size());
  EXPECT_TRUE(copies[0].has("home.db"));
  EXPECT_FALSE(copies[0].has("history.db"));
}

TEST_F(UpgradeTest, ChangesNothingIfItIsEndedWhileCopying) {
  make_old();
  const auto ended = upgrade_home(folder_.path(), "2026.12.0", kUpgraded, [] { return false; });
  if (ended) GTEST_SKIP() << "this file system shares blocks, so that nothing can be ended";
  EXPECT_TRUE(is_old());
  EXPECT_TRUE(kept_copies(folder_.path()).empty());
  upgrade().value();
  EXPECT_FALSE(is_old());
}

TEST_F(UpgradeTest, BeginsAgainAfterAnInterruptionAndKeepsWhatWasThereBeforeTheFirstStep) {
  make_old();
  upgrade().value();
  // As if it had been killed between the two databases.
  auto copy = kept_copies(folder_.path()).at(0);
  copy.finished = false;
  write_record(copy).value();
  std::filesystem::copy_file(copy.folder / "history.db", folder_ / "history.db",
                             std::filesystem::copy_options::overwrite_existing);
  std::filesystem::remove(copy.folder / "history.db");
  upgrade("2026.12.1", kUpgraded + std::chrono::hours(1)).value();
  const auto copies = kept_copies(folder_.path());
  ASSERT_EQ(1, copies.size());
  EXPECT_TRUE(copies[0].finished);
  EXPECT_EQ(kUpgraded, copies[0].made);
  for (const std::string_view name : kDatabases) {
    auto database = storage::Database::open_to_read(copies[0].folder / name).value();
    EXPECT_EQ(storage::SchemaAge::older,
              storage::compare_schemas(storage::schema_versions(database).value(), schemas_of(name)));
  }
}

TEST_F(UpgradeTest, NotesThatAnInterruptedOneWasComplete) {
  make_old();
  upgrade().value();
  auto copy = kept_copies(folder_.path()).at(0);
  copy.finished = false;
  write_record(copy).value();
  upgrade().value();
  EXPECT_TRUE(kept_copies(folder_.path()).at(0).finished);
}

TEST_F(UpgradeTest, RemovesTheFolderOfAnAttemptThatHadNotBegun) {
  make_old();
  const auto left = folder_ / kUpgradesFolder / "2026-11-30T00-00-00";
  std::filesystem::create_directories(left);
  std::ofstream(left / "upgrade.json.partial") << "{";
  const auto kept = folder_ / kUpgradesFolder / "of somebody";
  std::filesystem::create_directories(kept);
  std::ofstream(kept / "note") << "not ours";
  upgrade().value();
  EXPECT_FALSE(std::filesystem::exists(left));
  EXPECT_TRUE(std::filesystem::exists(kept / "note"));
}

TEST_F(UpgradeTest, RefusesANewerHomeAndSaysWhatToDo) {
  make_old();
  upgrade().value();
  make_newer();
  const auto refused = upgrade();
  ASSERT_FALSE(refused);
  EXPECT_EQ(ErrorCode::unavailable, refused.error().code);
  EXPECT_TRUE(refused.error().message.contains("tables of auth: version 99, known here: ")) << refused.error().message;
  EXPECT_TRUE(refused.error().message.contains("hearth downgrade --to 2026.11.0")) << refused.error().message;
  std::filesystem::remove_all(folder_ / kUpgradesFolder);
  EXPECT_TRUE(upgrade().error().message.contains("hearth restore")) << refused.error().message;
}

TEST_F(UpgradeTest, KnowsAllTablesOfAHome) {
  make_old();
  upgrade().value();
  auto database = storage::Database::open(folder_ / "home.db").value();
  std::size_t modules = 0;
  database.prepare("SELECT count(*) FROM schema_version")
      .value()
      .for_each([&](const storage::Statement& row) { modules = static_cast<std::size_t>(row.integer(0)); })
      .value();
  EXPECT_EQ(schemas_of("home.db").size(), modules);
  EXPECT_TRUE(schemas_of("other.db").empty());
}

TEST_F(UpgradeTest, RecordsEachVersionOnce) {
  auto database = storage::Database::open(folder_ / "home.db").value();
  EXPECT_EQ(kFirstVersion, recorded_version(database).value());
  for (const char* const version : {"2026.11.0", "2026.12.0", "2026.12.0", "2026.11.0"})
    record_version(database, version, kUpgraded).value();
  EXPECT_EQ("2026.11.0", recorded_version(database).value());
  auto count = database.prepare("SELECT count(*) FROM program").value();
  count.step().value();
  EXPECT_EQ(3, count.integer(0));
}

TEST_F(UpgradeTest, GoesBackAndKeepsTheNewerFiles) {
  make_old();
  upgrade().value();
  put_word("new");
  const auto plan = plan_downgrade(folder_.path(), "2026.11.0").value();
  ASSERT_EQ(2, plan.files.size());
  const auto aside = put_back(folder_.path(), plan, kUpgraded).value();
  EXPECT_TRUE(is_old());
  EXPECT_EQ("old", word());
  EXPECT_EQ(folder_ / "before-downgrade-2026-12-01T00-00-00", aside);
  for (const std::string_view name : kDatabases) EXPECT_TRUE(std::filesystem::exists(aside / name));
  // A second time there is nothing to do.
  EXPECT_TRUE(plan_downgrade(folder_.path(), "2026.11.0").value().files.empty());
}

TEST_F(UpgradeTest, CompletesADowngradeThatWasKilledBetweenTheFiles) {
  make_old();
  upgrade().value();
  auto plan = plan_downgrade(folder_.path(), "2026.11.0").value();
  const auto second = plan.files.back();
  plan.files.pop_back();
  put_back(folder_.path(), plan, kUpgraded).value();
  const auto rest = plan_downgrade(folder_.path(), "2026.11.0").value();
  ASSERT_EQ(1, rest.files.size());
  EXPECT_EQ(second.database, rest.files[0].database);
  put_back(folder_.path(), rest, kUpgraded).value();
  EXPECT_TRUE(is_old());
}

TEST_F(UpgradeTest, TakesTheOldestCopySinceThatVersionOfEachDatabase) {
  make_old();
  const std::filesystem::path old_history = folder_ / "old";
  std::filesystem::copy_file(folder_ / "history.db", old_history);
  {
    auto database = storage::Database::open(folder_ / "history.db").value();
    storage::migrate_together(database, schemas_of("history.db")).value();
  }
  upgrade("2026.12.0").value();
  // A later version changes the other one.
  std::filesystem::rename(old_history, folder_ / "history.db");
  upgrade("2027.1.0", kUpgraded + std::chrono::hours(1)).value();
  ASSERT_EQ(2, kept_copies(folder_.path()).size());
  const auto plan = plan_downgrade(folder_.path(), kept_copies(folder_.path())[0].name()).value();
  ASSERT_EQ(2, plan.files.size());
  EXPECT_EQ(kUpgraded, plan.files[0].made);
  EXPECT_EQ(kUpgraded + std::chrono::hours(1), plan.files[1].made);
}

TEST_F(UpgradeTest, NamesTheCopiesThatThereAre) {
  EXPECT_EQ(ErrorCode::not_found, plan_downgrade(folder_.path(), "2026.1.0").error().code);
  make_old();
  upgrade().value();
  EXPECT_TRUE(plan_downgrade(folder_.path(), "2026.1.0").error().message.contains("copies of 2026.11.0"));
  put_back(folder_.path(), plan_downgrade(folder_.path(), "2026.11.0").value(), kUpgraded).value();
  upgrade("2026.12.0", kUpgraded + std::chrono::hours(1)).value();
  const auto several = plan_downgrade(folder_.path(), "2026.11.0");
  ASSERT_FALSE(several);
  EXPECT_EQ(ErrorCode::conflict, several.error().code);
  EXPECT_TRUE(several.error().message.contains("--to 2026-12-01T01-00-00")) << several.error().message;
  EXPECT_EQ(2, plan_downgrade(folder_.path(), "2026-12-01T01-00-00").value().files.size());
}

TEST_F(UpgradeTest, PutsBackNothingDamaged) {
  make_old();
  upgrade().value();
  const auto plan = plan_downgrade(folder_.path(), "2026.11.0").value();
  std::ofstream(plan.files[0].copy) << "this is no database, and it is longer than a header of one would be";
  const auto refused = put_back(folder_.path(), plan, kUpgraded);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().message.contains("is damaged")) << refused.error().message;
  EXPECT_FALSE(is_old());
}

TEST_F(UpgradeTest, RemovesCopiesAfterThirtyDays) {
  make_old();
  upgrade().value();
  remove_old_copies(folder_.path(), kUpgraded + kCopiesAreKept - std::chrono::minutes(1));
  EXPECT_EQ(1, kept_copies(folder_.path()).size());
  auto unfinished = kept_copies(folder_.path())[0];
  unfinished.finished = false;
  write_record(unfinished).value();
  remove_old_copies(folder_.path(), kUpgraded + kCopiesAreKept);
  EXPECT_EQ(1, kept_copies(folder_.path()).size());
  unfinished.finished = true;
  write_record(unfinished).value();
  remove_old_copies(folder_.path(), kUpgraded + kCopiesAreKept);
  EXPECT_TRUE(kept_copies(folder_.path()).empty());
}

TEST_F(UpgradeTest, AWrongClockRemovesNothing) {
  make_old();
  upgrade("2026.12.0", base::Timestamp()).value();
  remove_old_copies(folder_.path(), base::Timestamp() + std::chrono::days(400));
  ASSERT_EQ(1, kept_copies(folder_.path()).size());
  // A copy of 1970 counts from the first right time.
  remove_old_copies(folder_.path(), kUpgraded);
  ASSERT_EQ(1, kept_copies(folder_.path()).size());
  EXPECT_EQ(kUpgraded, kept_copies(folder_.path())[0].made);
}

}  // namespace
}  // namespace hearth::app
