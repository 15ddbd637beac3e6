// SPDX-License-Identifier: Apache-2.0
#include "backup/home_files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "storage/temporary_folder.h"

namespace hearth::backup {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

class HomeFilesTest : public testing::Test {
 protected:
  void put(const std::string& path) {
    fs::create_directories((folder() / path).parent_path());
    std::ofstream(folder() / path) << path;
  }
  fs::path folder() const { return temporary_ / "home"; }
  Names files() const { return user_files(folder()).value(); }

  storage::TemporaryFolder temporary_;
};

TEST_F(HomeFilesTest, AreAllRegularFilesOfTheUserInOrder) {
  for (const auto* path : {"www/b.js", "configuration.yaml", "www/a/ü.js", ".git/HEAD", "notes", "x/home.db"})
    put(path);
  EXPECT_EQ(files(), (Names{".git/HEAD", "configuration.yaml", "notes", "www/a/ü.js", "www/b.js", "x/home.db"}));
}

TEST_F(HomeFilesTest, IncludeNoDatabasesAndNoFilesOfTheHub) {
  for (const auto* path : {"home.db",
                           "home.db-wal",
                           "home.db-shm",
                           "home.db-runs",
                           ".mqtt_client_id",
                           "history.db",
                           "history.db-wal",
                           "history.db-journal",
                           "history.db.damaged-1",
                           "history.db.damaged-1-wal",
                           "home.db.repaired",
                           "backups/a.tar.zst",
                           "backups/x",
                           "restore.pending/files/a",
                           "restore.placing/plan.json",
                           "restore.partial/x",
                           "before-restore-1/home.db",
                           "home-2026.tar.zst",
                           "b.tar.zst.enc",
                           "a.tmp",
                           "a.yaml~",
                           ".a.yaml.swp",
                           "b.partial/home.db",
                           "kept"})
    put(path);
  EXPECT_EQ(files(), Names{"kept"});
}

TEST_F(HomeFilesTest, LeaveOutLinksThatLeadOut) {
  put("in/file");
  put("home.db");
  std::ofstream(temporary_ / "outside") << "x";
  fs::create_symlink(temporary_ / "outside", folder() / "out");
  fs::create_symlink("in/file", folder() / "linked");
  fs::create_symlink("home.db", folder() / "database");
  fs::create_hard_link(folder() / "home.db", folder() / "same");
  fs::create_symlink("nowhere", folder() / "broken");
  fs::create_directory_symlink(temporary_.path(), folder() / "up");
  EXPECT_EQ(files(), (Names{"in/file", "linked"}));
  fs::create_symlink(temporary_ / "outside", folder() / "configuration.yaml");
  EXPECT_EQ(files(), (Names{"configuration.yaml", "in/file", "linked"}));
}

TEST_F(HomeFilesTest, LeaveOutSpecialFilesAndUnusableNames) {
  put("kept");
  ASSERT_EQ(0, ::mkfifo((folder() / "pipe").c_str(), 0600));
  std::ofstream(folder() / "\xFF\xFE") << "x";
  std::ofstream(folder() / "two\nlines") << "x";
  EXPECT_EQ(files(), Names{"kept"});
}

TEST(HomeFiles, HaveNamesThatTheSystemCanHave) {
  EXPECT_TRUE(is_home_path("a/" + std::string(255, 'b')));
  EXPECT_FALSE(is_home_path("a/" + std::string(256, 'b') + "/c"));
  std::string deep = "a";
  while (deep.size() < 2'048) deep += "/a";
  EXPECT_FALSE(is_home_path(deep));
}

TEST_F(HomeFilesTest, NameAFolderThatCannotBeRead) {
  EXPECT_FALSE(user_files(folder()));
}

}  // namespace
}  // namespace hearth::backup
