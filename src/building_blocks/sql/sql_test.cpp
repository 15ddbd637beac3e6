// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/sql/sql.h"

#include <gtest/gtest.h>

#include <mutex>

#include "building_blocks/polled/databases.h"
#include "building_blocks/polled/test_polled.h"
#include "building_blocks/sql/select_text.h"

namespace hearth::building_blocks {
namespace {

constexpr Block kSqlTested[] = {{kSql, &read_sql}};

// Answers with the same row, and writes down what it was asked.
class OneRow final : public Databases {
 public:
  base::Result<storage::SelectedRow> ask(const std::string& url, const storage::SelectQuery& query,
                                         const std::function<bool()>&) override {
    const std::scoped_lock lock(mutex_);
    asked_ = fmt::format("{}|{}|{}", url, query.sql, query.first_row ? "first" : "last");
    return row_;
  }
  void answer(base::Result<storage::SelectedRow> row) {
    const std::scoped_lock lock(mutex_);
    row_ = std::move(row);
  }
  std::string asked() {
    const std::scoped_lock lock(mutex_);
    return asked_;
  }

 private:
  std::mutex mutex_;
  std::string asked_;
  base::Result<storage::SelectedRow> row_ = storage::SelectedRow();
};

class SqlTest : public ::testing::Test {
 protected:
  // Of a sensor x.
  std::string shows(std::string_view expected) { return home_.becomes("sensor.x", expected); }

  OneRow rows_;
  TestPolled home_{kSqlTested, &rows_};
};

TEST_F(SqlTest, ReadsTheFormsOfFilesFromElsewhere) {
  rows_.answer(json::object{{"a", 1.5}, {"b", nullptr}});
  home_.apply("sql", R"([{"name": "X", "query": "SELECT a, b FROM t", "column": "a", "unit_of_measurement": "W",
                          "value_template": "{{ value * 2 }}", "unique_id": "x", "device_class": "power",
                          "state_class": "measurement", "availability": "{{ value > 1 }}", "icon": "mdi:{{ value }}",
                          "picture": "/p", "db_url": "postgresql+psycopg2://u:secret@h/d"}])");
  EXPECT_EQ(home_.errors(), "");
  EXPECT_EQ(shows("3.0"), "3.0");
  EXPECT_EQ(rows_.asked(), "postgresql://u:secret@h/d|SELECT a, b FROM t|first");
  EXPECT_EQ(home_.attribute("sensor.x", "a"), "1.5");
  EXPECT_EQ(home_.attribute("sensor.x", "b"), "null");
  EXPECT_EQ(home_.attribute("sensor.x", "icon"), R"("mdi:1.5")");
  home_.apply(
      "sql", "[]", "sensor",
      R"([{"platform": "sql", "db_url": "sqlite:////config/home-assistant_v2.db", "scan_interval": 60, "queries": [
                    {"name": "X", "query": "select a from t limit 2;", "column": "a", "unit_of_measurement": "W"},
                    {"name": "Y", "query": "SELECT b FROM t", "column": "b", "value_template": "{{ 5 }}"}]}])");
  EXPECT_EQ(home_.errors(), "");
  EXPECT_EQ(shows("1.5"), "1.5");
  EXPECT_EQ(home_.becomes("sensor.y", "unknown"), "unknown") << "no template is asked for nothing";
  home_.apply("sql", "[]", "sensor",
              R"([{"platform": "sql", "name": "X", "query": "SELECT {{ 1 + 1 }} AS a", "column": "a"}])");
  EXPECT_EQ(home_.errors(), "");
  home_.automations.run();
  for (int tries = 0; tries < 60'000 && rows_.asked() != "|SELECT 2 AS a|first"; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    home_.automations.run();
  }
  EXPECT_EQ(rows_.asked(), "|SELECT 2 AS a|first");
}

TEST_F(SqlTest, FollowsTheAddressThatQueriesShare) {
  rows_.answer(json::object{{"a", "1"}});
  const auto with = [&](std::string_view database) {
    home_.apply("sql", "[]", "sensor",
                fmt::format(R"([{{"platform": "sql", "db_url": "postgresql://h/{}", "queries": [
                              {{"name": "X", "query": "SELECT a", "column": "a"}}]}}])",
                            database));
    const std::string expected = fmt::format("postgresql://h/{}|SELECT a|first", database);
    for (int tries = 0; tries < 60'000 && rows_.asked() != expected; ++tries) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      home_.automations.run();
    }
    EXPECT_EQ(rows_.asked(), expected);
  };
  with("one");
  with("other");
}

TEST_F(SqlTest, SaysWhatIsWrongInTheFile) {
  home_.apply("sql", R"([{"name": "A", "query": "DELETE FROM states", "column": "a"},
                         {"name": "B", "column": "a", "db_url": "mysql://u:hush@h/d"},
                         {"name": "C", "query": "SELECT 1", "odd": 1}])",
              "sensor", R"([{"platform": "sql", "db_url": "sqlite:///home.db", "queries": []},
                            {"platform": "sql", "queries": [{"name": "D", "query": "{{", "column": "d"}]}])");
  const std::string errors = home_.errors();
  for (const char* const said :
       {"query: expected one SELECT", "query is missing", "column is missing", "odd: unknown key",
        "db_url: expected postgresql://user:password@host/database, or no db_url, for the hub's own history; found one "
        "of mysql",
        "found one of sqlite"})
    EXPECT_TRUE(errors.contains(said)) << said << "\nis not in\n" << errors;
  EXPECT_FALSE(errors.contains("hush")) << errors;
}

TEST_F(SqlTest, IsUnavailableWhileItCannotBeAsked) {
  rows_.answer(base::fail(base::ErrorCode::unavailable, "fails: no such table: t"));
  home_.apply("sql", R"([{"name": "X", "query": "SELECT a FROM t", "column": "a"}])");
  EXPECT_EQ(shows("unavailable"), "unavailable");
  rows_.answer(json::object{{"b", 1}});
  home_.automations.advance(std::chrono::seconds(31));
  EXPECT_EQ(shows("unavailable"), "unavailable") << "there is no such column";
  rows_.answer(json::object{{"a", true}});
  home_.automations.advance(std::chrono::seconds(31));
  EXPECT_EQ(shows("True"), "True");
  rows_.answer(storage::SelectedRow());
  home_.automations.advance(std::chrono::seconds(31));
  EXPECT_EQ(shows("unknown"), "unknown");
}

TEST(SelectText, TellsSelectsApart) {
  for (const char* const sql : {"SELECT 1", " -- a\n/* b */ select(1)", "WITH a AS (SELECT 1) SELECT 1", "(SELECT 1)"})
    EXPECT_TRUE(select_query(sql)) << sql;
  for (const char* const sql : {"", "-- SELECT", "/* SELECT 1", "selection", "PRAGMA a", "INSERT INTO a SELECT 1"})
    EXPECT_FALSE(select_query(sql)) << sql;
  EXPECT_TRUE(select_query("SELECT limits, unlimited FROM t")->first_row);
  EXPECT_FALSE(select_query("SELECT a FROM t\nLimit 5")->first_row);
}

}  // namespace
}  // namespace hearth::building_blocks
