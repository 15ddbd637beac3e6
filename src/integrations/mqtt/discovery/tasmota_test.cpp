// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/discovery/tasmota.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "domains/test_home.h"
#include "integrations/mqtt/connection/test_broker.h"
#include "integrations/mqtt/discovery/discovery.h"

namespace hearth::integrations::mqtt {
namespace {

class TasmotaTest : public testing::Test {
 protected:
  TasmotaTest() { EXPECT_TRUE(discovery.start()); }

  void receive(std::string topic, std::string payload) {
    broker.receive(std::move(topic), std::move(payload));
    home.hub.bus.run_pending();
  }
  // A device named Box with the topic box; `more` replaces keys of its message.
  void config(std::string_view more) {
    receive("tasmota/discovery/00112233AABB/config",
            fmt::format(R"({{"ip":"192.168.1.9","dn":"Box","fn":["Box",null,null,null],"hn":"box","mac":"00112233AABB",
                            "md":"Sonoff","ty":0,"if":0,"ofln":"Offline","onln":"Online",
                            "state":["OFF","ON","TOGGLE","HOLD"],"sw":"14.1.0","t":"box","ft":"%prefix%/%topic%/",
                            "tp":["cmnd","stat","tele"],{},"ver":1}})",
                        more));
    receive("tele/box/LWT", "Online");
  }
  std::string sent(std::string_view service, std::string_view data) {
    broker.published.clear();
    static_cast<void>(home.call(service, data));
    std::string text;
    for (const std::string& each : broker.published) text += (text.empty() ? "" : " ") + each;
    return text;
  }
  std::string value(std::string_view id) { return home.value(id); }

  domains::TestHome home;
  TestBroker broker;
  Discovery discovery{home.place(), broker, "homeassistant"};
};

TEST_F(TasmotaTest, OneRelay) {
  config(R"("rl":[1,0,0,0],"lt_st":0)");
  EXPECT_EQ(value("switch.box"), "unknown");
  receive("tele/box/STATE", R"({"Time":"x","POWER":"ON","Wifi":{"RSSI":80}})");
  EXPECT_EQ(value("switch.box"), "on");
  receive("stat/box/RESULT", R"({"POWER1":"OFF"})");
  EXPECT_EQ(value("switch.box"), "off");
  EXPECT_EQ(sent("switch.turn_on", R"({"entity_id":"switch.box"})"), "cmnd/box/POWER1=ON");
  const auto registry = home.hub.registry.snapshot();
  const core::Device& device = *registry->devices.find("mqtt.00112233AABB");
  EXPECT_EQ(device.configuration_url, "http://192.168.1.9");
  EXPECT_TRUE(device.connections.contains({"mac", "00:11:22:33:aa:bb"}));
  receive("tele/box/LWT", "Offline");
  EXPECT_EQ(value("switch.box"), "unavailable");
}

TEST_F(TasmotaTest, ALampWithColours) {
  config(R"("rl":[2,0],"lt_st":5,"so":{"82":0})");
  receive(
      "tele/box/STATE",
      R"({"POWER":"ON","Dimmer":50,"Color":"0,0,0,128,128","HSBColor":"120,100,50","White":0,"CT":300,"Scheme":0})");
  EXPECT_EQ(value("light.box"), "on");
  EXPECT_EQ(home.attribute("light.box", "brightness"), "128");
  EXPECT_EQ(sent("light.turn_on", R"({"entity_id":"light.box","brightness":255})"),
            "cmnd/box/Dimmer=100 cmnd/box/POWER1=ON");
  EXPECT_EQ(sent("light.turn_on", R"({"entity_id":"light.box","hs_color":[240,50]})"),
            "cmnd/box/HSBColor=240,50 cmnd/box/POWER1=ON");
  EXPECT_EQ(sent("light.turn_on", R"({"entity_id":"light.box","color_temp_kelvin":5000})"),
            "cmnd/box/CT=200 cmnd/box/POWER1=ON");
  EXPECT_EQ(sent("light.turn_on", R"({"entity_id":"light.box","effect":"Cycle up"})"),
            "cmnd/box/Scheme=2 cmnd/box/POWER1=ON");
}

