// SPDX-License-Identifier: Apache-2.0
#include "audit/audit_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "audit/chain.h"
#include "audit/kinds.h"
#include "storage/temporary_folder.h"

namespace hearth::audit {
namespace {

using std::chrono::hours;

base::Timestamp at(int hour) {
  return base::Timestamp(hours(500'000 + hour));
}

Entry entry(std::string what, std::string subject) {
  return {
      .what = std::move(what), .subject = std::move(subject), .user_id = "0123", .user = "Ada", .client = "token 7"};
}

class AuditFileTest : public testing::Test {
 protected:
  AuditFileTest() {
    for (int i = 1; i <= 9; ++i) add(i);
  }
  void add(int hour) {
    const Entry one[] = {entry("config/auth/create", fmt::format("user {}", hour))};
    const auto appended = file_.append(one, at(hour));
    ASSERT_TRUE(appended) << appended.error().message;
    head_ = *appended;
  }
  // The owner of the machine changes the file as they like.
  void tamper(std::string_view sql) {
    auto database = storage::Database::open(path_);
    const auto done = database->execute(sql);
    ASSERT_TRUE(done) << done.error().message;
  }
  std::string problem(const std::optional<Head>& expected = {}) {
    const auto verdict = file_.verify(expected);
    return !verdict ? verdict.error().message : verdict->problem.value_or("");
  }

  storage::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / kFileName;
  AuditFile file_ = AuditFile::open(path_).value();
  Head head_;
};

TEST_F(AuditFileTest, IsWholeAsItWasWritten) {
  const auto verdict = file_.verify(head_);
  ASSERT_TRUE(verdict) << verdict.error().message;
  EXPECT_EQ(verdict->problem.value_or(""), "");
  EXPECT_EQ(verdict->rows, 9);
  EXPECT_EQ(verdict->head, head_);
  EXPECT_EQ(file_.head().value(), head_);
}

TEST_F(AuditFileTest, IsForItsOwnerAlone) {
  struct stat found{};
  ASSERT_EQ(::stat(path_.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0600u);
}

TEST_F(AuditFileTest, FindsEachColumnOfAChangedRow) {
  for (const char* const change :
       {"time = time + 1", "count = 2", "what = what + 1", "subject = 'user 6'", "user_id = user_id + 1",
        "user = user + 1", "address = address + 1", "client = client + 1", "before_hash = zeroblob(32)",
        "after_hash = zeroblob(32)", "hash = zeroblob(32)"}) {
    tamper("CREATE TABLE kept AS SELECT * FROM audit_rows");
    tamper(fmt::format("UPDATE audit_rows SET {} WHERE number = 5", change));
    EXPECT_EQ(problem(), "row 5 was changed, or is not in its place") << change;
    tamper("DELETE FROM audit_rows; INSERT INTO audit_rows SELECT * FROM kept; DROP TABLE kept");
    ASSERT_EQ(problem(), "");
  }
}

TEST_F(AuditFileTest, FindsAChangedText) {
  tamper("UPDATE audit_texts SET text = 'Eve' WHERE text = 'Ada'");
  EXPECT_EQ(problem(), "row 1 was changed, or is not in its place");
}

TEST_F(AuditFileTest, FindsARemovedRow) {
  tamper("DELETE FROM audit_rows WHERE number = 5");
  EXPECT_EQ(problem(), "row 5 is missing");
}

TEST_F(AuditFileTest, FindsARemovedRowWhoseNumbersWereClosed) {
  tamper(
      "DELETE FROM audit_rows WHERE number = 5; UPDATE audit_rows SET number = -number WHERE number > 5;"
      "UPDATE audit_rows SET number = -number - 1 WHERE number < 0");
  EXPECT_EQ(problem(), "row 5 was changed, or is not in its place");
}

TEST_F(AuditFileTest, FindsAnAddedRow) {
  tamper(
      "INSERT INTO audit_rows SELECT 10, time, count, what, subject, user_id, user, address, client, before_hash,"
      "after_hash, hash FROM audit_rows WHERE number = 9");
  EXPECT_EQ(problem(), "row 10 was changed, or is not in its place");
  tamper("UPDATE audit_rows SET number = 0 WHERE number = 10");
  EXPECT_EQ(problem(), "row 0 was added before the oldest one");
}

TEST_F(AuditFileTest, FindsTwoRowsExchanged) {
  tamper(
      "UPDATE audit_rows SET number = 100 WHERE number = 3; UPDATE audit_rows SET number = 3 WHERE number = 4;"
      "UPDATE audit_rows SET number = 4 WHERE number = 100");
  EXPECT_EQ(problem(), "row 3 was changed, or is not in its place");
}

TEST_F(AuditFileTest, FindsATailCutOffAgainstAHeadThatWasWrittenDown) {
  tamper("DELETE FROM audit_rows WHERE number > 6");
  EXPECT_EQ(problem(), "");  // nothing in the file says so
  EXPECT_EQ(problem(head_), "the end is missing: row 9 was written down, and 6 is the last one");
}

TEST_F(AuditFileTest, FindsAChainThatWasMadeAnew) {
  tamper("DELETE FROM audit_rows WHERE number > 6");
  for (int i = 7; i <= 12; ++i) add(i + 100);
  EXPECT_EQ(problem(), "");
  const auto now = file_.verify();
  EXPECT_EQ(problem({{9, std::string(64, 'a')}}), "row 9 is not the one that was written down");
  EXPECT_EQ(problem(now->head), "");
}

TEST_F(AuditFileTest, StaysWholeWhenItsOldRowsAreCutOff) {
  const auto gone = file_.cut(at(5), at(20));
  ASSERT_TRUE(gone) << gone.error().message;
  EXPECT_EQ(*gone, 4);
  EXPECT_EQ(problem(head_), "");
  const auto rows = file_.rows_before(100, 100);
  ASSERT_EQ(rows->size(), 6u);
  EXPECT_EQ(rows->front().entry.what, kind::kCut);
  EXPECT_EQ(rows->front().entry.subject, "4");
  EXPECT_EQ(rows->front().entry.count, 4);
  EXPECT_EQ(rows->back().number, 5);
  // Again, so that the row that says so goes, too.
  add(21);
  EXPECT_EQ(file_.cut(at(21), at(30)).value(), 6);
  EXPECT_EQ(problem(), "");
  EXPECT_EQ(file_.extent()->rows, 2);
}

TEST_F(AuditFileTest, KeepsItsLastRowHoweverOldItIs) {
  EXPECT_EQ(file_.cut(at(1'000), at(1'000)).value(), 8);
  EXPECT_EQ(file_.rows_before(100, 100)->size(), 2u);
  EXPECT_EQ(problem(head_), "");
}

TEST_F(AuditFileTest, FindsRowsRemovedFromItsStart) {
  tamper("DELETE FROM audit_rows WHERE number < 4");
  EXPECT_EQ(problem(), "row 1 is missing");
  tamper("UPDATE audit_start SET number = 3, hash = (SELECT hash FROM audit_rows WHERE number = 4)");
  EXPECT_EQ(problem(), "row 4 was changed, or is not in its place");
}

TEST_F(AuditFileTest, FindsAStartThatNoRowSpeaksOf) {
  tamper(
      "UPDATE audit_start SET number = 3, hash = (SELECT hash FROM audit_rows WHERE number = 3);"
      "DELETE FROM audit_rows WHERE number < 4");
  EXPECT_EQ(problem(), "the rows up to 3 are missing, and no row says that they were cut");
}

TEST_F(AuditFileTest, ContinuesWhereAnotherProcessEnded) {
  AuditFile other = AuditFile::open(path_).value();
  const Entry theirs[] = {entry("command_line", "user add ben")};
  ASSERT_TRUE(other.append(theirs, at(10)));
  add(11);
  EXPECT_EQ(problem(), "");
  EXPECT_EQ(head_.number, 11);
}

TEST_F(AuditFileTest, ReadsBackEveryField) {
  const Entry full{.what = "config/auth/update",
                   .subject = "0123",
                   .user_id = "4567",
                   .user = "Zoë",
                   .address = "2001:db8::1",
                   .client = "https://hearth.example/",
                   .before = std::string(64, '1'),
                   .after = std::string(64, 'e'),
                   .count = 42};
  ASSERT_TRUE(file_.append({&full, 1}, at(10)));
  const Row row = file_.rows_before(1'000, 1)->front();
  EXPECT_EQ(row.number, 10);
  EXPECT_EQ(row.time, at(10));
  EXPECT_EQ(row.entry.what, full.what);
  EXPECT_EQ(row.entry.user, full.user);
  EXPECT_EQ(row.entry.address, full.address);
  EXPECT_EQ(row.entry.client, full.client);
  EXPECT_EQ(row.entry.before, full.before);
  EXPECT_EQ(row.entry.after, full.after);
  EXPECT_EQ(row.entry.count, full.count);
  EXPECT_EQ(row.hash, hash_of(row, head_.hash));
}

TEST_F(AuditFileTest, CutsTextsThatAreTooLong) {
  const Entry one[] = {entry("config/auth/create", std::string(10'000, 'x'))};
  ASSERT_TRUE(file_.append(one, at(10)));
  EXPECT_LE(file_.rows_before(1'000, 1)->front().entry.subject.size(), Entry::kMaxText + 3);
  EXPECT_EQ(problem(), "");
}

TEST_F(AuditFileTest, TakesLittleRoomForEachLogin) {
  const auto before = file_.extent()->bytes;
  for (int i = 0; i < 10'000; i += 100) {
    std::vector<Entry> entries;
    for (int each = i; each < i + 100; ++each) {
      entries.push_back(entry("login", "login"));
      entries.push_back(entry("session_created", fmt::format("{:032x}", each * 0x9E3779B97F4A7C15ull)));
      entries.back().address = "192.0.2.17";
    }
    ASSERT_TRUE(file_.append(entries, at(10)));
  }
  EXPECT_LE(file_.extent()->bytes - before, 2'000'000u);
  EXPECT_EQ(file_.rows_before(100'000, 1)->front().entry.subject.size(), 32u);
}

TEST(AuditChain, HasAWellKnownFirstHash) {
  // printf '%064d1:1,1:0,1:1,5:login,0:,0:,0:,0:,0:,0:,0:,' 0 | sha256sum
  const Row row{1, base::Timestamp(), {.what = "login"}, {}};
  EXPECT_EQ(hash_of(row, Head().hash), "a5297943adab6e30dafbbc8012c07d25dacfe533d4ddae7dd8edb165b23578ef");
}

TEST(AuditChain, ReadsAHeadAsItIsPrinted) {
  const Head head{17, std::string(64, 'b')};
  EXPECT_EQ(parse_head(to_string(head)).value(), head);
  for (const char* const wrong : {"", "17", "17:", "x:00", ":", "-1:", "17:BB"})
    EXPECT_FALSE(parse_head(wrong)) << wrong;
}

}  // namespace
}  // namespace hearth::audit
