// SPDX-License-Identifier: Apache-2.0
#include "app/sections/foreign_words.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/settings/settings.h"

namespace hearth::app {
namespace {

Settings read_foreign(std::string_view text) {
  return parse_settings(text, {});
}

// Each word of another hub, with its result, a line each.
std::string notes_of(std::string_view text) {
  return texts_of(read_foreign(text).findings, Finding::Kind::note);
}

TEST(ForeignWords, TakeWordsOfTheLargerHub) {
  const Settings settings = read_foreign(
      "logger: {default: critical, logs: {a: debug}}\nhomeassistant: {unit_system: Imperial, elevation: 12.4}\n"
      "recorder:\n  purge_keep_days: 14\n  commit_interval: 5\n  db_url: mysql://u:hunter2@h/d\n"
      "  exclude:\n    domains: [sun]\n    entities:\n    event_types: [a]\nhttp: {ip_ban_enabled: true, "
      "cors_allowed_origins: "
      "'*'}\n");
  EXPECT_EQ(settings.log_level, base::LogLevel::error);
  EXPECT_EQ(settings.home.unit_system, core::UnitSystem::us_customary);
  EXPECT_EQ(settings.home.elevation, 12);
  EXPECT_EQ(settings.recorder.retention.keep, std::chrono::days(14));
  EXPECT_EQ(settings.recorder.commit_interval, std::chrono::seconds(5));
  EXPECT_FALSE(settings.recorder.retention.records("sun.sun"));
  EXPECT_TRUE(settings.http.cors_allowed_origins.empty());
  EXPECT_EQ(texts_of(settings.findings, Finding::Kind::wrong), "");
  const std::string notes = texts_of(settings.findings, Finding::Kind::note);
  EXPECT_TRUE(notes.contains("configuration.yaml:6: recorder.db_url: this hub does not have it: history is in"));
  EXPECT_FALSE(notes.contains("hunter2"));  // no address with its password
}

TEST(ForeignWords, KeepAllHistoryIfTheLargerHubPurgedNone) {
  EXPECT_EQ(read_foreign("recorder: {auto_purge: false, purge_keep_days: 3}").recorder.retention.keep,
            recorder::Retention::kForever);
  EXPECT_EQ(read_foreign("recorder: {auto_purge: true, purge_keep_days: 0.5}").recorder.retention.keep,
            std::chrono::hours(12));
  EXPECT_EQ(read_foreign("recorder: {keep: 2d, purge_keep_days: 3}").recorder.retention.keep, std::chrono::days(2));
}

TEST(ForeignWords, TakeSectionsOfPackages) {
  const Settings settings = read_foreign(
      "log: {level: warning}\nrecorder: {exclude: {entities: [a.b]}}\nhome:\n  packages:\n    one:\n"
      "      recorder: {exclude: {entities: [c.d]}, keep: 3d}\n      logger: {default: debug}\n"
      "      homeassistant: {customize: {light.a: {icon: x}}}\n      rokcet: 1\n      default_config:\n");
  EXPECT_EQ(settings.log_level, base::LogLevel::warning);
  EXPECT_FALSE(settings.recorder.retention.records("a.b"));
  EXPECT_FALSE(settings.recorder.retention.records("c.d"));
  EXPECT_EQ(settings.recorder.retention.keep, std::chrono::days(3));
  EXPECT_EQ(settings.customizations.of("light.a").at("icon"), "x");
  EXPECT_TRUE(texts_of(settings.findings, Finding::Kind::left_out).contains("rokcet is not supported"));
  EXPECT_TRUE(settings.automations.faults.empty());
}

TEST(ForeignWords, NameEveryForeignWordByItsPlace) {
  for (const ForeignWord& word : foreign_words()) {
    std::string text, indent;
    for (std::size_t start = 0; start <= word.name.size();) {
      const std::size_t end = std::min(word.name.find('.', start), word.name.size());
      text += "\n" + indent + std::string(word.name.substr(start, end - start)) + ":";
      indent += "  ";
      start = end + 1;
    }
    const std::string notes = notes_of(text + " 5\n");
    EXPECT_TRUE(notes.contains(fmt::format(" {}: ", word.name))) << word.name << ": " << notes;
    EXPECT_TRUE(notes.contains(word.meaning)) << word.name << ": " << notes;
    EXPECT_FALSE(notes.contains("unknown key, ")) << notes;
  }
}

}  // namespace
}  // namespace hearth::app
