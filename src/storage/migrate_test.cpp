// SPDX-License-Identifier: Apache-2.0
#include "storage/migrate.h"

#include <gtest/gtest.h>

#include <array>

#include "storage/temporary_folder.h"

namespace hearth::storage {
namespace {

constexpr std::array<std::string_view, 2> kSteps{"CREATE TABLE lamp(a); CREATE TABLE shade(a)",
                                                 "ALTER TABLE lamp ADD COLUMN b"};
const std::span<const std::string_view> kFirst(kSteps.data(), 1);

std::int64_t version(Database& database, std::string_view module) {
  auto select = database.prepare("SELECT version FROM schema_version WHERE module = ?").value();
  return select.bind(module).step().value() ? select.integer(0) : -1;
}

TEST(Migrate, RunsEachStepOnce) {
  TemporaryFolder folder;
  auto database = Database::open(folder / "home.db").value();
  migrate(database, "lamp", kFirst).value();
  database.run("INSERT INTO lamp VALUES(1)").value();
  EXPECT_EQ(1, version(database, "lamp"));
  migrate(database, "lamp", kSteps).value();
  migrate(database, "lamp", kSteps).value();
  EXPECT_EQ(2, version(database, "lamp"));
  EXPECT_EQ(1, database.run("UPDATE lamp SET b = 2").value());
}

TEST(Migrate, KeepsModulesApart) {
  TemporaryFolder folder;
  auto database = Database::open(folder / "home.db").value();
  const std::array<std::string_view, 1> other{"CREATE TABLE other(a)"};
  migrate(database, "lamp", kSteps).value();
  migrate(database, "other", other).value();
  EXPECT_EQ(2, version(database, "lamp"));
  EXPECT_EQ(1, version(database, "other"));
}

TEST(Migrate, DoesNothingByHalves) {
  TemporaryFolder folder;
  auto database = Database::open(folder / "home.db").value();
  const std::array<std::string_view, 2> wrong{kSteps[0], "CREATE TABLE oops(a); NONSENSE"};
  EXPECT_FALSE(migrate(database, "lamp", wrong));
  migrate(database, "lamp", kSteps).value();
  EXPECT_EQ(2, version(database, "lamp"));
}

TEST(Migrate, RefusesTablesOfANewerProgram) {
  TemporaryFolder folder;
  auto database = Database::open(folder / "home.db").value();
  migrate(database, "lamp", kSteps).value();
  const auto older = migrate(database, "lamp", kFirst);
  ASSERT_FALSE(older);
  EXPECT_EQ(base::ErrorCode::unavailable, older.error().code);
  EXPECT_EQ((folder / "home.db").string() +
                " was written by a newer version of Hearth (tables of lamp: version 2, known here: 1).",
            older.error().message);
  EXPECT_EQ(2, version(database, "lamp"));
}

TEST(MigrateTogether, ChangesAllModulesOrNone) {
  TemporaryFolder folder;
  auto database = Database::open(folder / "home.db").value();
  const std::array<std::string_view, 2> other{"CREATE TABLE other(a)", "ALTER TABLE other ADD COLUMN b"};
  const std::array<std::string_view, 2> wrong{"CREATE TABLE other(a)", "NONSENSE"};
  migrate(database, "lamp", kFirst).value();
  migrate(database, "other", std::span(other).first(1)).value();
  EXPECT_FALSE(migrate_together(database, std::array{Schema{"lamp", kSteps}, Schema{"other", wrong}}));
  EXPECT_EQ(1, version(database, "lamp"));
  migrate_together(database, std::array{Schema{"lamp", kSteps}, Schema{"other", other}}).value();
  EXPECT_EQ(2, version(database, "lamp"));
  EXPECT_EQ(2, version(database, "other"));
}

TEST(MigrateTogether, MakesNoTablesOfModulesThatTheFileDoesNotHave) {
  TemporaryFolder folder;
  auto database = Database::open(folder / "home.db").value();
  migrate(database, "lamp", kFirst).value();
  const std::array<std::string_view, 1> other{"CREATE TABLE other(a)"};
  migrate_together(database, std::array{Schema{"lamp", kSteps}, Schema{"other", other}}).value();
  EXPECT_EQ((SchemaVersions{{"lamp", 2}}), schema_versions(database).value());
}

TEST(CompareSchemas, TellsOlderAndNewerFiles) {
  const std::array schemas{Schema{"lamp", kSteps}, Schema{"other", kFirst}};
  EXPECT_EQ(SchemaAge::same, compare_schemas({}, schemas));
  EXPECT_EQ(SchemaAge::same, compare_schemas({{"lamp", 2}, {"unknown", 9}}, schemas));
  EXPECT_EQ(SchemaAge::older, compare_schemas({{"lamp", 1}, {"other", 1}}, schemas));
  EXPECT_EQ(SchemaAge::newer, compare_schemas({{"lamp", 1}, {"other", 2}}, schemas));
}

}  // namespace
}  // namespace hearth::storage
