// SPDX-License-Identifier: Apache-2.0
#include "backup/backups.h"

#include <gtest/gtest.h>

#include <future>
#include <stdexcept>

#include "backup/home_files.h"
#include "backup/test_home.h"
#include "base/testing/wait_until.h"

namespace hearth::backup {
namespace {

namespace fs = std::filesystem;
using base::Result;

class BackupsTest : public BackupFixture {
 protected:
  void SetUp() override { fill_home(); }

  // Waits for the single answer.
  template <class T, class Ask>
  static Result<T> answer(Ask&& ask) {
    auto promise = std::make_shared<std::promise<Result<T>>>();
    auto future = promise->get_future();
    ask([promise](Result<T> result) { promise->set_value(std::move(result)); });
    return future.get();
  }
  Result<BackupInfo> create(std::string name = {}, std::string passphrase = {}) {
    return answer<BackupInfo>(
        [&](auto done) { backups_.create({std::move(name), "Home", true, true, passphrase}, done); });
  }
  Result<Manifest> restore(std::string name, bool verify = false, std::string passphrase = {}) {
    return answer<Manifest>([&](auto done) { backups_.restore({name, passphrase, verify, "Ann"}, done); });
  }
  std::vector<BackupInfo> list() {
    return answer<std::vector<BackupInfo>>([&](auto done) { backups_.list(done); }).value();
  }
  Result<void> remove(std::string name) {
    return answer<void>([&](auto done) { backups_.remove(std::move(name), done); });
  }

