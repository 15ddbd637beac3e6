// SPDX-License-Identifier: Apache-2.0
#include "domains/light/light.h"

#include "domains/test_home.h"

namespace hearth::domains {
namespace {

// A lamp that obeys at once.
class Lamp final : public LightDevice {
 public:
  void turn_on(const LightCommand& command) override { report(apply(state_, command)); }
  void turn_off(const LightOffCommand&) override {
    state_.on = false;
    report(state_);
  }
  void report(LightState state) {
    state_ = std::move(state);
    light->report(state_);
  }

  Light* light = nullptr;

 private:
  LightState state_;
};

const LightCapabilities kColored{.modes = {ColorMode::color_temp, ColorMode::hs},
                                 .kelvin = {2000, 6500},
                                 .effects = {"colorloop"},
                                 .flash = true,
                                 .transition = true};

class LightServices : public testing::Test {
 protected:
  LightServices() {
    hall.light = &home.add(std::make_unique<Light>(test_entity("hall"), LightCapabilities{}, hall));
    sofa.light = &home.add(std::make_unique<Light>(test_entity("sofa"), kColored, sofa));
    hall.report({});
    sofa.report({});
    home.hub.bus.run_pending();
  }

  Lamp hall, sofa;
  TestHome home;
};

TEST_F(LightServices, TurnOnAndOff) {
  EXPECT_EQ(home.call("light.turn_on", R"({"entity_id": ["light.hall", "light.sofa"]})"),
            "light.hall on, light.sofa on");
  EXPECT_EQ(home.call("light.turn_on", R"({"entity_id": "light.hall"})"), "");
  EXPECT_EQ(home.call("light.turn_off", R"({"entity_id": "all"})"), "light.hall off, light.sofa off");
}

TEST_F(LightServices, ToggleTakesTheFieldsOfTurnOn) {
  EXPECT_EQ(home.call("light.toggle", R"({"entity_id": "light.sofa", "brightness": 9})"), "light.sofa on");
  EXPECT_EQ(home.attribute("light.sofa", "brightness"), "9");
  EXPECT_EQ(home.call("light.toggle", R"({"entity_id": "light.sofa", "brightness": 9})"), "light.sofa off");
}

TEST_F(LightServices, LeaveOutWhatALampCannotDo) {
  EXPECT_EQ(home.call("light.turn_on", R"({"entity_id": ["light.sofa", "light.hall"], "color_temp_kelvin": 3000})"),
            "light.sofa on, light.hall on");
  EXPECT_EQ(home.attribute("light.sofa", "color_temp_kelvin"), "3000");
  EXPECT_EQ(home.attribute("light.hall", "color_temp_kelvin"), "");
  EXPECT_EQ(home.call("light.turn_off", R"({"entity_id": "light.hall", "flash": "short"})"), "light.hall off");
}

TEST_F(LightServices, CommandNoneIfANamedOneLacksTheEffect) {
  EXPECT_EQ(home.call("light.turn_on", R"({"entity_id": ["light.hall", "light.sofa"], "effect": "rain"})"),
            R"(invalid: light.sofa cannot show the effect "rain"; it has colorloop.)");
  EXPECT_EQ(home.value("light.hall"), "off");
  EXPECT_EQ(home.call("light.turn_on", R"({"entity_id": "all", "effect": "rain"})"), "light.hall on");
}

TEST_F(LightServices, LeaveOutAStateWithoutAnEntity) {
  const auto ghost = core::EntityId::parse("light.ghost").value();
  ASSERT_TRUE(home.hub.states.set(ghost, {"off", "{}", {}}));
  EXPECT_EQ(home.call("light.turn_on", R"({"entity_id": ["light.ghost", "light.hall"]})"), "light.hall on");
  EXPECT_EQ(home.value("light.ghost"), "off");
}

TEST_F(LightServices, DescribeEachField) {
  for (const char* name : {"turn_on", "turn_off", "toggle"}) {
    const auto service = home.hub.services.find("light", name);
    ASSERT_TRUE(service);
    EXPECT_FALSE(service->description.description.empty());
    for (const auto& field : service->description.fields) {
      EXPECT_FALSE(field.description.empty()) << field.name;
      EXPECT_TRUE(field.convert(field.example.to_json())) << field.name << ": an example that is refused";
    }
  }
}

TEST_F(LightServices, ShowAColourInAllForms) {
  home.call("light.turn_on", R"({"entity_id": "light.sofa", "hs_color": [300, 70], "brightness": 128})");
  EXPECT_EQ(home.hub.states.find("light.sofa")->attributes_json(),
            R"({"min_color_temp_kelvin":2000,"max_color_temp_kelvin":6500,"effect_list":["colorloop"],)"
            R"("supported_color_modes":["color_temp","hs"],"supported_features":44,"effect":null,"color_mode":"hs",)"
            R"("brightness":128,"color_temp_kelvin":null,"hs_color":[300.0,70.0],"rgb_color":[255,77,255],)"
            R"("xy_color":[0.379,0.172],"friendly_name":"sofa"})");
}

TEST_F(LightServices, ShowAWhiteAsColourToo) {
  home.call("light.turn_on", R"({"entity_id": "light.sofa", "color_temp_kelvin": 4000})");
  EXPECT_EQ(home.attribute("light.sofa", "color_mode"), "\"color_temp\"");
  EXPECT_EQ(home.attribute("light.sofa", "color_temp_kelvin"), "4000");
  EXPECT_EQ(home.attribute("light.sofa", "hs_color"), "[26.812,34.87]");
}

TEST_F(LightServices, ShowNullsForALampThatIsOff) {
  EXPECT_EQ(home.hub.states.find("light.sofa")->attributes_json(),
            R"({"min_color_temp_kelvin":2000,"max_color_temp_kelvin":6500,"effect_list":["colorloop"],)"
            R"("supported_color_modes":["color_temp","hs"],"supported_features":44,"effect":null,"color_mode":null,)"
            R"("brightness":null,"color_temp_kelvin":null,"hs_color":null,"rgb_color":null,"xy_color":null,)"
            R"("friendly_name":"sofa"})");
  EXPECT_EQ(home.hub.states.find("light.hall")->attributes_json(),
            R"({"supported_color_modes":["onoff"],"supported_features":0,"color_mode":null,"friendly_name":"hall"})");
}

TEST_F(LightServices, ShowOnlyAbilitiesWhileALampIsUnavailable) {
  sofa.light->set_available(false);
  EXPECT_EQ(home.value("light.sofa"), "unavailable");
  EXPECT_EQ(home.hub.states.find("light.sofa")->attributes_json(),
            R"({"min_color_temp_kelvin":2000,"max_color_temp_kelvin":6500,"effect_list":["colorloop"],)"
            R"("supported_color_modes":["color_temp","hs"],"supported_features":44,"friendly_name":"sofa"})");
  EXPECT_EQ(home.call("light.turn_on", R"({"entity_id": "light.sofa"})"), "");
  sofa.light->set_available(true);
  EXPECT_EQ(home.value("light.sofa"), "off");
}

TEST_F(LightServices, EndAnEffectWithAColour) {
  home.call("light.turn_on", R"({"entity_id": "light.sofa", "effect": "colorloop"})");
  EXPECT_EQ(home.attribute("light.sofa", "effect"), "\"colorloop\"");
  home.call("light.turn_on", R"({"entity_id": "light.sofa", "color_name": "red"})");
  EXPECT_EQ(home.attribute("light.sofa", "effect"), "null");
}

}  // namespace
}  // namespace hearth::domains
