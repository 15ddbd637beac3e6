// SPDX-License-Identifier: Apache-2.0
#include "app/settings/config_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <optional>

#include "storage/temporary_folder.h"

namespace hearth::app {
namespace {

// Sets or removes an environment variable until the test ends.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before;
    value ? ::setenv(name, value, 1) : ::unsetenv(name);
  }
  ~Environment() { before_ ? ::setenv(name_, before_->c_str(), 1) : ::unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

TEST(ConfigFolder, IsFirstTheOptions) {
  const Environment config("HEARTH_CONFIG", "/from/environment"), home("HOME", "/home/ann");
  EXPECT_EQ("/from/option", config_folder("/from/option").value());
}

TEST(ConfigFolder, IsNextTheEnvironments) {
  const Environment config("HEARTH_CONFIG", "/from/environment"), home("HOME", "/home/ann");
  EXPECT_EQ("/from/environment", config_folder("").value());
}

TEST(ConfigFolder, IsOtherwiseInTheUsersHomeFolder) {
  const Environment home("HOME", "/home/ann");
  for (const char* const nothing : {static_cast<const char*>(nullptr), ""}) {
    const Environment config("HEARTH_CONFIG", nothing);
    EXPECT_EQ("/home/ann/.config/hearth", config_folder("").value());
  }
}

TEST(ConfigFolder, IsAbsolute) {
  EXPECT_EQ(std::filesystem::current_path() / "there", config_folder("./there").value());
}

TEST(ConfigFolder, AsksForTheOptionIfNothingIsSet) {
  const Environment config("HEARTH_CONFIG", nullptr), home("HOME", nullptr);
  EXPECT_EQ("There is no home folder to look in; name the configuration folder with --config.",
            config_folder("").error().message);
}

TEST(ConfigFolder, IsCreatedForItsOwnerOnly) {
  storage::TemporaryFolder folder;
  const auto old_mask = ::umask(0);
  make_config_folder(folder / "a/b/hearth").value();
  make_config_folder(folder / "a/b/hearth").value();
  ::umask(old_mask);
  struct stat about{};
  ASSERT_EQ(0, ::stat((folder / "a/b/hearth").c_str(), &about));
  EXPECT_EQ(0700u, about.st_mode & 0777);
}

TEST(ConfigFolder, NamesTheFolderThatCannotBeCreated) {
  storage::TemporaryFolder folder;
  std::ofstream(folder / "file") << "x";
  EXPECT_EQ("The folder " + (folder / "file").string() + " cannot be made: File exists.",
            make_config_folder(folder / "file").error().message);
  EXPECT_EQ("The folder " + (folder / "file/hearth").string() + " cannot be made: Not a directory.",
            make_config_folder(folder / "file/hearth").error().message);
}

}  // namespace
}  // namespace hearth::app
