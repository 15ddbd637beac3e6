// SPDX-License-Identifier: Apache-2.0
#include "import_ha/files/settings_step.h"

#include <gtest/gtest.h>

#include "base/json/json.h"
#include "import_ha/files/home_pair.h"

namespace hearth::import_ha {
namespace {

using Rows = std::map<std::string, std::string>;

constexpr std::string_view kPem = "-----BEGIN CERTIFICATE-----\\nMIIB\\n-----END CERTIFICATE-----";

class SettingsStep : public testing::Test {
 protected:
  CarriedSettings carry(bool side_by_side = false, bool credentials = true) {
    const Source source = old_.open(report_);
    const auto carried =
        carry_settings({.source = source,
                        .home = old_.home(),
                        .final_home = "/var/lib/hearth",
                        .side_by_side = side_by_side,
                        .credentials = credentials,
                        .check_home = [](const base::ConfigNode& values) -> base::Result<void> {
                          const base::ConfigNode* const zone = values.find("time_zone");
                          if (!zone || zone->text() != "Mars/Base") return {};
                          return base::fail(base::ErrorCode::invalid, "time_zone: no such zone");
                        },
                        .check_mqtt = [](const base::ConfigNode& values) -> base::Result<void> {
                          if (values.find("broker")) return {};
                          return base::fail(base::ErrorCode::invalid, "broker is missing, password is swordfish");
                        }},
                       report_);
    EXPECT_TRUE(carried) << carried.error().message;
    return carried.value_or(CarriedSettings());
  }
  void put_mqtt(const std::string& data, const std::string& rest = "") {
    old_.put_storage("core.config_entries", R"({"entries": [{"domain": "sun", "data": {}}, {"domain": "mqtt",
      "title": "Broker", "data": )" + data + rest +
                                                "}]}");
  }
  const Thing& left(std::string_view id) {
    static const Thing none;
    const Thing* const thing = report_.find("setting", id);
    EXPECT_NE(thing, nullptr) << id;
    if (thing) EXPECT_EQ(thing->fate, Fate::left);
    return thing ? *thing : none;
  }

  HomePair old_;
  Report report_;
};

TEST_F(SettingsStep, CarriesTheHome) {
  old_.put_storage("core.config", R"({"location_name": "Old home", "latitude": 52.5, "longitude": -13.25,
    "elevation": 34, "time_zone": "Europe/Berlin", "currency": "EUR", "country": "DE", "language": "en-GB",
    "internal_url": null, "external_url": "https://home.example", "unit_system_v2": "us_customary", "radius": 150})");
  const CarriedSettings carried = carry();
  EXPECT_EQ(carried.home, (Rows{{"location_name", "Old home"},
                                {"latitude", "52.5"},
                                {"longitude", "-13.25"},
                                {"elevation", "34"},
                                {"time_zone", "Europe/Berlin"},
                                {"currency", "EUR"},
                                {"country", "DE"},
                                {"language", "en-GB"},
                                {"external_url", "https://home.example"},
                                {"unit_system", "us_customary"}}));
  EXPECT_EQ(carried.radius, 150);
  EXPECT_EQ(report_.counts().at("settings"), (Report::Counts{.carried = 11}));
}

TEST_F(SettingsStep, KnowsTheOlderNameOfTheUnits) {
  old_.put_storage("core.config", R"({"unit_system": "imperial"})");
  EXPECT_EQ(carry().home, (Rows{{"unit_system", "us_customary"}}));
}

TEST_F(SettingsStep, LeavesAValueThatCannotBe) {
  old_.put_storage("core.config", R"({"location_name": "Home", "time_zone": "Mars/Base"})");
  EXPECT_EQ(carry().home, (Rows{{"location_name", "Home"}}));
  EXPECT_EQ(left("time_zone").why, Why::out_of_range);
}

