// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/json/json.h"
#include "import_ha/files/files_step.h"
#include "import_ha/files/files_step_home.h"

namespace hearth::import_ha {
namespace {

class CarriedFilesStep : public FilesStepTest {};

TEST_F(CarriedFilesStep, TellsHowLongHistoryIsKept) {
  old_.put("configuration.yaml", "recorder:\n  purge_keep_days: 1.5\n");
  EXPECT_EQ(carry().keep, "36h");
  old_.put("configuration.yaml", "recorder:\n  auto_purge: no\n  purge_keep_days: 30\n");
  EXPECT_EQ(carry().keep, "forever");
  old_.put("configuration.yaml", "recorder:\n");
  EXPECT_EQ(carry().keep, std::nullopt);
}

TEST_F(CarriedFilesStep, FindsTheDatabase) {
  old_.put("configuration.yaml", "recorder:\n  db_url: sqlite:////config/elsewhere.db\n");
  const CarriedFiles file = carry();
  EXPECT_EQ(file.database, "/config/elsewhere.db");
  EXPECT_FALSE(file.database_elsewhere);
  old_.put("secrets.yaml", "db: mysql://ann:hunter22@server/ha\n");
  old_.put("configuration.yaml", "recorder:\n  db_url: !secret db\n");
  EXPECT_TRUE(carry().database_elsewhere);
  EXPECT_EQ(left("setting", "recorder.db_url").why, Why::other_database);
  EXPECT_NE(left("setting", "recorder.db_url").text.find("MariaDB"), std::string::npos);
  EXPECT_EQ(base::to_json(report_.to_json()).find("hunter22"), std::string::npos);
  EXPECT_EQ(report_.to_text().find("hunter22"), std::string::npos);
}

TEST_F(CarriedFilesStep, CopiesSecretsForTheirOwnerOnly) {
  old_.put("secrets.yaml", "a: swordfish\n");
  old_.put("sub/secrets.yaml", "b: swordfish\n");
  old_.put("sub/scripts.yaml", "x:\n  alias: !secret b\n");
  made_of("script: !include sub/scripts.yaml\nrest_command:\n  x:\n    url: !secret a\n");
  EXPECT_EQ(old_.made("secrets.yaml"), "a: swordfish\n");
  EXPECT_EQ(old_.made("sub/secrets.yaml"), "b: swordfish\n");
  EXPECT_EQ(old_.mode("secrets.yaml"), 0600u);
  EXPECT_EQ(old_.mode("sub/secrets.yaml"), 0600u);
  EXPECT_EQ(base::to_json(report_.to_json()).find("swordfish"), std::string::npos);
}

TEST_F(CarriedFilesStep, CopiesAutomationsByteForByte) {
  const std::string text = "# Edited by hand\r\n- id: '1'\r\n  action: [ {service: rest_command.ring} ]\r\n\r\n";
  old_.put("automations.yaml", text);
  old_.put("scripts.yaml", "");
  old_.put("scenes.yaml", "- id: a\n");
  made_of(
      "automation: !include automations.yaml\nautomation manual:\n  - id: x\nscript: !include scripts.yaml\n"
      "scene: !include scenes.yaml\n");
  EXPECT_EQ(old_.made("automations.yaml"), text);
  EXPECT_EQ(old_.made("scripts.yaml"), "");
  EXPECT_EQ(old_.made("scenes.yaml"), "- id: a\n");
}

TEST_F(CarriedFilesStep, LeavesAutomationsThatWereNotInForce) {
  old_.put("automations.yaml", "- id: a\n");
  made_of("script:\n");
  EXPECT_EQ(old_.made("automations.yaml"), "(none)");
  EXPECT_EQ(old_.made("left-behind/automations.yaml"), "- id: a\n");
}

TEST_F(CarriedFilesStep, MakesFoldersThatAreIncludedAndHoldNothing) {
  std::filesystem::create_directories(old_.folder() / "automations");
  made_of(
      "automation: !include_dir_merge_list automations/\nscript: !include_dir_merge_named never/made\n"
      "rest_command: !include_dir_merge_named calls\n");
  EXPECT_TRUE(std::filesystem::is_directory(old_.home() / "automations"));
  EXPECT_TRUE(std::filesystem::is_directory(old_.home() / "never/made"));
  EXPECT_FALSE(std::filesystem::exists(old_.home() / "calls"));
}

TEST_F(CarriedFilesStep, CopiesFoldersThatAreRead) {
  old_.put("www/a/plan.svg", std::string("\0\xFF", 2));
  old_.put("blueprints/automation/me/x.yaml", "blueprint:\n  name: !input a\n");
  old_.put("custom_templates/t.jinja", "{% macro a() %}{% endmacro %}");
  old_.put("custom_components/hacs/manifest.json", R"({"name": "HACS"})");
  old_.put("deps/x", "x");
  old_.put("home-assistant.log", "x");
  old_.put("ip_bans.yaml", "10.0.0.1:\n");
  made_of("script:\n");
  EXPECT_EQ(old_.made("www/a/plan.svg"), std::string("\0\xFF", 2));
  EXPECT_EQ(old_.made("blueprints/automation/me/x.yaml"), "blueprint:\n  name: !input a\n");
  EXPECT_NE(old_.made("custom_templates/t.jinja"), "(none)");
  for (const char* const file :
       {"custom_components/hacs/manifest.json", "deps/x", "home-assistant.log", "ip_bans.yaml"})
    EXPECT_EQ(old_.made(file), "(none)") << file;
  EXPECT_EQ(left("custom_component", "hacs").name, "HACS");
  left("file", "ip_bans.yaml");
}

TEST_F(CarriedFilesStep, FollowsNoLinkOutOfTheFolder) {
  const auto outside = old_.folder().parent_path() / "outside";
  std::filesystem::create_directories(outside);
  std::ofstream(outside / "private.yaml") << "a: 1\n";
  std::filesystem::create_directories(old_.folder() / "www");
  std::filesystem::create_symlink(outside / "private.yaml", old_.folder() / "www/link.txt");
  std::filesystem::create_directory_symlink(outside, old_.folder() / "www/folder");
  std::filesystem::create_symlink(outside / "private.yaml", old_.folder() / "scripts.yaml");
  std::filesystem::create_symlink(outside / "private.yaml", old_.folder() / "secrets.yaml");
  old_.put("www/real.txt", "real");
  std::filesystem::create_symlink(old_.folder() / "www/real.txt", old_.folder() / "www/inner.txt");
  std::filesystem::create_directory_symlink(".", old_.folder() / "www/loop");
  made_of("script: !include scripts.yaml\nscene: !include ../outside/private.yaml\ntimer: !include /etc/hostname\n");
  for (const char* const file : {"www/link.txt", "www/folder/private.yaml", "scripts.yaml", "secrets.yaml"})
    EXPECT_EQ(old_.made(file), "(none)") << file;
  EXPECT_EQ(old_.made("www/inner.txt"), "real");
  left("file", "secrets.yaml");
  left("picture", "www/link.txt");
  left("picture", "www/folder");
  left("file", "../outside/private.yaml");
  left("file", "/etc/hostname");
}

TEST_F(CarriedFilesStep, CopiesWhatLeftSectionsInclude) {
  old_.put("commands/rest.yaml", "ring:\n  url: http://x\n");
  made_of("rest_command: !include commands/rest.yaml\n");
  EXPECT_EQ(old_.made("commands/rest.yaml"), "(none)");
  EXPECT_EQ(old_.made("left-behind/commands/rest.yaml"), "ring:\n  url: http://x\n");
}

TEST_F(CarriedFilesStep, CopiesDashboardsOfYaml) {
  old_.put("ui-lovelace.yaml", "views: !include views.yaml\n");
  old_.put("views.yaml", "- title: Hall\n");
  old_.put("dashboards/cellar.yaml", "views: []\n");
  EXPECT_EQ(made_of("lovelace:\n  mode: yaml\n  dashboards:\n    cellar-plan:\n      mode: yaml\n"
                    "      title: Cellar\n      filename: dashboards/cellar.yaml\nscript:\n"),
            "script:\n");
  EXPECT_EQ(old_.made("ui-lovelace.yaml"), "views: !include views.yaml\n");
  EXPECT_EQ(old_.made("views.yaml"), "- title: Hall\n");
  EXPECT_EQ(old_.made("dashboards/cellar.yaml"), "views: []\n");
  EXPECT_EQ(left("dashboard", "cellar-plan").name, "Cellar");
}

TEST_F(CarriedFilesStep, MakesAConfigurationWhereThereIsNone) {
  carry();
  EXPECT_NE(old_.made("configuration.yaml"), "(none)");
  EXPECT_EQ(old_.made("configuration.yaml").find("demo"), std::string::npos);
}

TEST_F(CarriedFilesStep, IncludesTemplatesThatPagesHaveMade) {
  std::ofstream(old_.home() / "ha-templates.yaml") << "- sensor: []\n";
  EXPECT_EQ(made_of("template: []"), "template: []\n\ntemplate made_on_pages: !include ha-templates.yaml\n");
}

TEST_F(CarriedFilesStep, AsksForVariablesOfTheEnvironment) {
  made_of("script:\n  a:\n    alias: !env_var HEARTH_TEST_NO_SUCH_NAME\n    mode: !env_var NOT_THERE single\n");
  const std::string said = base::to_json(report_.to_json());
  EXPECT_NE(said.find("HEARTH_TEST_NO_SUCH_NAME"), std::string::npos) << said;
  EXPECT_EQ(said.find("NOT_THERE"), std::string::npos);
}

}  // namespace
}  // namespace hearth::import_ha
