// SPDX-License-Identifier: Apache-2.0
#include "audit/log.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <set>

#include "audit/kinds.h"
#include "base/testing/wait_until.h"
#include "storage/temporary_folder.h"

namespace hearth::audit {
namespace {

class AuditLogTest : public testing::Test {
 protected:
  std::vector<Row> rows() { return AuditFile::open(path_)->rows_before(1'000'000, 1'000'000).value(); }
  static boost::asio::ip::address address(int number) {
    return boost::asio::ip::address_v4(static_cast<std::uint32_t>(0x0A000000 + number));
  }
  // Nothing can be written until `mend`.
  void break_file() { std::filesystem::create_directory(path_); }
  void mend() { std::filesystem::remove(path_); }

  storage::TemporaryFolder folder_;
  const std::filesystem::path path_ = folder_ / kFileName;
  base::SystemClock clock_;
};

TEST_F(AuditLogTest, HasTheRowOnTheDiskBeforeItSaysSo) {
  Log log(folder_.path(), clock_);
  log.start();
  for (int i = 1; i <= 20; ++i) {
    ASSERT_TRUE(log.record_now({.what = "config/auth/create", .subject = fmt::format("{}", i)}));
    ASSERT_EQ(rows().size(), static_cast<std::size_t>(i));
  }
  EXPECT_EQ(rows().front().entry.subject, "20");
}

TEST_F(AuditLogTest, WritesWhatManyThreadsRecord) {
  Log log(folder_.path(), clock_);
  log.start();
  std::vector<std::thread> threads;
  std::atomic<int> refused = 0;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i)
        if (!log.record_now({.what = "x", .subject = fmt::format("{} {}", t, i)})) ++refused;
    });
  }
  for (auto& thread : threads) thread.join();
  log.stop();
  EXPECT_EQ(refused, 0);
  std::set<std::string> subjects;
  for (const Row& row : rows()) subjects.insert(row.entry.subject);
  EXPECT_EQ(subjects.size(), 400u);
  EXPECT_FALSE(AuditFile::open(path_)->verify()->problem);
}

TEST_F(AuditLogTest, RefusesAChangeThatCannotBeRecordedAndHealsByItself) {
  break_file();
  Log log(folder_.path(), clock_);
  log.start();
  const auto refused = log.record_now({.what = "config/auth/create"});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::ErrorCode::unavailable);
  EXPECT_TRUE(refused.error().message.starts_with("Nothing was changed, because the audit log cannot be written: "))
      << refused.error().message;
  EXPECT_NE(refused.error().message.find("audit.db"), std::string::npos);
  EXPECT_NE(log.failure(), "");
  log.note({.what = std::string(kind::kLogin)});  // goes on
  mend();
  // Without anybody changing anything.
  base::wait_until([&] { return log.failure().empty(); });
  ASSERT_TRUE(log.record_now({.what = "config/auth/delete"}));
  log.stop();
  const auto all = rows();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].entry.what, "config/auth/delete");
  EXPECT_EQ(all[1].entry.what, kind::kGap);
  EXPECT_EQ(all[1].entry.count, 2);
}

TEST_F(AuditLogTest, LetsChangesPassIfItIsNotRequired) {
  break_file();
  Log log(folder_.path(), clock_, {.required = false});
  log.start();
  EXPECT_TRUE(log.record_now({.what = "config/auth/create"}));
  EXPECT_NE(log.failure(), "");
}

TEST_F(AuditLogTest, AnswersEverybodyWhenItStops) {
  break_file();
  Log log(folder_.path(), clock_);
  std::atomic<std::size_t> answered = 0, passed = 0;
  for (std::size_t i = 0; i < Log::kMaxWaiting + 10; ++i)
    log.record({.what = "x"}, [&](const base::Result<void>& done) { ++answered, passed += done.has_value(); });
  EXPECT_EQ(answered, 10u);  // beyond the bound, at once
  log.stop();
  log.record({.what = "x"}, [&](const base::Result<void>& done) { ++answered, passed += done.has_value(); });
  EXPECT_EQ(answered, Log::kMaxWaiting + 11);
  EXPECT_EQ(passed, 0u);
}

TEST_F(AuditLogTest, LeavesFewRowsOfAFlood) {
  const base::ManualClock clock;  // it stands still: all of it is one minute
  Log log(folder_.path(), clock);
  log.start();
  for (int i = 0; i < 100'000; ++i)
    log.count({.what = std::string(kind::kLoginFailed), .subject = "login"}, address(i % 10'000));
  for (int i = 0; i < 1'000; ++i)
    log.count({.what = std::string(kind::kDenied), .subject = "get_config", .user_id = "1", .user = "Ada"}, address(1));
  log.stop();
  const auto all = rows();
  EXPECT_LE(all.size(), Counts::kMostKeys + 2);
  std::int64_t failed = 0, denied = 0;
  for (const Row& row : all) (row.entry.what == kind::kDenied ? denied : failed) += row.entry.count;
  EXPECT_EQ(failed, 100'000);
  EXPECT_EQ(denied, 1'000);
}

TEST_F(AuditLogTest, RecordsAnAddressOfATokenOnce) {
  for (int start = 0; start < 2; ++start) {
    Log log(folder_.path(), clock_);
    log.start();
    ASSERT_TRUE(log.record_now({.what = std::string(kind::kSessionCreated), .subject = "s", .address = "192.0.2.1"}));
    for (const char* const from : {"192.0.2.1", "192.0.2.2", "192.0.2.1", "192.0.2.2", "192.0.2.2"})
      log.note_place({.what = std::string(kind::kNewAddress), .subject = "s", .address = from});
    log.stop();
  }
  std::vector<std::string> places;
  for (const Row& row : rows())
    if (row.entry.what == kind::kNewAddress) places.push_back(row.entry.address);
  EXPECT_EQ(places, std::vector<std::string>{"192.0.2.2"});
}

TEST_F(AuditLogTest, CutsWhatIsTooOld) {
  {
    AuditFile file = AuditFile::open(path_).value();
    const Entry old[] = {{.what = "x"}, {.what = "y"}};
    ASSERT_TRUE(file.append(old, clock_.now() - std::chrono::days(8)));
    ASSERT_TRUE(file.append(old, clock_.now() - std::chrono::days(6)));
  }
  Log log(folder_.path(), clock_, {.keep = std::chrono::days(7)});
  log.start();
  base::wait_until([&] { return rows().front().entry.what == kind::kCut; });
  log.stop();
  EXPECT_EQ(rows().size(), 3u);
  EXPECT_FALSE(AuditFile::open(path_)->verify()->problem);
}

TEST_F(AuditLogTest, GivesPagesWithTheLatestFirst) {
  Log log(folder_.path(), clock_);
  log.start();
  for (int i = 1; i <= 5; ++i) ASSERT_TRUE(log.record_now({.what = "x", .subject = fmt::format("{}", i)}));
  std::promise<Log::Page> answer;
  ASSERT_TRUE(log.read(4, 2, [&](base::Result<Log::Page> page) { answer.set_value(std::move(*page)); }));
  const Log::Page page = answer.get_future().get();
  ASSERT_EQ(page.rows.size(), 2u);
  EXPECT_EQ(page.rows[0].number, 3);
  EXPECT_EQ(page.rows[1].number, 2);
  EXPECT_EQ(page.extent.rows, 5);
  EXPECT_EQ(page.head.number, 5);
}

}  // namespace
}  // namespace hearth::audit
