// SPDX-License-Identifier: Apache-2.0
#include "app/import_ha/to_do.h"

#include <gtest/gtest.h>

namespace hearth::app {
namespace {

class ToDo : public testing::Test {
 protected:
  // The things to do, each as `what name`.
  std::string list(std::string_view report) {
    std::string all;
    tasks_ = to_do(base::parse_json(report).value().as_object(), done, home);
    for (const json::value& each : tasks_)
      all += std::string(each.at("what").get_string()) + " " + std::string(each.at("name").get_string()) + ";";
    return all;
  }
  std::string text(std::string_view key) const { return std::string(tasks_.at(0).at(key).get_string()); }

  core::RegistryData registry;
  PresentHome home{.registry = registry,
                   .is_there = [this](std::string_view name) { return there.contains(name); },
                   .has_file = [this](std::string_view file) { return there.contains(file); },
                   .has_environment = [this](const std::string& name) { return there.contains(name); }};
  std::set<std::string, std::less<>> done, there;

 private:
  json::array tasks_;
};

TEST_F(ToDo, AUserIsDoneWhenAllIsThatWasMissing) {
  constexpr std::string_view kReport = R"({"items": [{"what": "user", "id": "u1", "name": "Kid", "fate": "carried",
      "text": "t", "attention": "no_password",
      "do": "Set one with `hearth user passwd`. Activate the account: `hearth user activate kid`."}]})";
  home.users["u1"] = {};
  EXPECT_EQ("user Kid;", list(kReport));
  home.users["u1"].has_password = true;
  EXPECT_EQ("user Kid;", list(kReport));
  home.users["u1"].is_active = true;
  EXPECT_EQ("", list(kReport));
  home.users["u1"] = {};
  EXPECT_EQ("user Kid;", list(kReport));
  home.users.clear();
  EXPECT_EQ("", list(kReport));
}

TEST_F(ToDo, SomebodyMarksTheRest) {
  constexpr std::string_view kReport = R"({"attentions": [{"attention": "old_version", "text": "a", "do": "b"}],
      "items": [{"what": "file", "id": "a.yaml", "fate": "left"}]})";
  EXPECT_EQ("home ;", list(kReport));
  done.insert(text("id"));
  EXPECT_EQ("", list(kReport));
}

TEST_F(ToDo, FilesAndEnvironmentAreLookedAt) {
  EXPECT_EQ("home ;", list(R"({"attentions": [{"attention": "env_var", "text": "c.yaml takes a value: PORT"}]})"));
  there.insert("PORT");
  EXPECT_EQ("", list(R"({"attentions": [{"attention": "env_var", "text": "c.yaml takes a value: PORT"}]})"));
  constexpr std::string_view kReport = R"({"items": [
      {"what": "file", "id": "scenes.yaml", "attention": "duplicate", "do": "Take what you want."},
      {"what": "collision", "id": "scripts.yaml: greet", "attention": "duplicate", "do": "Take what you want."},
      {"what": "file", "id": "more.yaml", "attention": "out_of_range", "do": "Copy it."}]})";
  there = {"left-behind/scenes.yaml"};
  EXPECT_EQ("file scenes.yaml;file more.yaml;", list(kReport));
  there = {"left-behind/scripts.yaml"};
  EXPECT_EQ("collision scripts.yaml: greet;file more.yaml;", list(kReport));
  there = {"more.yaml"};
  EXPECT_EQ("", list(kReport));
}

TEST_F(ToDo, SettingsAreDoneWhenTheyAreSetOrRight) {
  constexpr std::string_view kReport = R"({"items": [
      {"what": "setting", "id": "latitude", "attention": "out_of_range"},
      {"what": "setting", "id": "mqtt.password", "attention": "secret"},
      {"what": "setting", "id": "configuration.yaml:7", "text": "this is wrong", "attention": "broken"},
      {"what": "setting", "id": "http.ssl_key", "attention": "tls"}]})";
  const std::string broken =
      R"({"items": [{"what": "setting", "id": "configuration.yaml:9", "text": "this is wrong"}]})";
  home.report = base::parse_json(broken).value().as_object();
  EXPECT_EQ("setting latitude;setting mqtt.password;setting configuration.yaml:7;setting http.ssl_key;", list(kReport));
  home.settings = {"home.latitude", "mqtt.password"};
  home.has_tls = true;
  EXPECT_EQ("setting configuration.yaml:7;", list(kReport));
  home.report = {};
  EXPECT_EQ("", list(kReport));
}

TEST_F(ToDo, AnAutomationIsDoneWhenItsErrorsAreGone) {
  constexpr std::string_view kReport = R"({"automations": [{"id": "1", "entity_id": "automation.hall", "was": "on",
      "errors": [{"line": 3, "text": "rest_command.ring is not there"}, {"line": 4, "text": "light.x is not there"}]}]})";
  const auto now = [&](std::string_view errors) {
    home.report = base::parse_json(R"({"automations": [{"id": "1", "entity_id": "automation.renamed", "errors": )" +
                                   std::string(errors) + "}]}")
                      .value()
                      .as_object();
  };
  now(R"([{"line": 9, "text": "rest_command.ring is not there"}, {"line": 4, "text": "light.x is not there"}])");
  EXPECT_EQ("automation automation.hall;", list(kReport));
  EXPECT_EQ("rest_command.ring is not there; light.x is not there", text("text"));
  there = {"light.x"};
  EXPECT_EQ("automation automation.hall;", list(kReport));
  EXPECT_EQ("rest_command.ring is not there", text("text"));
  there = {"light.x", "rest_command.ring"};
  EXPECT_EQ("", list(kReport));
  there.clear();
  now(R"([{"line": 1, "text": "another error"}])");
  EXPECT_EQ("", list(kReport));
  home.report = {};
  EXPECT_EQ("", list(kReport));
}

TEST_F(ToDo, ReservedEntitiesAreOneForEachIntegration) {
  constexpr std::string_view kReport = R"({"items": [
      {"what": "entity", "id": "light.a", "fate": "reserved", "platform": "hue"},
      {"what": "entity", "id": "light.b", "fate": "reserved", "platform": "hue"},
      {"what": "entity", "id": "light.c", "fate": "carried", "platform": "demo"}]})";
  const auto add = [&](std::string id, std::string integration, bool provided) {
    core::RegisteredEntity entity;
    entity.entity_id = "light." + id;
    entity.id = entity.unique_id = id;
    entity.integration = std::move(integration);
    entity.provided = provided;
    registry.set(std::move(entity));
  };
  add("a", "hue", false);
  add("b", "hue", false);
  add("c", "demo", false);
  EXPECT_EQ("reserved hue;", list(kReport));
  EXPECT_EQ("2 entities of hue wait for what provides them.", text("text"));
  const std::string id = text("id");
  add("a", "hue", true);
  EXPECT_EQ("reserved hue;", list(kReport));
  EXPECT_EQ("1 entity of hue waits for what provides it.", text("text"));
  EXPECT_EQ(id, text("id"));
  add("b", "hue", true);
  EXPECT_EQ("", list(kReport));
}

}  // namespace
}  // namespace hearth::app
