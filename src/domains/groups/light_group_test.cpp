// SPDX-License-Identifier: Apache-2.0
#include "domains/groups/light_group.h"

#include <fmt/format.h>

#include "domains/groups/test_groups.h"

namespace hearth::domains {
namespace {

// Notes what it is told, and obeys.
class TestLamp final : public LightDevice {
 public:
  void turn_on(const LightCommand& command) override {
    told += "on";
    if (command.brightness) told += fmt::format(" {}", *command.brightness);
    if (command.color) told += " " + std::string(to_string(mode_of(*command.color)));
    if (command.effect) told += " effect " + *command.effect;
    if (command.flash) told += " flash";
    told += ". ";
    light->report(apply(light->state().value_or(LightState()), command));
  }
  void turn_off(const LightOffCommand&) override {
    told += "off. ";
    light->report({.on = false});
  }

  std::string told;
  Light* light = nullptr;
};

struct LightGroupTest : TestGroups {
  TestLamp& lamp(const std::string& name, LightCapabilities capabilities, std::optional<LightState> state = {}) {
    TestLamp& made = *lamps.emplace_back(std::make_unique<TestLamp>());
    made.light = &home.add(std::make_unique<Light>(test_entity(name), std::move(capabilities), made));
    if (state) made.light->report(*state);
    home.hub.bus.run_pending();
    return made;
  }
  void apply_lights(const std::string& members, const std::string& more = "") {
    apply("it", R"({"group_type": "light", "entities": )" + members + more + "}");
  }
  std::string of_it(std::string_view key) const { return attribute("light.it", key); }

