// SPDX-License-Identifier: Apache-2.0
// Queries as people have written them for Home Assistant, asked of the history here.
#include "recorder/queries/select_from_history.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "base/text/timestamp.h"
#include "recorder/test_history.h"
#include "storage/temporary_folder.h"

namespace hearth::recorder {
namespace {

using namespace std::chrono_literals;

class SelectFromHistoryTest : public testing::Test {
 protected:
  void SetUp() override {
    at(1h, "sensor.outside", "1.5", R"({"unit_of_measurement":"°C","state_class":"measurement"})");
    at(1h, "light.hall", "off");
    at(2h, "sensor.outside", "2.5", R"({"unit_of_measurement":"°C","state_class":"measurement"})");
    home_.save();
    at(26h, "sensor.outside", "3.5", R"({"unit_of_measurement":"°C","state_class":"measurement"})");
    at(26h, "light.hall", "on", R"({"brightness":7})");
    home_.save();
    clock_.set(start_ + 49h);
    home_.maintain();  // two days are in segments
    at(50h, "sensor.outside", "4.5", R"({"unit_of_measurement":"°C","state_class":"measurement"})");
    home_.save();
    at(51h, "light.hall", "off");  // in the queue
    clock_.set(start_ + 52h);
  }

  void at(base::Duration when, std::string_view id, std::string_view value, std::string_view attributes = "{}") {
    clock_.set(start_ + when);
    home_.set(id, value, attributes);
  }
  storage::SelectQuery query(std::string sql) const { return {.sql = std::move(sql), .first_row = false}; }
  // The row that counts as JSON; `none`, or the error.
  std::string ask(const storage::SelectQuery& query) {
    HistoryFileReader reader(*home_.recorder);
    const auto row = select_from_history(home_.recorder->file(), reader, clock_.now(), query, [] { return true; });
    if (!row) return row.error().message;
    return *row ? base::to_json(**row) : "none";
  }
  std::string ask(std::string sql) { return ask(query(std::move(sql))); }
  // All values of the column x, from the first row to the last.
  std::string all(std::string_view column, std::string_view rest) {
    return ask(fmt::format("SELECT group_concat({}, ' ') AS x FROM (SELECT * FROM {})", column, rest));
  }
  double seconds(base::Duration after) const {
    return static_cast<double>((start_ + after).time_since_epoch().count()) / 1e6;
  }

