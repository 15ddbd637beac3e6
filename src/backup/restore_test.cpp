// SPDX-License-Identifier: Apache-2.0
#include "backup/restore.h"

#include <gtest/gtest.h>

#include "backup/home_files.h"
#include "backup/test_home.h"
#include "recorder/log/history_file.h"

namespace hearth::backup {
namespace {

namespace fs = std::filesystem;

base::Result<void> accept_all(const fs::path&) {
  return {};
}

class RestoreTest : public BackupFixture {
 protected:
  fs::path target() const { return temporary_ / "deeper/new"; }
  std::size_t count(const fs::path& folder) const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  }
  void make() {
    fill_home();
    make_backup(plan()).value();
  }
  // Changes the home after the backup: other states, other files.
  void live_on() {
    put_text(home() / "configuration.yaml", "home:\n  name: Later\n");
    put_text(home() / "later.txt", "later");
    put_text(home() / "backups/kept.tar.zst", "kept");
    fs::create_symlink(temporary_.path(), home() / "link");
    TestHome running(home());
    running.set("light.kitchen", "later");
  }
  void expect_restored(const fs::path& folder) {
    EXPECT_EQ("home:\n  name: Home\n", text_of(folder / "configuration.yaml"));
    EXPECT_EQ("panel();\n", text_of(folder / "www/panel.js"));
    const TestHome restored(folder);
    EXPECT_EQ("on", restored.value("light.kitchen"));
    EXPECT_EQ("off", restored.value("light.hall"));
  }
};

TEST_F(RestoreTest, MakesTheFolderIfThereIsNone) {
  make();
  EXPECT_EQ("Home", restore_home(to_read(), target())->home_name);
  EXPECT_EQ(1u, count(target().parent_path()));
  EXPECT_EQ(fs::perms(0700), fs::status(target()).permissions());
  EXPECT_EQ(4u, count(target()));
  expect_restored(target());
}

TEST_F(RestoreTest, GivesTheHistoryANameOfItsOwn) {
  make();
  const auto name = [](const fs::path& folder) {
    auto database = storage::Database::open_to_read(folder / "history.db").value();
    return recorder::history_name(database).value();
  };
  restore_home(to_read(), target()).value();
  const std::string restored = name(target());
  EXPECT_NE(name(home()), restored);
  EXPECT_EQ(32u, restored.size());
  EXPECT_EQ(restored, recorder::LastStates::open(target() / "home.db")->mark()->history);
  restore_home(to_read(), temporary_ / "another").value();
  EXPECT_NE(restored, name(temporary_ / "another"));
  expect_restored(target());
}

TEST_F(RestoreTest, FillsAnEmptyFolder) {
  make();
  fs::create_directories(target());
  put_text(target() / kUnpackFolder / "files/home.db", "what a killed restore has left");
  restore_home(to_read(), target()).value();
  EXPECT_EQ(4u, count(target()));
  expect_restored(target());
}

TEST_F(RestoreTest, ChangesNoFolderThatIsNotEmpty) {
  make();
  put_text(target() / "mine", "mine");
  const auto restored = restore_home(to_read(), target());
  ASSERT_FALSE(restored);
  EXPECT_EQ(target().string() + " is not empty (there is mine): a backup is restored into a new or empty folder.",
            restored.error().message);
  EXPECT_EQ(1u, count(target()));
  EXPECT_EQ(home().string() + "/configuration.yaml is no folder.",
            restore_home(to_read(), home() / "configuration.yaml").error().message);
}

TEST_F(RestoreTest, LeavesNothingOfABackupThatIsDamaged) {
  make();
  const std::string bytes = text_of(file());
  std::string flipped = bytes;
  flipped[bytes.size() / 2] = static_cast<char>(flipped[bytes.size() / 2] ^ 1);
  for (const std::string& damaged : {bytes.substr(0, bytes.size() - 10), flipped, std::string("nonsense")}) {
    put_text(file(), damaged);
    EXPECT_FALSE(restore_home(to_read(), temporary_ / "new"));
    EXPECT_FALSE(fs::exists(temporary_ / "new"));
    fs::create_directory(temporary_ / "empty");
    EXPECT_FALSE(restore_home(to_read(), temporary_ / "empty"));
    EXPECT_EQ(0u, count(temporary_ / "empty"));
    EXPECT_EQ(3u, count(temporary_.path()));  // the home, the backup, the empty folder
  }
}

TEST_F(RestoreTest, ReplacesTheHomeAtTheNextStart) {
  make();
  live_on();
  EXPECT_FALSE(finish_restore(home()).value());
  prepare_restore(to_read(), home(), "now", accept_all).value();
  EXPECT_EQ("home:\n  name: Later\n", text_of(home() / "configuration.yaml"));

  const auto said = finish_restore(home()).value();
  ASSERT_TRUE(said);
  EXPECT_EQ("home.tar.zst is restored; what was there is in " + (home() / "before-restore-now").string(), *said);
  expect_restored(home());
  EXPECT_EQ("kept", text_of(home() / "backups/kept.tar.zst"));
  EXPECT_TRUE(fs::is_symlink(home() / "link"));
  EXPECT_FALSE(fs::exists(home() / "later.txt"));
  EXPECT_FALSE(fs::exists(home() / kPendingFolder) || fs::exists(home() / kPlacingFolder));
  EXPECT_EQ("later", text_of(home() / "before-restore-now/later.txt"));
  EXPECT_EQ("later", TestHome(home() / "before-restore-now").value("light.kitchen"));
  EXPECT_FALSE(finish_restore(home()).value());
}

TEST_F(RestoreTest, ContinuesWhereverItWasKilled) {
  make();
  live_on();
  const fs::path before = temporary_ / "before";
  fs::copy(home(), before, fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  int kills = 0;
  for (int steps = 0;; ++steps) {
    fs::remove_all(home());
    fs::copy(before, home(), fs::copy_options::recursive | fs::copy_options::copy_symlinks);
    prepare_restore(to_read(), home(), "now", accept_all).value();
    const bool done = finish_restore(home(), [left = steps]() mutable { return left-- > 0; }).has_value();
    if (!done) {
      ++kills;
      // Another command may have left this file: it must not be taken for the restored database's log.
      if (!fs::exists(home() / "home.db")) put_text(home() / "home.db-wal", "of another");
      finish_restore(home()).value();
    }
    expect_restored(home());
    EXPECT_EQ("later", TestHome(home() / "before-restore-now").value("light.kitchen")) << steps;
    EXPECT_FALSE(fs::exists(home() / kPendingFolder) || fs::exists(home() / kPlacingFolder)) << steps;
    if (done) break;
  }
  EXPECT_GE(kills, 9);
}

TEST_F(RestoreTest, LeavesTheUsersFilesIfTheBackupHasNone) {
  fill_home();
  auto without = plan();
  without.configuration = false;
  make_backup(without).value();
  live_on();
  prepare_restore(to_read(), home(), "now", accept_all).value();
  finish_restore(home()).value();
  EXPECT_EQ("home:\n  name: Later\n", text_of(home() / "configuration.yaml"));
  EXPECT_EQ("later", text_of(home() / "later.txt"));
  EXPECT_EQ("on", TestHome(home()).value("light.kitchen"));
  EXPECT_EQ("later", TestHome(home() / "before-restore-now").value("light.kitchen"));
}

TEST_F(RestoreTest, StartsANewHistoryIfTheBackupHasNone) {
  fill_home();
  {
    TestHome running(home());
    running.recorder->save_states().value();
  }
  auto without = plan();
  without.history = false;
  make_backup(without).value();
  live_on();
  prepare_restore(to_read(), home(), "now", accept_all).value();
  finish_restore(home()).value();
  EXPECT_FALSE(fs::exists(home() / "history.db"));
  expect_restored(home());
}

TEST_F(RestoreTest, IsNotPreparedIfTheUnpackedFilesAreRefused) {
  make();
  live_on();
  const auto before = contents(home());
  const auto refused = prepare_restore(to_read(), home(), "now", [](const fs::path& files) {
    EXPECT_TRUE(fs::exists(files / "configuration.yaml"));
    return base::Result<void>(base::fail(base::ErrorCode::invalid, "No."));
  });
  ASSERT_FALSE(refused);
  EXPECT_EQ("No.", refused.error().message);
  EXPECT_EQ(before, contents(home()));
}

TEST_F(RestoreTest, IsPreparedOnceAndKeepsWhatEarlierOnesKept) {
  make();
  fs::create_directory(home() / "before-restore-now");
  prepare_restore(to_read(), home(), "now", accept_all).value();
  EXPECT_EQ("A backup waits to be restored already: restart the hub.",
            prepare_restore(to_read(), home(), "now", accept_all).error().message);
  finish_restore(home()).value();
  EXPECT_TRUE(fs::exists(home() / "before-restore-now-2/home.db"));
  EXPECT_TRUE(fs::is_empty(home() / "before-restore-now"));
}

TEST_F(RestoreTest, RemovesWhatWasNotCompletelyUnpacked) {
  fill_home();
  put_text(home() / kUnpackFolder / "files/home.db", "half");
  EXPECT_FALSE(finish_restore(home()).value());
  EXPECT_FALSE(fs::exists(home() / kUnpackFolder));
}

TEST_F(RestoreTest, RemembersWhatWasRestoredAndWhoAsked) {
  make();
  EXPECT_FALSE(last_restore(home()));
  prepare_restore(to_read(), home(), "now", accept_all, {"Ann", base::Timestamp(std::chrono::hours(24))}).value();
  EXPECT_FALSE(last_restore(home()));
  finish_restore(home()).value();
  const auto last = last_restore(home());
  ASSERT_TRUE(last);
  EXPECT_EQ(to_read().file.filename().string(), last->backup);
  EXPECT_EQ("Ann", last->asked_by);
  EXPECT_EQ("1970-01-02T00:00:00.000000+00:00", last->asked_at);
  EXPECT_EQ("before-restore-now", last->before);
  EXPECT_TRUE(is_beside_home(kRestoredFile));
  put_text(home() / kRestoredFile, "nonsense");
  EXPECT_FALSE(last_restore(home()));
}

}  // namespace
}  // namespace hearth::backup
