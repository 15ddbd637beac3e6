// SPDX-License-Identifier: Apache-2.0
#include "app/import_ha/imported_home.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/json/json.h"
#include "storage/temporary_folder.h"

namespace hearth::app {
namespace {

class ImportedHomeCheck : public testing::Test {
 protected:
  void put(const std::string& file, std::string_view text) const { std::ofstream(folder_ / file) << text; }
  void reserve(const std::string& entity_id, const std::string& integration, const std::string& unique_id) {
    registry_.set(core::RegisteredEntity{
        .id = unique_id, .entity_id = entity_id, .unique_id = unique_id, .integration = integration});
  }
  // The report of the home, as JSON.
  json::object look() {
    import_ha::Report report;
    const ImportedHome home{.folder = folder_.path(),
                            .registry = registry_,
                            .was = [](std::string_view id) { return id == "automation.hall" ? "on" : ""; },
                            .is_there = [](std::string_view id) { return id == "sun.sun"; }};
    const auto done = check_imported_home(home, {}, report);
    EXPECT_TRUE(done) << done.error().message;
    return report.to_json();
  }

  storage::TemporaryFolder folder_;
  core::RegistryData registry_;
};

TEST_F(ImportedHomeCheck, ListsWhatAutomationsCallThatIsNotThere) {
  put("configuration.yaml",
      "automation: !include automations.yaml\nscript: !include scripts.yaml\ninput_boolean:\n  guests:\n");
  put("automations.yaml",
      "- id: '17'\n  alias: Other name\n  trigger:\n    platform: state\n    entity_id: [light.reserved, "
      "input_boolean.guests]\n  action:\n"
      "    - service: light.turn_on\n      target:\n        entity_id: light.gone\n    - service: script.ring\n"
      "    - service: rest_command.ring\n    - service: homeassistant.restart\n    - condition: state\n"
      "      entity_id: sun.sun\n      state: below_horizon\n");
  put("scripts.yaml", "ring:\n  sequence:\n    - delay: 1\n");
  reserve("automation.hall", "automation", "17");
  reserve("light.reserved", "hue", "1");
  const json::object report = look();
  EXPECT_EQ(base::to_json(report.at("automations")),
            R"([{"id":"17","entity_id":"automation.hall","was":"on","errors":[)"
            R"({"line":9,"text":"light.gone is not there"},{"line":11,"text":"rest_command.ring is not there"}]}])");
}

TEST_F(ImportedHomeCheck, ListsErrorsOfAutomationsAndScripts) {
  put("configuration.yaml", "automation: !include automations.yaml\nscript: !include other.yaml\n");
  put("automations.yaml",
      "- id: '1'\n  alias: A\n  trigger:\n    - platform: nothing_like_this\n  action:\n"
      "    - service: shell_command.run\n");
  put("other.yaml", "one:\n  sequence:\n    - never: 1\n");
  const json::object report = look();
  const std::string said = base::to_json(report.at("automations"));
  EXPECT_NE(said.find(R"({"line":4,"text":")"), std::string::npos) << said;
  EXPECT_NE(said.find("nothing_like_this"), std::string::npos) << said;
  EXPECT_NE(said.find(R"({"line":6,"text":"shell_command.run is not there"})"), std::string::npos) << said;
  EXPECT_NE(said.find("script.one"), std::string::npos) << said;
  EXPECT_NE(said.find("(other.yaml)"), std::string::npos) << said;
}

TEST_F(ImportedHomeCheck, NamesWrongValuesAndUnknownKeys) {
  put("configuration.yaml", "http:\n  server_port: everywhere\n  colour: red\ninput_number:\n  a:\n    min: x\n");
  const json::object report = look();
  const json::array& items = report.at("items").as_array();
  const auto has = [&](std::int64_t line, std::string_view why) {
    return std::ranges::any_of(items, [&](const json::value& item) {
      return item.at("line").as_int64() == line && item.at("why").as_string() == why;
    });
  };
  EXPECT_TRUE(has(2, "broken")) << base::to_json(items);
  EXPECT_TRUE(has(3, "unknown_section")) << base::to_json(items);
  EXPECT_TRUE(has(6, "broken")) << base::to_json(items);
}

TEST_F(ImportedHomeCheck, ShowsNoSecret) {
  put("secrets.yaml", "port: swordfish\n");
  put("configuration.yaml", "http:\n  server_port: !secret port\n");
  const std::string said = base::to_json(look());
  EXPECT_EQ(said.find("swordfish"), std::string::npos) << said;
  EXPECT_NE(said.find("server_port"), std::string::npos) << said;
}

}  // namespace
}  // namespace hearth::app