TEST_F(SettingsStep, CarriesTheConnectionToTheBroker) {
  put_mqtt(R"({"broker": "10.0.0.2", "port": 1883.0, "username": "ann", "password": "swordfish", "client_id": "ha",
    "protocol": "3.1.1", "keepalive": 30, "discovery": true, "discovery_prefix": "old"})",
           R"(, "options": {"discovery_prefix": "new", "birth_message": {"topic": "new/status", "payload": "online",
    "qos": 0, "retain": false}})");
  EXPECT_EQ(carry().mqtt, (Rows{{"broker", "10.0.0.2"},
                                {"port", "1883"},
                                {"username", "ann"},
                                {"password", "swordfish"},
                                {"client_id", "ha"},
                                {"protocol", "3.1.1"},
                                {"keepalive", "30"},
                                {"discovery", "true"},
                                {"discovery_prefix", "new"}}));
  EXPECT_EQ(report_.find("setting", "mqtt.birth_message"), nullptr);
  EXPECT_EQ(base::to_json(report_.to_json()).find("swordfish"), std::string::npos);
}

TEST_F(SettingsStep, HasAnotherClientIdBesideAHubThatGoesOn) {
  put_mqtt(R"({"broker": "b", "client_id": "ha"})");
  EXPECT_EQ(carry(true).mqtt, (Rows{{"broker", "b"}}));
}

TEST_F(SettingsStep, LeavesThePasswordIfItIsNotAskedFor) {
  put_mqtt(R"({"broker": "b", "password": "swordfish"})");
  EXPECT_EQ(carry(false, false).mqtt, (Rows{{"broker", "b"}}));
  EXPECT_EQ(left("mqtt.password").why, Why::secret);
}

TEST_F(SettingsStep, MakesFilesOfCertificates) {
  const std::string pem(kPem);
  put_mqtt(R"({"broker": "b", "certificate": ")" + pem + R"(", "client_cert": ")" + pem + R"(", "client_key": ")" +
           pem + R"(", "tls_insecure": true})");
  EXPECT_EQ(carry().mqtt, (Rows{{"broker", "b"},
                                {"certificate", "/var/lib/hearth/mqtt-ca.pem"},
                                {"client_cert", "/var/lib/hearth/mqtt-client.pem"},
                                {"client_key", "/var/lib/hearth/mqtt-client-key.pem"},
                                {"tls_insecure", "true"}}));
  EXPECT_EQ(old_.made("mqtt-client-key.pem"), "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n");
  for (const char* const file : {"mqtt-ca.pem", "mqtt-client.pem", "mqtt-client-key.pem"})
    EXPECT_EQ(old_.mode(file), 0600u) << file;
}

TEST_F(SettingsStep, TrustsTheAuthoritiesOfTheSystem) {
  put_mqtt(R"({"broker": "b", "certificate": "auto"})");
  EXPECT_EQ(carry().mqtt, (Rows{{"broker", "b"}, {"certificate", "auto"}}));
}

TEST_F(SettingsStep, LeavesABrokerOverWebSockets) {
  put_mqtt(R"({"broker": "b", "transport": "websockets"})");
  EXPECT_TRUE(carry().mqtt.empty());
  EXPECT_EQ(left("mqtt").attention, "websockets");
}

TEST_F(SettingsStep, LeavesABrokerThatIsSwitchedOff) {
  put_mqtt(R"({"broker": "b"})", R"(, "disabled_by": "user")");
  EXPECT_TRUE(carry().mqtt.empty());
  EXPECT_EQ(left("mqtt").attention, "mqtt_off");
}

TEST_F(SettingsStep, NamesMessagesThatCannotBeStored) {
  put_mqtt(R"({"broker": "b", "will_message": {"topic": "me/gone", "payload": "bye"}, "birth_message": {}})");
  EXPECT_EQ(carry().mqtt, (Rows{{"broker", "b"}}));
  left("mqtt.will_message");
  left("mqtt.birth_message");
}

TEST_F(SettingsStep, ShowsNoValueOfAConnectionThatCannotBe) {
  put_mqtt(R"({"password": "swordfish"})");
  EXPECT_TRUE(carry().mqtt.empty());
  EXPECT_EQ(left("mqtt").why, Why::broken);
  EXPECT_EQ(base::to_json(report_.to_json()).find("swordfish"), std::string::npos);
}

}  // namespace
}  // namespace hearth::import_ha
