// SPDX-License-Identifier: Apache-2.0
// Questions to a real PostgreSQL, which keeps them from changing anything.
#include "archive/select_from_postgres.h"

#include <gtest/gtest.h>

#include <thread>

#include "archive/test_postgres.h"

namespace hearth::archive {
namespace {

using namespace std::chrono_literals;

class SelectFromPostgresTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (TestPostgres::installed()) server_ = std::make_unique<TestPostgres>();
  }
  static void TearDownTestSuite() { server_.reset(); }
  void SetUp() override {
    if (!server_) GTEST_SKIP() << "PostgreSQL is not installed";
    url_ = server_->create();
    TestPostgres::ask(url_,
                      "CREATE TABLE t(a int, b text); INSERT INTO t VALUES (1, 'x'), (2, NULL); CREATE SEQUENCE s");
  }

  // The row that counts as JSON; `none`, or the error.
  std::string ask(const storage::SelectQuery& query) {
    const auto row = select_.ask(url_, query);
    if (!row) return row.error().message;
    return *row ? base::to_json(**row) : "none";
  }
  std::string ask(std::string sql) { return ask(storage::SelectQuery{.sql = std::move(sql)}); }

  static inline std::unique_ptr<TestPostgres> server_;
  std::string url_;
  SelectFromPostgres select_;
};

TEST_F(SelectFromPostgresTest, GivesTheRowThatCounts) {
  EXPECT_EQ(ask("SELECT a, b FROM t ORDER BY a;"), R"({"a":2,"b":null})");
  EXPECT_EQ(ask({.sql = "SELECT a, b FROM t ORDER BY a -- the first", .first_row = true}), R"({"a":1,"b":"x"})");
  EXPECT_EQ(ask("WITH c AS (SELECT 1.5 AS a, true AS b) SELECT *, '2026-04-20T12:00:00Z'::timestamptz AT TIME ZONE "
                "'UTC' AS c FROM c"),
            R"({"a":1.5,"b":true,"c":"2026-04-20T12:00:00"})");
  EXPECT_EQ(ask("SELECT a FROM t WHERE a > 5"), "none");
  EXPECT_EQ(ask("SELECT generate_series(1, 250) AS n"), R"({"n":250})");
}

TEST_F(SelectFromPostgresTest, ChangesNothing) {
  for (const char* const sql :
       {"SELECT 1; DROP TABLE t", "DROP TABLE t", "SELECT nextval('s')", "SELECT * INTO u FROM t",
        "WITH gone AS (DELETE FROM t RETURNING a) SELECT * FROM gone", "SELECT * FROM t FOR UPDATE", "COMMIT",
        "SELECT set_config('transaction_read_only', 'off', false)", "COPY t TO '/tmp/t'",
        "SELECT 1) AS x; DROP TABLE t; SELECT (1"})
    EXPECT_TRUE(ask(sql).starts_with("fails: ")) << sql << ": " << ask(sql);
  EXPECT_EQ(TestPostgres::ask(url_, "SELECT count(*) FROM t"), std::vector<std::string>{"2"});
  EXPECT_EQ(TestPostgres::ask(url_, "SELECT is_called FROM s"), std::vector<std::string>{"f"});
}

TEST_F(SelectFromPostgresTest, HasBoundsOfTimeRowsAndBytes) {
  EXPECT_EQ(ask({.sql = "SELECT pg_sleep(60)", .time = 100ms}),
            "fails: PostgreSQL: canceling statement due to statement timeout");
  EXPECT_EQ(ask("SELECT generate_series(1, 20000) AS n"), "gives more than 10000 rows; LIMIT 1 gives one");
  EXPECT_EQ(ask("SELECT repeat('x', 10000000) AS n"), "gives a row of more than 64 KiB");
  EXPECT_EQ(ask("SELECT repeat('x', 60000) AS n").size(), 60'008U);
}

TEST_F(SelectFromPostgresTest, SaysWhatIsWrong) {
  EXPECT_EQ(ask("SELECT c FROM t"), "fails: PostgreSQL: column \"c\" does not exist");
  url_ = "postgresql://u:secret@127.0.0.1:1/d";
  const std::string said = ask("SELECT 1");
  EXPECT_TRUE(said.starts_with("fails: PostgreSQL: ")) << said;
  EXPECT_FALSE(said.contains("secret")) << said;
}

TEST_F(SelectFromPostgresTest, EndsWhenItIsCancelled) {
  std::string said;
  std::thread asking([&] { said = ask({.sql = "SELECT pg_sleep(600)", .time = 600s}); });
  while (TestPostgres::ask(server_->url("postgres"),
                           "SELECT 1 FROM pg_stat_activity WHERE query LIKE 'FETCH%' AND state "
                           "= 'active' AND pid <> pg_backend_pid()")
             .empty()) {
  }
  select_.cancel();
  asking.join();
  EXPECT_EQ(said, "fails: The hub ends");
}

}  // namespace
}  // namespace hearth::archive