  storage::TemporaryFolder folder_;
  base::ManualClock clock_;
  const base::Timestamp start_ = clock_.now();
  TestHome home_{clock_, folder_.path()};
};

TEST_F(SelectFromHistoryTest, AnswersTheQueriesOfOldFiles) {
  EXPECT_EQ(ask("SELECT * FROM states WHERE entity_id = 'light.hall' ORDER BY state_id DESC LIMIT 1;").substr(0, 12),
            R"({"state_id":)");
  EXPECT_EQ(ask("SELECT state FROM states WHERE entity_id = 'sensor.outside' ORDER BY state_id DESC LIMIT 1"),
            R"({"state":"4.5"})");
  EXPECT_EQ(
      ask("SELECT max(CAST(state AS REAL)) AS m, min(state) AS least FROM states WHERE entity_id='sensor.outside'"),
      R"({"m":4.5,"least":"1.5"})");
  EXPECT_EQ(ask("SELECT count(*) AS n, domain FROM states WHERE domain = 'light'"), R"({"n":3,"domain":"light"})");
  EXPECT_EQ(ask("SELECT attributes FROM states WHERE entity_id='light.hall' AND state = 'on'"),
            R"({"attributes":"{\"brightness\":7}"})");
  EXPECT_EQ(ask(fmt::format("SELECT state FROM states WHERE entity_id = 'sensor.outside' AND last_updated < "
                            "datetime({:.0f}, 'unixepoch') ORDER BY last_updated DESC LIMIT 1",
                            seconds(3h))),
            R"({"state":"2.5"})");
}

TEST_F(SelectFromHistoryTest, AnswersTheQueriesOfNewFiles) {
  EXPECT_EQ(ask("SELECT states.state FROM states WHERE metadata_id = (SELECT metadata_id FROM states_meta WHERE "
                "entity_id = 'sensor.outside') ORDER BY state_id DESC LIMIT 1"),
            R"({"state":"4.5"})");
  EXPECT_EQ(ask("SELECT states.state, m.entity_id FROM states INNER JOIN states_meta m ON states.metadata_id = "
                "m.metadata_id WHERE m.entity_id = 'light.hall' AND states.state != 'unknown' "
                "ORDER BY last_updated_ts DESC LIMIT 1"),
            R"({"state":"off","entity_id":"light.hall"})");
  EXPECT_EQ(ask("SELECT shared_attrs FROM states s JOIN states_meta m USING (metadata_id) LEFT JOIN state_attributes a "
                "ON s.attributes_id = a.attributes_id WHERE m.entity_id = 'light.hall' AND s.state = 'on'"),
            R"({"shared_attrs":"{\"brightness\":7}"})");
  EXPECT_EQ(ask("SELECT m.entity_id, COUNT(*) AS n FROM states s JOIN states_meta m ON s.metadata_id = m.metadata_id "
                "GROUP BY m.entity_id ORDER BY n DESC LIMIT 1"),
            R"({"entity_id":"sensor.outside","n":4})");
  EXPECT_EQ(ask(fmt::format(
                "SELECT state, last_changed_ts, last_updated FROM states JOIN states_meta USING(metadata_id) "
                "WHERE states_meta.entity_id = 'light.hall' AND last_updated_ts > {:.0f} AND last_updated_ts < {:.0f}",
                seconds(25h), seconds(27h))),
            fmt::format(R"({{"state":"on","last_changed_ts":{},"last_updated":"{} {}"}})",
                        base::to_json(json::value(seconds(26h))), base::to_string(start_ + 26h).substr(0, 10),
                        base::to_string(start_ + 26h).substr(11, 15)));
  EXPECT_EQ(ask("SELECT ROUND(page_count * page_size / 1024, 1) > 0 AS size FROM pragma_page_count(), "
                "pragma_page_size();"),
            R"({"size":1})");
}

TEST_F(SelectFromHistoryTest, GivesTheSameStatesInBothOrders) {
  const std::string of_outside = "states WHERE entity_id = 'sensor.outside' ORDER BY last_updated_ts";
  EXPECT_EQ(all("state", of_outside), R"({"x":"1.5 2.5 3.5 4.5"})");
  EXPECT_EQ(all("state", of_outside + " DESC"), R"({"x":"4.5 3.5 2.5 1.5"})");
  EXPECT_EQ(all("state", of_outside + " DESC LIMIT 2 OFFSET 1"), R"({"x":"3.5 2.5"})");
  EXPECT_EQ(all("state", "states WHERE entity_id IN ('light.hall', 'sensor.outside') ORDER BY state_id DESC"),
            R"({"x":"off 4.5 on 3.5 2.5 off 1.5"})");
  for (const char* const order : {"", " ORDER BY state_id", " ORDER BY state_id DESC"}) {
    EXPECT_EQ(
        ask(fmt::format("SELECT count(*) AS n FROM (SELECT * FROM states WHERE entity_id = 'sensor.outside'{}) AS "
                        "s JOIN states AS o ON o.entity_id = s.entity_id AND o.state_id = s.old_state_id AND "
                        "o.state = s.state - 1",
                        order)),
        R"({"n":3})")
        << order;
  }
}

TEST_F(SelectFromHistoryTest, HasBoundsThatLeaveNothingOut) {
  for (const char* const column : {"last_updated_ts", "last_changed_ts", "last_reported_ts"}) {
    const auto states = [&](std::string_view condition) {
      return all("state", fmt::format("states WHERE entity_id = 'sensor.outside' AND {} {}", column, condition));
    };
    EXPECT_EQ(states(fmt::format(">= {:.0f}", seconds(2h))), R"({"x":"2.5 3.5 4.5"})");
    EXPECT_EQ(states(fmt::format("> {:.0f}", seconds(2h))), R"({"x":"3.5 4.5"})");
    EXPECT_EQ(states(fmt::format("<= '{:.0f}'", seconds(2h))), R"({"x":"1.5 2.5"})");
    EXPECT_EQ(states(fmt::format("BETWEEN {:.0f} AND {:.0f}", seconds(2h), seconds(26h))), R"({"x":"2.5 3.5"})");
    EXPECT_EQ(states("> 1e300"), R"({"x":null})");
    EXPECT_EQ(states("> NULL"), R"({"x":null})");
    EXPECT_EQ(states("> 'x'"), R"({"x":null})");
  }
  EXPECT_EQ(all("state", "states WHERE entity_id = 'nobody.there'"), R"({"x":null})");
  EXPECT_EQ(all("state", "states WHERE entity_id = 'light.hall' AND metadata_id = 77"), R"({"x":null})");
}

TEST_F(SelectFromHistoryTest, HasStatistics) {
  const std::string of_outside =
      " WHERE metadata_id = (SELECT id FROM statistics_meta WHERE statistic_id = 'sensor.outside')";
  EXPECT_EQ(ask("SELECT round(mean, 3) AS mean, min, max, sum FROM statistics" + of_outside +
                fmt::format(" AND start_ts = {:.0f}", seconds(26h))),
            R"({"mean":3.5,"min":3.5,"max":3.5,"sum":null})");
  EXPECT_EQ(ask("SELECT count(*) AS n, max(start_ts) AS last FROM statistics" + of_outside),
            fmt::format(R"({{"n":51,"last":{}}})", base::to_json(json::value(seconds(51h)))));
  EXPECT_EQ(ask("SELECT mean FROM statistics_short_term" + of_outside + " ORDER BY start_ts DESC LIMIT 1"),
            R"({"mean":4.5})");
  EXPECT_EQ(ask("SELECT count(*) AS n FROM statistics"), R"({"n":51})");
}

TEST_F(SelectFromHistoryTest, ReadsNothingElse) {
  const std::string only = "may only read: expected one SELECT";
  for (const char* const sql :
       {"DELETE FROM states", "INSERT INTO entities VALUES(9, 'a.b')", "DROP TABLE changes", "BEGIN", "VACUUM",
        "ATTACH 'home.db' AS home", "CREATE TEMP TABLE t(a)", "REINDEX", "WITH a AS (SELECT 1) DELETE FROM entities"})
    EXPECT_EQ(ask(sql), only) << sql;
  for (const char* const sql : {"PRAGMA journal_mode = DELETE", "PRAGMA writable_schema = 1", "PRAGMA page_size = 512",
                                "PRAGMA database_list", "SELECT * FROM pragma_database_list()"})
    EXPECT_TRUE(ask(sql).starts_with("may not ") || ask(sql) == only) << sql << ": " << ask(sql);
  for (const char* const table : {"changes", "users", "main.statistics", "segments", "sqlite_master", "main.entities",
                                  "sqlite_temp_master", "dbstat", "main.changes"}) {
    const std::string said = ask(fmt::format("SELECT * FROM {}", table));
    EXPECT_TRUE(said.starts_with("may ") || said.starts_with("fails: no such table")) << table << ": " << said;
    EXPECT_FALSE(ask(fmt::format("SELECT count(*) AS n FROM {}", table)).starts_with("{")) << table;
  }
  EXPECT_EQ(ask("WITH states_meta AS (SELECT * FROM users) SELECT * FROM states_meta"),
            "may not read users: history has the tables states, states_meta, state_attributes, statistics, "
            "statistics_short_term and statistics_meta");
  EXPECT_FALSE(ask("SELECT load_extension('a')").starts_with("{"));
  EXPECT_EQ(ask("SELECT 1; SELECT 2"), "has more than one statement");
  EXPECT_EQ(ask("SELECT 1; -- the end"), "has more than one statement");
  EXPECT_EQ(ask(" -- nothing\n"), "is empty");
}

TEST_F(SelectFromHistoryTest, SaysWhatIsWrong) {
  EXPECT_EQ(ask("SELECT stat FROM states"), "fails: no such column: stat");
  EXPECT_EQ(ask("SELECT 1 FROM recorder_runs"),
            "fails: no such table: recorder_runs; history has the tables states, states_meta, state_attributes, "
            "statistics, statistics_short_term and statistics_meta");
  EXPECT_EQ(ask("SELECT shared_attrs FROM state_attributes"),
            "fails: state_attributes is found by the attributes_id of states only");
  EXPECT_EQ(ask("SELECT state FROM states WHERE state = 'never'"), "none");
}

TEST_F(SelectFromHistoryTest, HasBoundsOfTimeRowsAndBytes) {
  const std::string endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c";
  EXPECT_EQ(ask(endless), "gives more than 10000 rows; LIMIT 1 gives one");
  EXPECT_EQ(ask({.sql = endless, .first_row = true}), R"({"x":1})");
  EXPECT_EQ(ask(endless + " LIMIT 5"), R"({"x":5})");
  EXPECT_EQ(ask({.sql = endless + " WHERE x < 0", .time = 50ms}), "takes longer than 0.05 s");
  EXPECT_EQ(ask("SELECT printf('%.65537c', 'x') AS x"), "gives a row of more than 64 KiB");
  EXPECT_EQ(ask("SELECT length(zeroblob(2000000)) AS x"), "fails: string or blob too big");
  EXPECT_EQ(ask("SELECT x'00ff' AS a, NULL AS b, 2.0 AS c, 3 AS a"), R"({"a":3,"b":null,"c":2.0})");
  EXPECT_EQ(ask("SELECT 1 " + std::string(70'000, ' ')), "is longer than 64 KiB");
}

TEST_F(SelectFromHistoryTest, EndsWhenItIsNotWantedAnyMore) {
  HistoryFileReader reader(*home_.recorder);
  int asked = 0;
  const auto row = select_from_history(
      home_.recorder->file(), reader, clock_.now(),
      query("WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"),
      [&] { return ++asked < 10; });
  ASSERT_FALSE(row);
  EXPECT_EQ(asked, 10);
}

}  // namespace
}  // namespace hearth::recorder