  base::ManualClock clock_;
  Backups backups_{home(), "2026.11.0", clock_};
};

TEST_F(BackupsTest, AreNamedAsAskedOrByTheTime) {
  EXPECT_TRUE(list().empty());
  const auto first = create().value();
  EXPECT_EQ("2026-11-21_00-00-00", first.name);
  EXPECT_EQ("2026-11-21_00-00-00-2", create()->name);
  clock_.advance(std::chrono::hours(1));
  const auto named = create("Before the Update!").value();
  EXPECT_EQ("before_the_update", named.name);
  EXPECT_EQ(clock_.now(), named.created);
  EXPECT_EQ(fs::file_size(home() / "backups/before_the_update.tar.zst"), named.bytes);
  EXPECT_EQ("name: there is a backup named before_the_update already", create("before the update").error().message);
  for (const std::string& wrong : {std::string("家"), std::string("../.."), std::string(65, 'a')}) {
    const auto made = create(wrong);
    ASSERT_FALSE(made) << wrong;
    EXPECT_EQ("name: expected 1 to 64 letters, digits, _ or -", made.error().message);
  }
  EXPECT_EQ(3u, list().size());
  EXPECT_EQ("before_the_update", list()[0].name);
  EXPECT_EQ("2026.11.0", list()[0].version);
  EXPECT_EQ(named.bytes, list()[0].bytes);
}

TEST_F(BackupsTest, ListsFilesWithTheNameOfABackup) {
  create("good").value();
  clock_.advance(std::chrono::hours(1));
  create("secret", "seven lamps").value();
  put_text(home() / "backups/damaged.tar.zst", "nonsense");
  put_text(home() / "backups/UPPER.tar.zst", "");
  put_text(home() / "backups/notes.txt", "");
  fs::create_symlink(home() / "backups/good.tar.zst", home() / "backups/link.tar.zst");
  fs::create_directory(home() / "backups/folder.tar.zst");
  std::map<std::string, BackupInfo> found;
  for (auto& one : list()) found.emplace(one.name, one);
  ASSERT_EQ(3u, found.size());
  EXPECT_TRUE(found.at("secret").encrypted);
  EXPECT_EQ(clock_.now(), found.at("secret").created);
  EXPECT_EQ("", found.at("damaged").version);
  EXPECT_EQ("2026.11.0", found.at("good").version);
  // A replaced file is read again.
  fs::rename(home() / "backups/good.tar.zst", home() / "backups/damaged.tar.zst");
  for (auto& one : list()) EXPECT_EQ("2026.11.0", one.version) << one.name;
}

TEST_F(BackupsTest, OpensAndRemovesThemByName) {
  create("good").value();
  auto opened = answer<Backups::Opened>([&](auto done) { backups_.open("good", done); }).value();
  EXPECT_EQ("good.tar.zst", opened.file_name);
  std::string bytes(opened.bytes, '\0');
  EXPECT_EQ(bytes.size(), opened.file.read(bytes).value());
  EXPECT_EQ(text_of(home() / "backups/good.tar.zst"), bytes);
  for (const std::string& unknown :
       {std::string("none"), std::string("../configuration"), std::string("GOOD"), std::string()}) {
    EXPECT_EQ(base::ErrorCode::not_found, remove(unknown).error().code) << unknown;
    const auto none = answer<Backups::Opened>([&](auto done) { backups_.open(unknown, done); });
    EXPECT_EQ(base::ErrorCode::not_found, none.error().code) << unknown;
  }
  remove("good").value();
  EXPECT_FALSE(fs::exists(home() / "backups/good.tar.zst"));
}

TEST_F(BackupsTest, AreMadeOneAtATime) {
  std::promise<void> begun, go_on;
  backups_.before_each([&] {
    begun.set_value();
    base::wait_for(go_on.get_future());
    return Result<void>();
  });
  std::promise<Result<BackupInfo>> first;
  backups_.create({"first", {}, true, true, {}}, [&](Result<BackupInfo> made) { first.set_value(std::move(made)); });
  base::wait_for(begun.get_future());
  EXPECT_EQ("A backup is being made or restored already.", create("second").error().message);
  EXPECT_EQ("A backup is being made or restored already.", restore("first").error().message);
  EXPECT_TRUE(list().empty());  // short tasks still run
  go_on.set_value();
  EXPECT_TRUE(base::wait_for(first.get_future()));
  backups_.before_each([] { return Result<void>(); });
  EXPECT_TRUE(create("second"));
}

TEST_F(BackupsTest, AreNotMadeIfSavingFails) {
  backups_.before_each([] { return Result<void>(base::fail(base::ErrorCode::unavailable, "The disk is full.")); });
  EXPECT_EQ("The disk is full.", create().error().message);
  EXPECT_TRUE(list().empty());
}

TEST_F(BackupsTest, AreRestoredByTheNextStart) {
  create("good").value();
  EXPECT_EQ("Home", restore("good", true)->home_name);
  EXPECT_FALSE(fs::exists(home() / kPendingFolder));
  EXPECT_TRUE(restore("good"));
  EXPECT_TRUE(fs::exists(home() / kPendingFolder / "files/home.db"));
  EXPECT_EQ("name: there is no backup named none", restore("none").error().message);
  put_text(home() / "backups/bad.tar.zst", "nonsense");
  EXPECT_FALSE(restore("bad", true));
}

TEST_F(BackupsTest, CancelWhatIsRunningWhenTheyStop) {
  std::promise<void> begun;
  std::atomic<bool> stopping{false};
  backups_.before_each([&] {
    begun.set_value();
    base::wait_until([&] { return stopping.load(); });
    return Result<void>();
  });
  std::promise<Result<BackupInfo>> made;
  backups_.create({"first", {}, true, true, {}}, [&](Result<BackupInfo> one) { made.set_value(std::move(one)); });
  base::wait_for(begun.get_future());
  std::thread stopper([&] { backups_.stop(); });
  // Tasks are refused from the moment when the work is cancelled.
  base::wait_until([&] { return !backups_.post([] {}); });
  stopping = true;
  stopper.join();
  EXPECT_EQ("The work was ended before it was done.", base::wait_for(made.get_future()).error().message);
  EXPECT_TRUE(fs::is_empty(home() / "backups"));
  EXPECT_FALSE(create("late"));
}

TEST_F(BackupsTest, AnswerAlsoIfSomethingIsThrown) {
  backups_.before_each([]() -> Result<void> { throw std::runtime_error("no memory"); });
  const auto failed = create();
  ASSERT_FALSE(failed);
  EXPECT_EQ(base::ErrorCode::internal, failed.error().code);
  backups_.before_each([] { return Result<void>(); });
  EXPECT_TRUE(create());
}

}  // namespace
}  // namespace hearth::backup