  std::vector<std::unique_ptr<TestLamp>> lamps;
};

const LightCapabilities kDimmed{.modes = {ColorMode::brightness}, .transition = true};
const LightCapabilities kWhite{.modes = {ColorMode::color_temp}, .kelvin = {2200, 4000}, .effects = {"fire"}};
const LightCapabilities kColored{.modes = {ColorMode::hs, ColorMode::color_temp},
                                 .kelvin = {2700, 6500},
                                 .effects = {"storm", "fire"},
                                 .flash = true};

TEST_F(LightGroupTest, CanWhatOneOfItsMembersCan) {
  lamp("a", {});
  apply_lights(R"(["light.a", "light.b", "light.c", "light.d"])");
  EXPECT_EQ(of_it("supported_color_modes"), R"(["onoff"])");
  EXPECT_EQ(of_it("supported_features"), "0");
  lamp("b", kDimmed);
  EXPECT_EQ(of_it("supported_color_modes"), R"(["brightness"])");
  lamp("c", kWhite);
  lamp("d", kColored);
  EXPECT_EQ(of_it("supported_color_modes"), R"(["color_temp","hs"])");
  EXPECT_EQ(of_it("min_color_temp_kelvin") + of_it("max_color_temp_kelvin"), "22006500");
  EXPECT_EQ(of_it("effect_list"), R"(["fire","storm"])");
  EXPECT_EQ(of_it("supported_features"), "44");
  EXPECT_EQ(of_it("entity_id"), R"(["light.a","light.b","light.c","light.d"])");
}

TEST_F(LightGroupTest, ShinesAsTheMeanOfThoseThatAreOn) {
  lamp("a", kDimmed, LightState{.on = true, .brightness = 100});
  lamp("b", kWhite, LightState{.on = true, .brightness = 200, .color = ColorTemperature{3000}, .effect = "fire"});
  TestLamp& c = lamp("c", kColored, LightState{.on = false});
  apply_lights(R"(["light.a", "light.b", "light.c"])");
  EXPECT_EQ(home.value("light.it"), "on");
  EXPECT_EQ(of_it("brightness") + of_it("color_mode") + of_it("color_temp_kelvin"), R"(150"color_temp"3000)");
  EXPECT_EQ(of_it("effect"), R"("fire")");
  c.light->report({.on = true, .brightness = 255, .color = ColorTemperature{5000}});
  home.hub.bus.run_pending();
  EXPECT_EQ(of_it("brightness") + of_it("color_temp_kelvin"), "1854000");
  EXPECT_EQ(home.hub.states.find("light.it")->context(), home.hub.states.find("light.c")->context());
}

TEST_F(LightGroupTest, TheMeanOfColoursGoesAroundTheCircle) {
  lamp("a", kColored, LightState{.on = true, .color = HsColor{350, 100}});
  lamp("b", kColored, LightState{.on = true, .color = HsColor{30, 50}});
  apply_lights(R"(["light.a", "light.b"])");
  EXPECT_EQ(of_it("hs_color"), "[10.0,75.0]");
  EXPECT_EQ(of_it("color_mode"), R"("hs")");
}

TEST_F(LightGroupTest, IsOnIfOneIsOrIfAllAre) {
  TestLamp& a = lamp("a", kDimmed, LightState{.on = true});
  lamp("b", kDimmed, LightState{.on = false});
  apply_lights(R"(["light.a", "light.b"])");
  EXPECT_EQ(home.value("light.it"), "on");
  apply_lights(R"(["light.a", "light.b"])", R"(, "all": true)");
  EXPECT_EQ(home.value("light.it"), "off");
  a.light->set_available(false);
  home.hub.bus.run_pending();
  EXPECT_EQ(home.value("light.it"), "unknown");
  EXPECT_EQ(of_it("brightness"), "null");
  apply_lights(R"(["light.a"])");
  EXPECT_EQ(home.value("light.it"), "unavailable");
}

TEST_F(LightGroupTest, PassesOnWhatEachMemberCanDo) {
  TestLamp &a = lamp("a", {}), &b = lamp("b", kDimmed), &c = lamp("c", kWhite), &d = lamp("d", kColored);
  apply_lights(R"(["light.a", "light.b", "light.c", "light.d"])");
  const auto told = [&] {
    std::string all;
    for (TestLamp* const each : {&a, &b, &c, &d}) all += std::exchange(each->told, "") + "| ";
    return all;
  };
  EXPECT_EQ(home.call("light.turn_on", R"({"entity_id": "light.it", "brightness": 80, "hs_color": [120, 100]})"),
            "light.a on, light.b on, light.c on, light.d on, light.it on");
  EXPECT_EQ(told(), "on. | on 80. | on 80 color_temp. | on 80 hs. | ");
  home.call("light.turn_on", R"({"entity_id": "light.it", "effect": "storm", "flash": "short"})");
  EXPECT_EQ(told(), "on. | on. | on. | on effect storm flash. | ");
  home.call("light.turn_on", R"({"entity_id": "light.it", "brightness_step": -20})");
  EXPECT_EQ(told(), "on. | on 60. | on 60. | on 60. | ");
  home.call("light.turn_off", R"({"entity_id": "light.a"})");
  told();
  home.call("light.toggle", R"({"entity_id": "light.it"})");
  EXPECT_EQ(told(), "off. | off. | off. | off. | ");
  EXPECT_EQ(home.value("light.it"), "off");
  EXPECT_TRUE(home.call("light.turn_on", R"({"entity_id": "light.it", "effect": "rain"})").starts_with("invalid: "));
}

TEST_F(LightGroupTest, MembersOfOtherDomainsDoWhatTheirsKnows) {
  TestLamp& a = lamp("a", kDimmed);
  TestDevice& plug = add("switch", "plug");
  apply_lights(R"(["light.a", "switch.plug", "sensor.none"])");
  home.call("light.turn_on", R"({"entity_id": "light.it", "brightness": 80})");
  EXPECT_EQ(a.told + plug.told, "on 80. turn_on ");
  EXPECT_EQ(home.value("light.it"), "on");
}

TEST_F(LightGroupTest, ReachesMembersOfAnotherHub) {
  struct Elsewhere final : core::Provider {
    bool checks_data() const override { return true; }
    void call(const core::ServiceRequest& request, const std::vector<std::string>& ids,
              core::ServiceReply reply) override {
      told += request.service + " " + ids.at(0) + " " + base::to_json(request.data) + ". ";
      reply(json::value());
    }
    std::string told;
  } elsewhere;
  const base::Handle provides = home.hub.services.providers().add("other", elsewhere);
  TestLamp& a = lamp("a", kDimmed);
  set("light.far", "on", R"({"supported_color_modes":["brightness"],"color_mode":"brightness","brightness":3})");
  core::RegisteredEntity entity{.unique_id = "far", .integration = "hue"};
  entity.provider = "other";
  home.hub.registry.put_entity(*core::EntityId::parse("light.far"), std::move(entity)).value();
  home.hub.bus.run_pending();
  apply_lights(R"(["light.a", "light.far"])");
  home.call("light.turn_off", R"({"entity_id": "light.it"})");
  EXPECT_EQ(elsewhere.told, "turn_off light.far {}. ");
  home.call("light.turn_on", R"({"entity_id": "light.it", "brightness": 80})");
  EXPECT_EQ(a.told, "off. on 80. ");
  EXPECT_EQ(elsewhere.told, R"(turn_off light.far {}. turn_on light.far {"brightness":80}. )");
}

TEST_F(LightGroupTest, ReachesOnlyWhatItsCallerMayControl) {
  TestLamp &a = lamp("a", kDimmed), &b = lamp("b", kDimmed);
  apply("inner", R"({"group_type": "light", "entities": ["light.b"]})");
  apply_lights(R"(["light.a", "light.inner"])");
  core::Policy policy;
  policy.read.all = true;
  policy.control.entities = {"light.it", "light.inner", "light.a"};
  const core::Rights some(core::Role::user, std::make_shared<const core::Policy>(policy));
  home.begin("light.turn_on", R"({"entity_id": "light.it"})", some);
  home.begin("homeassistant.turn_on", R"({"entity_id": "light.it"})", some);
  EXPECT_EQ(a.told, "on. on. ");
  EXPECT_EQ(b.told, "");
  home.begin("light.turn_on", R"({"entity_id": "light.it"})");
  EXPECT_EQ(b.told, "on. ");
}

TEST_F(LightGroupTest, ManyChangesInOneBatchAreFewOfTheGroup) {
  std::string ids;
  for (int i = 0; i < 20; ++i) {
    const std::string name = "m" + std::to_string(i);
    lamp(name, kDimmed, LightState{.on = false});
    ids += (ids.empty() ? R"("light.)" : R"(, "light.)") + name + "\"";
  }
  apply_lights("[" + ids + "]");
  int changes = 0;
  const auto listening =
      home.hub.entity_listeners.listen({"light.it"}, [&](const core::StateChange&, const core::Event&) { ++changes; });
  for (int brightness = 10; const auto& each : lamps) each->light->report({.on = true, .brightness = brightness += 2});
  home.hub.bus.run_pending();
  EXPECT_EQ(home.value("light.it") + of_it("brightness"), "on31");
  EXPECT_EQ(changes, 2);  // that it goes on, and what the others add
}

}  // namespace
}  // namespace hearth::domains