TEST_F(TasmotaTest, AShutter) {
  config(R"("rl":[3,3],"sho":[0],"sht":[[0,0,0]])");
  receive("stat/box/RESULT", R"({"Shutter1":{"Position":30,"Direction":1,"Target":80}})");
  EXPECT_EQ(value("cover.box_shutter1"), "opening");
  EXPECT_EQ(home.attribute("cover.box_shutter1", "current_position"), "30");
  receive("tele/box/SENSOR", R"({"Time":"x","Shutter1":{"Position":80,"Direction":0,"Target":80}})");
  EXPECT_EQ(value("cover.box_shutter1"), "open");
  EXPECT_EQ(sent("cover.close_cover", R"({"entity_id":"cover.box_shutter1"})"), "cmnd/box/Backlog=ShutterClose1");
  EXPECT_EQ(sent("cover.set_cover_position", R"({"entity_id":"cover.box_shutter1","position":7})"),
            "cmnd/box/ShutterPosition1=7");
}

TEST_F(TasmotaTest, SensorsMayComeFirst) {
  const std::string sensors =
      R"({"sn":{"Time":"x","AM2301":{"Temperature":21.3,"Humidity":55},"ENERGY":{"Total":1.5,"Power":[12,5]},"TempUnit":"C"},
          "ver":1})";
  receive("tasmota/discovery/00112233AABB/sensors", sensors);
  config(R"("rl":[0])");
  EXPECT_EQ(value("sensor.box_am2301_temperature"), "unknown");
  receive("tele/box/SENSOR",
          R"({"AM2301":{"Temperature":22.5,"Humidity":50},"ENERGY":{"Total":1.6,"Power":[10,20]},"TempUnit":"C"})");
  EXPECT_EQ(value("sensor.box_am2301_temperature"), "22.5");
  EXPECT_EQ(home.attribute("sensor.box_am2301_temperature", "unit_of_measurement"), R"("°C")");
  EXPECT_EQ(value("sensor.box_energy_power_1"), "20");
  EXPECT_EQ(home.attribute("sensor.box_energy_total", "state_class"), R"("total_increasing")");
  receive("tele/box/SENSOR", R"({"ENERGY":{"Total":1.7}})");
  EXPECT_EQ(value("sensor.box_am2301_temperature"), "22.5");
  EXPECT_EQ(value("sensor.box_energy_total"), "1.7");
  // The whole device, without the other sensor.
  receive("tasmota/discovery/00112233AABB/sensors", R"({"sn":{"Time":"x","ENERGY":{"Total":1.5}},"ver":1})");
  EXPECT_FALSE(home.hub.states.find("sensor.box_am2301_temperature"));
  EXPECT_EQ(value("sensor.box_energy_total"), "1.7");
}

TEST_F(TasmotaTest, ButtonsAreTriggersAndSwitchesStates) {
  config(R"("rl":[0],"btn":[1,0],"swc":[-1,1],"swn":[null,"Door"],"so":{"73":1,"114":1})");
  EXPECT_EQ(discovery.triggers_of("mqtt.00112233AABB").size(), 6u);
  std::string fired;
  const auto listening = home.hub.bus.listen(kDeviceTrigger, [&](const core::Event& event) {
    std::string data;
    core::write_data_json(data, event);
    fired += base::parse_json(data).value().at("type").get_string();
  });
  receive("stat/box/RESULT", R"({"Button1":{"Action":"DOUBLE"}})");
  EXPECT_EQ(fired, "button_double_press");
  receive("stat/box/RESULT", R"({"Switch2":{"Action":"ON"}})");
  EXPECT_EQ(value("binary_sensor.box_door"), "on");
  receive("tele/box/SENSOR", R"({"Time":"x","Switch2":"OFF"})");
  EXPECT_EQ(value("binary_sensor.box_door"), "off");
}

TEST_F(TasmotaTest, RefusesWhatIsNone) {
  EXPECT_FALSE(parse_tasmota_config("00112233AABB", "{}"));
  EXPECT_FALSE(parse_tasmota_config("00112233AABB", "[]"));
  EXPECT_FALSE(parse_tasmota_config("00112233AABB", R"({"t":"x","ft":"no/"})"));
  EXPECT_FALSE(parse_tasmota_sensors("00112233AABB", R"({"sn":5})", R"({"t":"x"})"));
  EXPECT_FALSE(parse_tasmota_topic("tasmota/discovery/0011/config"));
  EXPECT_FALSE(parse_tasmota_topic("tasmota/discovery/00112233AABB/other"));
}

}  // namespace
}  // namespace hearth::integrations::mqtt
