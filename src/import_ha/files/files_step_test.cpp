// SPDX-License-Identifier: Apache-2.0
#include "import_ha/files/files_step.h"

#include <gtest/gtest.h>

#include "import_ha/files/files_step_home.h"

namespace hearth::import_ha {
namespace {

class FilesStep : public FilesStepTest {};

TEST_F(FilesStep, CopiesWhatIsReadByteForByte) {
  const std::string text =
      "# My home\r\n---\r\nautomation: !include automations.yaml # mine\r\n\r\n\r\n"
      "input_boolean:\r\n    guests:   {name: \"Guests\"}\r\n  # odd\r\nscript:\r\ngroup: { all: {name: All} }\r\n"
      "input_boolean more:\r\n  night:";
  EXPECT_EQ(made_of(text), text);
  EXPECT_EQ(old_.mode("configuration.yaml"), 0600u);
  EXPECT_EQ(old_.made("left-behind.yaml"), "(none)");
  EXPECT_EQ(report_.counts().at("sections"), (Report::Counts{.carried = 5}));
}

TEST_F(FilesStep, KeepsAByteOrderMark) {
  EXPECT_EQ(made_of("\xEF\xBB\xBFscript:\nrest_command:\n  a:\n"), "\xEF\xBB\xBFscript:\n");
}

TEST_F(FilesStep, LeavesOtherSectionsBehindWithTheReason) {
  const std::string made = made_of(
      "# The top\n"
      "automation:\n"
      "\n"
      "# Rings the bell\n"
      "alert:\n"
      "  ring:\n"
      "    url: http://bell/ring\n"
      "\n"
      "    payload: !secret bell\n"
      "# Scripts\n"
      "script:\n");
  EXPECT_EQ(made, "# The top\nautomation:\n\n# Scripts\nscript:\n");
  const std::string behind = old_.made("left-behind.yaml");
  EXPECT_NE(behind.find("# alert, configuration.yaml line 5\n# Hearth does not have it. Instead: an automation"),
            std::string::npos)
      << behind;
  EXPECT_NE(behind.find("#\n# # Rings the bell\n# alert:\n#   ring:\n#     url: http://bell/ring\n#\n"
                        "#     payload: !secret bell\n"),
            std::string::npos)
      << behind;
  EXPECT_EQ(old_.mode("left-behind.yaml"), 0600u);
  const Thing& thing = left("section", "alert");
  EXPECT_EQ(thing.line, 5);
  EXPECT_EQ(thing.file, "configuration.yaml");
  EXPECT_EQ(thing.why, Why::unknown_section);
}

TEST_F(FilesStep, SaysWhatComesInsteadOfASection) {
  made_of("zha:\nmy_own_thing:\n  a: 1\ndemo:\nalexa:\n");
  EXPECT_NE(left("section", "zha").instead.find("Zigbee2MQTT"), std::string::npos);
  EXPECT_NE(left("section", "my_own_thing").instead.find("bridge"), std::string::npos);
  EXPECT_EQ(left("section", "alexa").why, Why::not_yet);
  left("section", "demo");
  EXPECT_EQ(old_.made("configuration.yaml"), "");
}

TEST_F(FilesStep, DropsSilentlyWhatIsBuiltIn) {
  EXPECT_EQ(made_of("# Loads the default set\n\n# All of it\ndefault_config:\n\nhistory:\ncloud:\nenergy:\n\n"
                    "my:\nfrontend:\napi:\nscript:\n"),
            "# Loads the default set\n\nscript:\n");
  EXPECT_TRUE(report_.things().empty());
  EXPECT_EQ(report_.counts().at("sections"), (Report::Counts{.carried = 7, .left = 1}));
  EXPECT_EQ(old_.made("left-behind.yaml"), "(none)");
}

TEST_F(FilesStep, LeavesFiltersOfTheLogbook) {
  EXPECT_EQ(made_of("logbook:\n  exclude:\n    domains: [sun]\nscript:\n"), "script:\n");
  EXPECT_EQ(left("setting", "logbook.exclude").line, 2);
}

TEST_F(FilesStep, TakesTheLevelOfTheLog) {
  EXPECT_EQ(made_of("logger:\n  default: critical\n  logs:\n    some.part: debug\nsun:\n\nscript:\n"),
            "log:\n  level: error  # logger: default: critical\n\nscript:\n");
}

TEST_F(FilesStep, CommentsOutPlatformsWhereTheyStand) {
  EXPECT_EQ(made_of("sensor:\n"
                    "  - platform: template\n"
                    "    sensors:\n"
                    "  # from the net\n"
                    "  - platform: mold_indicator\n"
                    "    resource: http://x\n"
                    "\n"
                    "    name: Net\n"
                    "  - platform: group\n"
                    "switch:\n"
                    "  platform: wake_on_lan\n"
                    "  mac: 1\n"),
            "sensor:\n"
            "  - platform: template\n"
            "    sensors:\n"
            "  # from the net\n"
            "  # Hearth has no platform mold_indicator of sensor. Instead: a template sensor of temperature and "
            "humidity.\n"
            "  # - platform: mold_indicator\n"
            "  #   resource: http://x\n"
            "\n"
            "  #   name: Net\n"
            "  - platform: group\n"
            "switch:\n"
            "  # Hearth has no platform wake_on_lan of switch. Instead: keep Home Assistant running for it, "
            "and connect it on Settings > Devices; see docs/bridge.md.\n"
            "  # platform: wake_on_lan\n"
            "  # mac: 1\n");
  EXPECT_EQ(left("platform", "sensor.mold_indicator").line, 5);
  EXPECT_EQ(left("platform", "sensor.mold_indicator").why, Why::no_integration);
  EXPECT_EQ(report_.counts().at("platforms"), (Report::Counts{.carried = 2, .left = 2}));
  EXPECT_NE(old_.made("left-behind.yaml").find("#   - platform: mold_indicator\n#     resource"), std::string::npos);
}

TEST_F(FilesStep, CommentsOutPlatformsOfIncludedFiles) {
  old_.put("sensors/a.yaml", "- platform: mold_indicator\n  name: A\n- platform: template\n");
  old_.put("sensors/deep/b.yaml", "- platform: template\n");
  old_.put("single/c.yaml", "platform: file\nname: C\n");
  old_.put("single/d.yaml", "platform: group\n");
  old_.put("one.yaml", "# one\n- platform: smtp\n");
  const std::string text =
      "sensor: !include_dir_merge_list sensors\nbinary_sensor: !include_dir_list single/\nnotify: !include one.yaml\n";
  EXPECT_EQ(made_of(text), text);
  EXPECT_EQ(old_.made("sensors/a.yaml").find("# Hearth has no platform mold_indicator of sensor."), 0u);
  EXPECT_NE(old_.made("sensors/a.yaml").find("\n# - platform: mold_indicator\n#   name: A\n- platform: template\n"),
            std::string::npos);
  EXPECT_EQ(old_.made("sensors/deep/b.yaml"), "- platform: template\n");
  EXPECT_NE(old_.made("single/c.yaml").find("\n# platform: file\n# name: C\n"), std::string::npos);
  EXPECT_EQ(old_.made("single/d.yaml"), "platform: group\n");
  EXPECT_NE(old_.made("one.yaml").find("# one\n# Hearth has no platform smtp of notify."), std::string::npos);
}

TEST_F(FilesStep, GoesThroughPackages) {
  old_.put("packages/garden.yaml",
           "# Garden\ncounter:\n  water:\n\nshell_command:\n  hose: open\nsensor:\n"
           "  - platform: mold_indicator\nautomation: !include_dir_merge_list ../garden\n");
  old_.put("garden/one.yaml", "- id: one\n");
  made_of("homeassistant:\n  packages: !include_dir_named packages\n");
  EXPECT_EQ(old_.made("packages/garden.yaml"),
            "# Garden\ncounter:\n  water:\n\nsensor:\n  # Hearth has no platform mold_indicator of sensor. Instead: a "
            "template sensor of temperature and humidity.\n  # - platform: mold_indicator\nautomation: "
            "!include_dir_merge_list ../garden\n");
  EXPECT_EQ(old_.made("garden/one.yaml"), "- id: one\n");
  EXPECT_EQ(left("section", "shell_command").file, "packages/garden.yaml");
}

TEST_F(FilesStep, GoesThroughPackagesOfTheFileItself) {
  old_.put("p.yaml", "rest_command:\n  a:\nscript:\n");
  EXPECT_EQ(made_of("homeassistant:\n  packages:\n    one: !include p.yaml\n    two:\n      alert:\n        x: 1\n"
                    "      timer:\n        tea:\n"),
            "homeassistant:\n  packages:\n    one: !include p.yaml\n    two:\n      timer:\n        tea:\n");
  EXPECT_EQ(old_.made("p.yaml"), "script:\n");
}

TEST_F(FilesStep, CommentsOutKeysWithoutMeaning) {
  old_.put("customize.yaml", "light.a:\n  icon: x\n");
  EXPECT_EQ(made_of("homeassistant:\n  name: Home\n  media_dirs:\n    a: /b\n  customize: !include customize.yaml\n"
                    "recorder:\n  purge_keep_days: 30\n  auto_repack: false\n  exclude:\n    event_types:\n"
                    "      - x\n    domains: sun\n"),
            "homeassistant:\n  name: Home\n  # Hearth does not read it: has no meaning.\n  # media_dirs:\n  #   a: /b\n"
            "  customize: !include customize.yaml\nrecorder:\n  purge_keep_days: 30\n  # Hearth does not read it: has "
            "no meaning.\n  # auto_repack: false\n  exclude:\n    # Hearth does not read it: has no meaning.\n"
            "    # event_types:\n    #   - x\n    domains: sun\n");
  EXPECT_EQ(old_.made("customize.yaml"), "light.a:\n  icon: x\n");
  left("setting", "home.media_dirs");
}

TEST_F(FilesStep, NamesProvidersOfLogins) {
  made_of(
      "homeassistant:\n  auth_providers:\n    - type: homeassistant\n    - type: trusted_networks\n"
      "      trusted_networks: 10.0.0.0/8\n");
  EXPECT_EQ(left("auth_provider", "trusted_networks").attention, "auth_provider");
  EXPECT_EQ(report_.find("auth_provider", "homeassistant"), nullptr);
}

TEST_F(FilesStep, CarriesHttp) {
  EXPECT_EQ(made_of("http:\n  server_port: 8124\n  use_x_forwarded_for: true\n  cors_allowed_origins:\n"
                    "    - https://cast.home-assistant.io\n    - https://panel.example\n  ssl_key: /ssl/key.pem\n"
                    "  ip_ban_enabled: true\n"),
            "http:\n  server_port: 8124\n  use_x_forwarded_for: true\n  cors_allowed_origins:\n"
            "    # the default of Home Assistant\n    # - https://cast.home-assistant.io\n"
            "    - https://panel.example\n  # TLS is set up by http: tls:, or ends at a reverse proxy.\n"
            "  # ssl_key: /ssl/key.pem\n  # Addresses that guess passwords are delayed, then banned.\n"
            "  # ip_ban_enabled: true\n");
  EXPECT_EQ(left("setting", "http.ssl_key").attention, "tls");
  EXPECT_EQ(left("setting", "http.ip_ban_enabled").attention, "bans");
}

TEST_F(FilesStep, LeavesThePortToAHubThatGoesOn) {
  old_.put("configuration.yaml", "http:\n  server_port: 80\n");
  carry(true);
  EXPECT_TRUE(old_.made("configuration.yaml")
                  .starts_with("http:\n  # Home Assistant goes on running at this port.\n  # server_port: 80\n"));
}

TEST_F(FilesStep, OffersTheBridgeToAHubThatGoesOn) {
  old_.put_storage("core.config", R"({"internal_url": "http://10.0.0.9:8123"})");
  old_.put_storage("http", R"({"server_port": 8124})");
  old_.put("configuration.yaml", "script:");
  carry(true);
  const std::string made = old_.made("configuration.yaml");
  EXPECT_TRUE(made.starts_with("script:\n\n# The bridge")) << made;
  EXPECT_TRUE(made.contains("# home_assistant:\n#   url: http://10.0.0.9:8123\n#   token: !secret ha_token\n")) << made;
  EXPECT_FALSE(made.contains("8124"));
}

TEST_F(FilesStep, TakesAPortOfTheEnvironmentFromTheLastStart) {
  old_.put_storage("http", R"({"server_port": 38381})");
  EXPECT_EQ(made_of("http:\n  server_port: !env_var HEARTH_TEST_NO_SUCH_PORT\n"),
            "http:\n  server_port: 38381  # !env_var HEARTH_TEST_NO_SUCH_PORT\n");
}

TEST_F(FilesStep, TakesHttpOfTheStorageIfTheFileHasNone) {
  old_.put_storage("http", R"({"server_host": ["0.0.0.0", "::"], "server_port": 8124, "use_x_forwarded_for": true,
    "trusted_proxies": ["10.0.0.1"], "cors_allowed_origins": ["https://cast.home-assistant.io"]})");
  EXPECT_EQ(made_of("script:"),
            "script:\n\nhttp:\n  server_port: 8124\n  use_x_forwarded_for: true\n  trusted_proxies: [\"10.0.0.1\"]\n");
}

TEST_F(FilesStep, KeepsAFileWholeWhosePartsDependOnEachOther) {
  const std::string text = "rest_command:\n  a: &x\n    b: 1\nscript:\n  c: *x\n";
  EXPECT_EQ(made_of(text), text);
}

TEST_F(FilesStep, CopiesABrokenFileAndSaysSo) {
  const std::string text = "script:\n  a: [1\nb: 2\n";
  EXPECT_EQ(made_of(text), text);
  EXPECT_EQ(left("file", "configuration.yaml").why, Why::broken);
}

}  // namespace
}  // namespace hearth::import_ha
