// SPDX-License-Identifier: Apache-2.0
#include "app/settings/known_words.h"

#include <gtest/gtest.h>

namespace hearth::app {
namespace {

using Kind = import_ha::KnownConfiguration::Kind;

const std::vector<KnownIntegration> kIntegrations = {{"demo", nullptr}, {"mqtt", nullptr}};

TEST(KnownWords, TellsWhichSectionsAreRead) {
  const auto known = known_words(kIntegrations);
  for (const char* const section : {"automation",     "automation by hand",
                                    "script",         "scene",
                                    "template",       "group",
                                    "zone",           "person",
                                    "input_boolean",  "input_button",
                                    "input_number",   "input_text",
                                    "input_select",   "input_datetime",
                                    "counter",        "timer",
                                    "schedule",       "utility_meter",
                                    "mqtt",           "sensor",
                                    "sensor outside", "binary_sensor",
                                    "switch",         "light",
                                    "cover",          "fan",
                                    "lock",           "climate",
                                    "notify",         "home",
                                    "http",           "recorder",
                                    "prometheus"})
    EXPECT_EQ(known.section(section, false).kind, Kind::read) << section;
  for (const char* const section : {"default_config", "history", "logbook", "config", "my", "ssdp", "dhcp", "usb",
                                    "system_health", "energy", "sun", "search", "trace", "map", "media_source", "tag"})
    EXPECT_EQ(known.section(section, false).kind, Kind::built_in) << section;
  EXPECT_EQ(known.section("logger", false).kind, Kind::translated);
  EXPECT_EQ(known.section("downloader", false).kind, Kind::not_here);
  EXPECT_FALSE(known.section("downloader", false).meaning.empty());
  EXPECT_EQ(known.section("somebodys_component", false).kind, Kind::unknown);
  EXPECT_EQ(known.section("odd: \"name\"", false).kind, Kind::unknown);
}

TEST(KnownWords, TellsWhichSectionsOfPackagesAreRead) {
  const auto known = known_words(kIntegrations);
  for (const char* const section :
       {"automation", "automation x", "template", "counter", "mqtt", "sensor", "recorder", "shell_command",
        "rest_command", "rest", "scrape", "command_line", "sql", "wake_on_lan", "demo"})
    EXPECT_EQ(known.section(section, true).kind, Kind::read) << section;
  EXPECT_EQ(known.section("rocket", true).kind, Kind::unknown);
  EXPECT_EQ(known.section("downloader", true).kind, Kind::not_here);
}

TEST(KnownWords, TellsWhichKeysAreRead) {
  const auto known = known_words(kIntegrations);
  EXPECT_EQ(known.key("home.name").kind, Kind::read);
  EXPECT_EQ(known.key("home.customize").kind, Kind::translated);
  EXPECT_EQ(known.key("home.media_dirs").kind, Kind::built_in);
  EXPECT_EQ(known.key("recorder.purge_keep_days").kind, Kind::translated);
  EXPECT_EQ(known.key("recorder.db_url").kind, Kind::not_here);
  EXPECT_EQ(known.key("recorder.exclude.event_types").kind, Kind::built_in);
  EXPECT_EQ(known.key("recorder.exclude.domains").kind, Kind::read);
}

TEST(KnownWords, TellsWhichPlatformsThereAre) {
  const auto known = known_words(kIntegrations);
  for (const char* const section : {"sensor", "binary_sensor", "switch", "light", "cover", "notify", "climate"})
    EXPECT_TRUE(known.has_platforms(section)) << section;
  for (const char* const section : {"automation", "http", "group", "mqtt", "somebodys_component", "rest_command"})
    EXPECT_FALSE(known.has_platforms(section)) << section;
  EXPECT_TRUE(known.knows_platform("sensor", "template"));
  EXPECT_TRUE(known.knows_platform("sensor", "history_stats"));
  EXPECT_TRUE(known.knows_platform("light", "group"));
  EXPECT_TRUE(known.knows_platform("sensor", "file"));
  EXPECT_TRUE(known.knows_platform("sensor", "sql"));
  EXPECT_TRUE(known.knows_platform("sensor", "dsmr"));
  EXPECT_FALSE(known.knows_platform("binary_sensor", "dsmr"));
  EXPECT_FALSE(known.knows_platform("sensor", "ping"));
  EXPECT_TRUE(known.knows_platform("calendar", "caldav"));
  EXPECT_FALSE(known.knows_platform("calendar", "todoist"));
  EXPECT_TRUE(known.knows_platform("sensor", "rest"));
  EXPECT_TRUE(known.knows_platform("sensor", "scrape"));
  EXPECT_FALSE(known.knows_platform("cover", "rest"));
  EXPECT_TRUE(known.knows_platform("notify", "file"));
  EXPECT_FALSE(known.knows_platform("notify", "html5"));
}

}  // namespace
}  // namespace hearth::app
