// SPDX-License-Identifier: Apache-2.0
// An import that is made beside a hub, and completed by its next start.
#include <gtest/gtest.h>

#include <fstream>

#include "app/files/configuration_file.h"
#include "app/import_ha/import_hooks.h"
#include "backup/home_files.h"
#include "recorder/journal/registry_store.h"
#include "storage/temporary_folder.h"

namespace hearth::app {
namespace {

namespace fs = std::filesystem;

void write_text(const fs::path& file, std::string_view text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

class PreparedImport : public testing::Test {
 protected:
  PreparedImport() {
    write_text(old() / ".HA_VERSION", "2026.2.3");
    write_text(old() / "configuration.yaml", "automation: !include automations.yaml\n");
    write_text(old() / "automations.yaml", "[]\n");
    write_text(old() / ".storage/core.config",
               R"({"version": 1, "minor_version": 4, "key": "core.config", "data": {"location_name": "Old"}})");
    write_text(old() / ".storage/core.entity_registry",
               R"({"version": 1, "minor_version": 20, "key": "core.entity_registry",
                   "data": {"entities": [], "deleted_entities": []}})");
    write_text(old() / ".storage/core.area_registry",
               R"({"version": 1, "minor_version": 9, "key": "core.area_registry",
                   "data": {"areas": [{"id": "hall", "name": "Hall", "aliases": []}]}})");
    fs::create_directory(home());
    write_text(home() / "configuration.yaml", default_configuration());
    EXPECT_TRUE(hooks().make_databases(home()));
  }

  fs::path old() const { return place_ / "old"; }
  fs::path home() const { return place_ / "home"; }
  import_ha::ImportHooks hooks() const { return import_hooks({}); }

  void add_area(const std::string& name) const {
    auto database = storage::Database::open(home() / backup::kHomeDatabase).value();
    const core::RegistryData before = recorder::read_registry(database).value();
    core::RegistryData after = before;
    core::Area area;
    area.id = area.name = name;
    after.areas.set(name, area);
    recorder::write_registry(database, before, after).value();
  }

  void add_user(std::string_view name) const {
    auto database = storage::Database::open(home() / backup::kHomeDatabase).value();
    database
        .run(
            "INSERT INTO users(id, name, folded_name, role, active, password, created_at) "
            "VALUES(?, ?, ?, 'administrator', 1, '', 0)",
            name, name, name)
        .value();
  }

  std::string areas() const {
    auto database = storage::Database::open(home() / backup::kHomeDatabase).value();
    std::string names;
    const core::RegistryData registry = recorder::read_registry(database).value();
    for (const auto& [id, area] : registry.areas) names += area.name + ";";
    return names;
  }

  void prepare() const {
    import_ha::ImportOptions options{.source = old(), .home = home(), .now = {}, .version = "1"};
    options.prepare_only = true;
    import_ha::Report report;
    const auto made = import_ha::run_import(options, hooks(), report);
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_TRUE(import_ha::is_import_prepared(home()));
  }

  // With so many calls of go_on until it is told to stop.
  base::Result<std::optional<std::string>> finish(int calls = 1'000'000) const {
    import_ha::ImportHooks used = hooks();
    used.go_on = [left = std::make_shared<int>(calls)] { return --*left >= 0; };
    return import_ha::finish_import(home(), used, {}, "1");
  }

 private:
  storage::TemporaryFolder place_;
};

TEST_F(PreparedImport, IsAddedToTheHomeAsItIsAtTheStart) {
  add_user("ann");
  prepare();
  EXPECT_EQ("", areas());
  add_area("Cellar");
  add_user("bob");
  const auto finished = finish();
  ASSERT_TRUE(finished) << finished.error().message;
  EXPECT_TRUE(finished->value().starts_with("the import of old is complete")) << **finished;
  EXPECT_EQ("Cellar;Hall;", areas());
  EXPECT_TRUE(fs::exists(home() / import_ha::kReportFile));
  EXPECT_FALSE(fs::exists(home() / import_ha::kPartialFolder));
  EXPECT_FALSE(finish()->has_value());
}

TEST_F(PreparedImport, GoesOnWhereverAStartWasStopped) {
  add_user("ann");
  prepare();
  add_area("Cellar");
  int stops = 0;
  while (stops < 1'000 && !finish(stops)) {
    ASSERT_TRUE(import_ha::is_import_prepared(home())) << "stopped at " << stops;
    ASSERT_EQ("Cellar;", areas()) << "stopped at " << stops;
    ++stops;
  }
  EXPECT_GT(stops, 5);
  EXPECT_EQ("Cellar;Hall;", areas());
}

TEST_F(PreparedImport, OfAFreshHomeIsDroppedIfItHasAUserByThen) {
  prepare();
  add_user("eve");
  const auto finished = finish();
  ASSERT_FALSE(finished);
  EXPECT_EQ(base::ErrorCode::conflict, finished.error().code);
  EXPECT_FALSE(fs::exists(home() / import_ha::kPartialFolder));
  EXPECT_EQ("", areas());
}

TEST_F(PreparedImport, OfAFreshHomeReplacesIt) {
  prepare();
  ASSERT_TRUE(finish());
  EXPECT_EQ("Hall;", areas());
  std::ifstream text(home() / "configuration.yaml");
  EXPECT_TRUE(std::string(std::istreambuf_iterator<char>(text), {}).contains("automations.yaml"));
}

TEST_F(PreparedImport, IsForgottenIfItsSourceIsGone) {
  add_user("ann");
  prepare();
  fs::remove_all(old());
  const auto finished = finish();
  ASSERT_FALSE(finished);
  EXPECT_TRUE(finished.error().message.contains("the home is as before")) << finished.error().message;
  EXPECT_FALSE(import_ha::is_import_prepared(home()));
  EXPECT_TRUE(finish());
}

}  // namespace
}  // namespace hearth::app
