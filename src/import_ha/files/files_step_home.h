// SPDX-License-Identifier: Apache-2.0
// For tests: the step of files on a made-up home, with a few words that are known.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "core/values/words.h"
#include "import_ha/files/files_step.h"
#include "import_ha/files/home_pair.h"

namespace hearth::import_ha {

constexpr core::Words kTestSections{
    "automation script scene template group zone person input_boolean counter timer mqtt http recorder sensor "
    "binary_sensor switch notify home frontend api demo utility_meter"};
constexpr core::Words kTestBuiltIn{
    "default_config history logbook config my ssdp usb system_health energy sun lovelace map mobile_app"};
constexpr core::Words kTestIgnored{
    "home.media_dirs home.legacy_templates home.allowlist_external_dirs home.auth_mfa_modules home.auth_providers "
    "http.ip_ban_enabled http.use_x_forwarded_for recorder.auto_repack recorder.exclude.event_types frontend.themes"};

// Only the parts that these tests ask for; app has the real one.
inline KnownConfiguration test_words() {
  using Kind = KnownConfiguration::Kind;
  return {.section = [](const std::string& section, bool) -> KnownConfiguration::Word {
            const std::string name = section.substr(0, section.find(' '));
            if (kTestSections.contains(name)) return {Kind::read};
            if (kTestBuiltIn.contains(name)) return {Kind::built_in, "is there"};
            if (name == "logger") return {Kind::translated, "log"};
            if (name == "cloud" || name == "zha") return {Kind::not_here, "a way"};
            return {};
          },
          .key = [](const std::string& path) -> KnownConfiguration::Word {
            if (kTestIgnored.contains(path)) return {Kind::built_in, "has no meaning"};
            if (path == "recorder.db_url" || path == "http.ssl_key") return {Kind::not_here, "a way"};
            return {Kind::read};
          },
          .has_platforms =
              [](const std::string& section) {
                return core::Words("sensor binary_sensor switch notify").contains(section);
              },
          .knows_platform = [](const std::string&,
                               const std::string& platform) { return platform == "template" || platform == "group"; }};
}

class FilesStepTest : public testing::Test {
 protected:
  CarriedFiles carry(bool side_by_side = false) {
    const Source source = old_.open(report_);
    const KnownConfiguration known = test_words();
    auto carried =
        carry_files({.source = source, .home = old_.home(), .known = known, .side_by_side = side_by_side}, report_);
    EXPECT_TRUE(carried) << carried.error().message;
    return carried.value_or(CarriedFiles());
  }
  // The new configuration.yaml of that old one.
  std::string made_of(std::string_view text) {
    old_.put("configuration.yaml", text);
    carry();
    return old_.made("configuration.yaml");
  }
  const Thing& left(std::string_view what, std::string_view id) {
    static const Thing none;
    const Thing* const thing = report_.find(what, id);
    EXPECT_NE(thing, nullptr) << what << ' ' << id;
    if (thing) EXPECT_EQ(thing->fate, Fate::left);
    return thing ? *thing : none;
  }

  HomePair old_;
  Report report_;
};

}  // namespace hearth::import_ha
