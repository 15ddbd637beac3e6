// SPDX-License-Identifier: Apache-2.0
#include "core/rights/rights.h"

#include <gtest/gtest.h>

#include "core/rights/policy_json.h"

namespace hearth::core {
namespace {

// light.sofa is in the living room itself; light.stove and sensor.stove are in the kitchen by their device,
// sensor.draught is there itself, with a device in the living room.
RegistryData home() {
  RegistryData data;
  data.areas.set("kitchen", {.id = "kitchen", .name = "Kitchen", .labels = {"warm"}});
  data.areas.set("living_room", {.id = "living_room", .name = "Living room"});
  data.set(Device{.id = "d.stove", .area_id = "kitchen", .labels = {"hot"}});
  data.set(Device{.id = "d.window", .area_id = "living_room"});
  const auto add = [&](const char* id, OptionalText device, OptionalText area, Texts labels = {}) {
    RegisteredEntity entity{.id = id, .entity_id = id, .unique_id = id, .integration = "d"};
    entity.device_id = std::move(device);
    entity.area_id = std::move(area);
    entity.labels = std::move(labels);
    data.set(std::move(entity));
  };
  add("light.sofa", {}, "living_room", {"soft"});
  add("light.stove", "d.stove", {});
  add("sensor.stove", "d.stove", {});
  add("sensor.draught", "d.window", "kitchen");
  add("sensor.window", "d.window", {});
  return data;
}

std::string named(const Selection& selection) {
  std::string ids;
  for (const char* id :
       {"light.sofa", "light.stove", "sensor.stove", "sensor.draught", "sensor.window", "sensor.new"}) {
    if (selection.names(id, home())) ids.append(id).append(" ");
  }
  return ids;
}

Rights rights(Role role, std::string_view policy) {
  return Rights(role, std::make_shared<const Policy>(parse_policy(policy).value()));
}

TEST(Selection, NamesNothingByItself) {
  EXPECT_EQ(named({}), "");
}

TEST(Selection, NamesEntitiesByEachPart) {
  EXPECT_EQ(named({.all = true}), "light.sofa light.stove sensor.stove sensor.draught sensor.window sensor.new ");
  EXPECT_EQ(named({.entities = {"sensor.new", "light.sofa"}}), "light.sofa sensor.new ");
  EXPECT_EQ(named({.domains = {"light"}}), "light.sofa light.stove ");
  EXPECT_EQ(named({.areas = {"kitchen"}}), "light.stove sensor.stove sensor.draught ");
  EXPECT_EQ(named({.areas = {"living_room"}}), "light.sofa sensor.window ");
  EXPECT_EQ(named({.labels = {"soft"}}), "light.sofa ");
  EXPECT_EQ(named({.labels = {"hot"}}), "light.stove sensor.stove ");
  EXPECT_EQ(named({.labels = {"warm"}}), "light.stove sensor.stove sensor.draught ");
  EXPECT_EQ(named({.entities = {"light.sofa"}, .areas = {"kitchen"}}),
            "light.sofa light.stove sensor.stove sensor.draught ");
}

TEST(Rights, AreThoseOfTheRoleWithoutAPolicy) {
  for (const Role role : {Role::administrator, Role::user, Role::reader}) {
    const Rights rights(role);
    EXPECT_EQ(rights.administer(), role == Role::administrator);
    EXPECT_TRUE(rights.reads_all());
    EXPECT_TRUE(rights.reads("light.sofa", {}));
    EXPECT_EQ(rights.controls_all(), role != Role::reader);
    EXPECT_EQ(rights.controls_anything(), role != Role::reader);
    EXPECT_EQ(rights.controls("light.sofa", {}), role != Role::reader);
  }
}

TEST(Rights, OfUnknownCallersAreNone) {
  const Rights rights = Rights::none();
  EXPECT_FALSE(rights.administer() || rights.reads_all() || rights.controls_anything());
  EXPECT_FALSE(rights.reads("light.sofa", home()));
}

TEST(Rights, AreWhatThePolicyNames) {
  const Rights kitchen = rights(Role::user, R"({"read":{"areas":["kitchen"]},"control":{"domains":["light"]}})");
  EXPECT_FALSE(kitchen.reads_all() || kitchen.controls_all());
  EXPECT_TRUE(kitchen.controls_anything());
  EXPECT_TRUE(kitchen.reads("sensor.stove", home()));
  EXPECT_FALSE(kitchen.controls("sensor.stove", home()));
  EXPECT_TRUE(kitchen.controls("light.stove", home()));
  EXPECT_FALSE(kitchen.reads("light.sofa", home()));
  EXPECT_FALSE(kitchen.controls("light.sofa", home()));  // never more than is read
  EXPECT_FALSE(rights(Role::user, R"({"read":{"areas":["kitchen"]},"control":{"all":true}})").controls_all());
  EXPECT_TRUE(rights(Role::user, R"({"read":{"all":true},"control":{"all":true}})").controls_all());
  EXPECT_FALSE(rights(Role::user, R"({"read":{"all":true}})").controls_anything());
}

TEST(Rights, OfAReaderNeverControl) {
  const Rights reader = rights(Role::reader, R"({"read":{"all":true},"control":{"all":true}})");
  EXPECT_FALSE(reader.controls_all() || reader.controls_anything() || reader.controls("light.sofa", home()));
}

TEST(Rights, OfAnAdministratorHaveNoLimits) {
  EXPECT_TRUE(rights(Role::administrator, "{}").reads_all());
}

Rights of_token(Role role, std::vector<std::string> words, std::string_view policy = "") {
  TokenRights token;
  if (!words.empty()) token.scopes = Scopes::parse(words).value();
  if (!policy.empty()) token.policy = std::make_shared<const Policy>(parse_policy(policy).value());
  return Rights(role, nullptr, std::move(token));
}

TEST(Rights, OfATokenAreWhatItsScopesLeave) {
  const Rights reads = of_token(Role::administrator, {"read"});
  EXPECT_TRUE(reads.reads_all() && reads.of_administrator());
  EXPECT_FALSE(reads.administer() || reads.controls_all() || reads.controls_anything());
  EXPECT_FALSE(reads.controls("light.sofa", home()));
  EXPECT_EQ(reads.may_control().error().message, "This token lacks the scope control.");
  EXPECT_EQ(reads.may_fire_events().error().message, "This token lacks the scope fire_event.");
  EXPECT_EQ(reads.may(Scope::history).error().message, "This token lacks the scope history.");
  EXPECT_FALSE(reads.may(Scope::account));

  const Rights controls = of_token(Role::user, {"control"});
  EXPECT_TRUE(controls.reads_all() && controls.controls_all() && controls.controls("light.sofa", home()));
  EXPECT_EQ(of_token(Role::reader, {"control"}).may_control().error().message, "This user may only read.");

  const Rights fires = of_token(Role::user, {"fire_event"});
  EXPECT_TRUE(fires.may_fire_events());
  EXPECT_FALSE(fires.reads_all() || fires.reads("light.sofa", home()) || fires.controls_anything());
  EXPECT_EQ(of_token(Role::reader, {"fire_event"}).may_fire_events().error().message, "This user may only read.");

  EXPECT_TRUE(of_token(Role::administrator, {"admin"}).administer());
  EXPECT_FALSE(of_token(Role::user, {"admin"}).administer());
  EXPECT_TRUE(of_token(Role::user, {}).may(Scope::account));
}

TEST(Rights, OfATokenForAPartAreOfBothPolicies) {
  const std::string_view kitchen = R"({"read":{"areas":["kitchen"]},"control":{"domains":["light"]}})";
  const Rights part = of_token(Role::administrator, {}, kitchen);
  EXPECT_FALSE(part.administer() || part.reads_all() || part.controls_all() || part.may(Scope::account));
  EXPECT_TRUE(part.reads("sensor.stove", home()) && part.controls("light.stove", home()));
  EXPECT_FALSE(part.reads("light.sofa", home()) || part.controls("light.sofa", home()));
  EXPECT_FALSE(part.controls("sensor.stove", home()));
  EXPECT_EQ(part.may_fire_events().error().message, "Only who may control everything may fire events.");
  EXPECT_FALSE(of_token(Role::user, {"read"}, kitchen).controls_anything());

  auto policy = [](std::string_view text) { return std::make_shared<const Policy>(parse_policy(text).value()); };
  const Rights lights(Role::user, policy(R"({"read":{"domains":["light"]},"control":{"all":true}})"),
                      {{}, policy(kitchen)});
  EXPECT_TRUE(lights.reads("light.stove", home()) && lights.controls("light.stove", home()));
  EXPECT_FALSE(lights.reads("sensor.stove", home()) || lights.reads("light.sofa", home()));
}

TEST(Scopes, AreWords) {
  const auto text = [](std::vector<std::string> words) {
    const auto scopes = Scopes::parse(words);
    return scopes ? scopes->text() : scopes.error().message;
  };
  EXPECT_EQ(text({"read"}), "read");
  EXPECT_EQ(text({"template", "control", "control"}), "read,control,template");
  EXPECT_EQ(text({"fire_event", "metrics"}), "fire_event,metrics");
  EXPECT_EQ(text({}), "");
  EXPECT_EQ(text({"account"}),
            "There is no scope account; the scopes are read, control, fire_event, history, template, "
            "admin, metrics.");
  EXPECT_FALSE(Scopes::parse(std::vector<std::string>{"read", "control", "fire_event", "history", "template", "admin"})
                   .value()
                   .all());
  EXPECT_TRUE(Scopes::only(Scope::metrics).metrics_only() && Scopes::none().metrics_only());
  EXPECT_FALSE(Scopes().has(Scope::metrics) || Scopes().metrics_only());
}

TEST(Scopes, OfAnotherVersionAllowNothing) {
  EXPECT_EQ(Scopes::stored("all"), Scopes());
  EXPECT_EQ(Scopes::stored("read,control").text(), "read,control");
  EXPECT_EQ(Scopes::stored("read,everything").text(), "read");
  EXPECT_EQ(Scopes::stored("control").text(), "control");
  EXPECT_EQ(Scopes::stored("account"), Scopes::none());
  EXPECT_EQ(Scopes::stored(""), Scopes::none());
}

TEST(Policy, IsKeptAsJson) {
  const std::string text =
      R"({"read":{"all":true,"entities":["light.sofa"]},"control":{"domains":["light"],"areas":["a","b"],"labels":["x"]}})";
  EXPECT_EQ(to_json(parse_policy(text).value()), text);
  EXPECT_EQ(to_json(parse_policy("{}").value()), R"({"read":{},"control":{}})");
}

TEST(Policy, RefusesInvalidJson) {
  const std::pair<const char*, const char*> wrong[] = {
      {"[]", "rights: expected an object."},
      {R"({"write":{}})", "rights: expected read and control."},
      {R"({"read":[]})", "read: expected an object."},
      {R"({"read":{"rooms":[]}})", "read: expected all, entities, domains, areas or labels."},
      {R"({"read":{"all":1}})", "read: expected all, entities, domains, areas or labels."},
      {R"({"control":{"areas":"a"}})", "control.areas: expected a list of texts."},
      {R"({"control":{"areas":[1]}})", "control.areas: expected a list of texts."},
  };
  for (const auto& [text, message] : wrong) EXPECT_EQ(parse_policy(text).error().message, message);
  EXPECT_FALSE(parse_policy("{"));
}

}  // namespace
}  // namespace hearth::core
