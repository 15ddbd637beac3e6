// SPDX-License-Identifier: Apache-2.0
#include "app/doctor/diagnosis.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "app/supervision.h"
#include "net/mdns/mdns.h"
#include "storage/database.h"
#include "storage/temporary_folder.h"

namespace hearth::app {
namespace {

using enum Diagnosis::Grade;

const storage::GoOn kGoOn = [] { return true; };

class DoctorTest : public testing::Test {
 protected:
  // Texts of that grade, with what to do.
  static std::string found(const Diagnoses& diagnoses, Diagnosis::Grade grade) {
    std::string texts;
    for (const Diagnosis& each : diagnoses) {
      EXPECT_EQ(each.grade == good, each.advice.empty()) << each.text;
      if (each.grade == grade) texts += each.text + '\n';
    }
    return texts;
  }
  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }

  storage::TemporaryFolder folder_;
};

TEST_F(DoctorTest, FindsTheGravest) {
  EXPECT_EQ(good, gravest({}));
  EXPECT_EQ(warning, gravest({{"a", good, ""}, {"a", warning, ""}}));
  EXPECT_EQ(bad, gravest({{"a", bad, ""}, {"a", warning, ""}}));
}

TEST_F(DoctorTest, LooksAtTheFolder) {
  EXPECT_EQ(good, gravest(examine_folder(folder_.path())));
  ::chmod(folder_.path().c_str(), 0755);
  EXPECT_TRUE(found(examine_folder(folder_.path()), warning).contains("can be opened by other users"));
  ::chmod(folder_.path().c_str(), 0700);
  EXPECT_TRUE(found(examine_folder(folder_ / "nowhere"), bad).contains("No such file"));
  if (::geteuid() != 0) return;
  write("home.db", "");
  ASSERT_EQ(0, ::chown((folder_ / "home.db").c_str(), 65534, 65534));
  EXPECT_TRUE(found(examine_folder(folder_.path()), warning).contains("1 of its files belong to another user"));
}

TEST_F(DoctorTest, MeasuresTheDiskAndLeavesNothingThere) {
  const auto diagnoses = examine_disk(folder_.path());
  EXPECT_EQ(2, diagnoses.size());
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
  EXPECT_EQ(bad, gravest(examine_disk(folder_ / "nowhere")));
}

TEST_F(DoctorTest, LooksIntoTheDatabases) {
  EXPECT_EQ(good, gravest(examine_databases(folder_.path(), kGoOn)));
  {
    auto database = storage::Database::open(folder_ / "home.db");
    ASSERT_TRUE(database && database->execute("CREATE TABLE t(a); INSERT INTO t VALUES(zeroblob(100000))"));
  }
  EXPECT_TRUE(found(examine_databases(folder_.path(), kGoOn), good).contains("home.db is sound"));
  const auto size = std::filesystem::file_size(folder_ / "home.db");
  std::filesystem::resize_file(folder_ / "home.db", size / 2);
  EXPECT_TRUE(found(examine_databases(folder_.path(), kGoOn), bad).contains("home.db"));
  write("home.db", "this is no database, and it is longer than a header of one would be");
  EXPECT_TRUE(found(examine_databases(folder_.path(), kGoOn), bad).contains("home.db"));
}

TEST_F(DoctorTest, LooksAtTheClock) {
  const Settings settings;
  EXPECT_EQ(bad, gravest(examine_clock(settings, base::Timestamp())));
  EXPECT_NE(bad, gravest(examine_clock(settings, base::SystemClock().now())));
}

TEST_F(DoctorTest, TellsWhyNoClientFindsTheHub) {
  Settings settings;
  settings.network.announce = false;
  settings.http.server_host = {"127.0.0.1"};
  if (!net::has_mdns()) {
    EXPECT_TRUE(found(examine_announcement(folder_.path(), settings), good).contains("without libavahi-core"));
    return;
  }
  EXPECT_TRUE(found(examine_announcement(folder_.path(), settings), good).contains("network: announce is false"));
  settings.network.announce = true;
  EXPECT_TRUE(found(examine_announcement(folder_.path(), settings), good).contains("its own machine only"));
}

TEST_F(DoctorTest, ReadsTheConfiguration) {
  EXPECT_EQ(good, gravest(examine_configuration(parse_settings("home:\n  name: Here\n", {}))));
  const auto wrong = examine_configuration(parse_settings("recorder:\n  keep: soon\n", {}));
  EXPECT_TRUE(found(wrong, warning).contains("recorder.keep")) << found(wrong, warning);
  const auto refused = examine_configuration(parse_settings("http:\n  server_port: 99999999\n", {}));
  EXPECT_TRUE(found(refused, bad).contains("http.server_port")) << found(refused, bad);
  EXPECT_EQ(bad, gravest(examine_configuration(base::fail(base::ErrorCode::not_found, "there is no such file"))));
}

TEST_F(DoctorTest, TellsWhatAnEarlierRunHasLeft) {
  EXPECT_EQ(good, gravest(examine_past(folder_.path())));
  write(Supervision::kFile, "a line\n");
  EXPECT_TRUE(found(examine_past(folder_.path()), warning).contains("has stood still"));
  std::filesystem::create_directory(folder_ / ".last_good");
  write(".last_good/attempts", "[1,2]");
  EXPECT_TRUE(found(examine_past(folder_.path()), warning).contains("have not ended well"));
}

TEST_F(DoctorTest, FindsNoHubWhereNoneRuns) {
  Settings settings;
  settings.http.server_host = {"127.0.0.1"};
  settings.http.server_port = 0;  // a free port can always be had
  EXPECT_TRUE(found(examine_hub(folder_.path(), settings), warning).contains("no hub runs"));
}

}  // namespace
}  // namespace hearth::app
