// SPDX-License-Identifier: Apache-2.0
#include "app/files/last_good.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "app/settings/settings.h"
#include "storage/temporary_folder.h"

namespace hearth::app {
namespace {

using namespace std::chrono_literals;

struct KeptHome {
  void write(const std::string& name, std::string_view text) const {
    std::filesystem::create_directories((folder.path() / name).parent_path());
    std::ofstream(folder.path() / name, std::ios::binary) << text;
  }
  Settings read() const { return load_settings_to_start(folder.path(), {}, LastGood(folder.path())).value(); }
  // As a start that goes well.
  void start() const {
    const Settings settings = read();
    ASSERT_TRUE(LastGood(folder.path()).keep(*settings.files, settings.good));
  }

  const storage::TemporaryFolder folder;
};

TEST(LastGood, HasTheSectionsThatHadNothingWrong) {
  const KeptHome home;
  home.write("configuration.yaml", "home: {name: A, latitude: 5}\nlog: {level: !secret level}\n");
  home.write("secrets.yaml", "level: debug\n");
  home.start();
  home.write("configuration.yaml", "home: {name: B, latitude: north}\nlog: {level: !secret level}\n");
  home.write("secrets.yaml", "level: loud\n");
  const Settings settings = home.read();
  EXPECT_EQ(settings.home.location_name, "A");
  EXPECT_EQ(settings.home.latitude, 5);
  EXPECT_EQ(settings.log_level, base::LogLevel::debug);
  EXPECT_EQ(settings.wrong, (std::vector<std::string>{"home", "log"}));
  // A secret stays one.
  EXPECT_TRUE(LastGood(home.folder.path()).section("log")->find("level")->writing().secret);
  // A start with mistakes keeps what is good, and what was good before.
  home.start();
  EXPECT_EQ(home.read().home.location_name, "A");
}

TEST(LastGood, HasTheFilesThatCouldBeRead) {
  const KeptHome home;
  home.write("configuration.yaml", "log: !include parts/log.yaml\nautomation: !include_dir_merge_list d\n");
  home.write("parts/log.yaml", "level: error\n");
  home.write("d/one.yaml", "- {id: a, triggers: [], actions: []}\n");
  home.start();
  for (const char* file : {"configuration.yaml", "parts/log.yaml", "d/one.yaml"}) {
    home.write(file, "a: [\n");
    const Settings settings = home.read();
    EXPECT_EQ(settings.log_level, base::LogLevel::error) << file;
    EXPECT_EQ(settings.automations.automations.at(0).items().size(), 1u) << file;
    EXPECT_TRUE(texts_of(settings.findings, Finding::Kind::wrong).contains(std::string(file) + ":1:")) << file;
  }
}

TEST(LastGood, HasWhatCouldBeReadLater) {
  const KeptHome home;
  home.write("configuration.yaml", "log: !include log.yaml\n");
  home.write("log.yaml", "level: error\n");
  home.start();
  home.write("log.yaml", "level: debug\n");
  LastGood last_good(home.folder.path());
  ASSERT_TRUE(last_good.keep_later(*home.read().files));
  home.write("log.yaml", "level: [\n");
  EXPECT_EQ(home.read().log_level, base::LogLevel::debug);
  // The whole of the last start stays as it was.
  EXPECT_EQ(load_last_good(home.folder.path(), {}, last_good)->log_level, base::LogLevel::error);
}

TEST(LastGood, NeverGuessesWhatCouldOpenTheHome) {
  const KeptHome home;
  home.write("configuration.yaml", "http: {server_host: 127.0.0.1}\n");
  home.start();
  home.write("configuration.yaml", "http: {server_host: nowhere}\n");
  EXPECT_TRUE(has(home.read().findings, Finding::Kind::refused));
}

TEST(LastGood, KeepsHistoryIfNobodyKnowsHowLong) {
  const KeptHome home;
  home.write("configuration.yaml", "recorder: {keep: 2 years, commit_interval: 2s}\n");
  EXPECT_EQ(home.read().recorder.retention.keep, recorder::Retention::kForever);
  EXPECT_EQ(home.read().recorder.commit_interval, 2s);
}

TEST(LastGood, CountsStartsThatFailWithinFiveMinutes) {
  const KeptHome home;
  LastGood last_good(home.folder.path());
  const base::Timestamp at{std::chrono::hours(500'000)};
  EXPECT_FALSE(last_good.begin_start(at));
  EXPECT_FALSE(last_good.begin_start(at + 1min));
  EXPECT_FALSE(last_good.begin_start(at + 2min));
  EXPECT_TRUE(last_good.begin_start(at + 4min));
  EXPECT_FALSE(LastGood(home.folder.path()).begin_start(at + 6min + 1s));  // two of them, and one long ago
  last_good.end_start();
  EXPECT_FALSE(last_good.begin_start(at + 6min + 2s));
}

}  // namespace
}  // namespace hearth::app
