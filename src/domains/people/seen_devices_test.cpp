// SPDX-License-Identifier: Apache-2.0
#include "domains/people/seen_devices.h"

#include <fmt/format.h>

#include "domains/test_home.h"

namespace hearth::domains {
namespace {

constexpr std::string_view kPhone = "device_tracker.phone", kCar = "device_tracker.car",
                           kWatch = "device_tracker.watch";

struct SeenDevicesTest : testing::Test {
  SeenDevicesTest() { start(*home); }
  static void start(TestHome& home) {
    home.hub.bus.fire(core::event_type::kPlatformStart, "{}", core::Origin::local,
                      core::Context::create(home.clock.now()));
    home.hub.bus.run_pending();
  }
  std::string see(std::string_view data) { return home->call("device_tracker.see", data); }

  std::unique_ptr<TestHome> home = std::make_unique<TestHome>();
};

TEST_F(SeenDevicesTest, AreHomeWhileTheyAreSeen) {
  EXPECT_EQ(see(R"({"dev_id": "phone", "battery": 80})"), "device_tracker.phone home");
  EXPECT_EQ(home->attribute(kPhone, "battery_level"), "80");
  EXPECT_EQ(home->attribute(kPhone, "source_type"), R"("router")");
  home->advance(std::chrono::seconds(179), std::chrono::seconds(1));
  see(R"({"dev_id": "phone"})");
  home->advance(std::chrono::seconds(179), std::chrono::seconds(1));
  EXPECT_EQ(home->value(kPhone), "home");
  home->advance(std::chrono::seconds(1));
  EXPECT_EQ(home->value(kPhone), "not_home");
  EXPECT_EQ(home->attribute(kPhone, "battery_level"), "80");
}

TEST_F(SeenDevicesTest, AreWhereTheirPositionIs) {
  see(R"({"dev_id": "phone", "gps": [0, 0.0001], "gps_accuracy": 12})");
  EXPECT_EQ(home->value(kPhone), "home");
  see(R"({"dev_id": "phone", "gps": [0, 0.5]})");
  EXPECT_EQ(home->value(kPhone), "not_home");
  EXPECT_EQ(home->attribute(kPhone, "longitude"), "0.5");
  EXPECT_EQ(home->attribute(kPhone, "source_type"), R"("gps")");
  see(R"({"dev_id": "phone", "gps": [0, 0.5], "location_name": "School"})");
  EXPECT_EQ(home->value(kPhone), "School");
  home->advance(std::chrono::minutes(10), std::chrono::seconds(10));
  EXPECT_EQ(home->value(kPhone), "School");
}

TEST_F(SeenDevicesTest, AreKnownByTheirAddress) {
  see(R"({"dev_id": "phone", "mac": "5C:E9:1E:8A:00:42"})");
  EXPECT_EQ(see(R"({"mac": "5c:e9:1e:8a:00:42", "location_name": "not_home"})"), "device_tracker.phone not_home");
  see(R"({"mac": "00:11:22:33:44:55", "host_name": "Ann's tablet"})");
  EXPECT_EQ(home->attribute("device_tracker.ann_s_tablet", "friendly_name"), R"("Ann's tablet")");
  see(R"({"mac": "00:11:22:33:44:66"})");
  EXPECT_EQ(home->value("device_tracker.00_11_22_33_44_66"), "home");
}

TEST_F(SeenDevicesTest, AreRefusedIfTheyMakeNoSense) {
  EXPECT_EQ(see("{}"), "invalid: dev_id, mac: expected one of them, with letters or digits.");
  EXPECT_EQ(see(R"({"dev_id": "phone", "gps": [91, 0]})"), "invalid: gps: expected a latitude from -90 to 90, got 91");
  EXPECT_EQ(see(R"({"dev_id": "phone", "battery": 101})"),
            "invalid: battery: expected a whole number from 0 to 100, got 101");
  EXPECT_EQ(see(R"({"dev_id": ")" + std::string(256, 'a') + R"("})"), "invalid: dev_id: expected at most 255 bytes");
  EXPECT_EQ(home->hub.states.snapshot()->size(), 2u);  // zone.home, sun.sun
}

TEST_F(SeenDevicesTest, AreBounded) {
  for (std::size_t n = 0; n < SeenDevices::kMaxDevices; ++n) see(fmt::format(R"({{"dev_id": "d{}"}})", n));
  EXPECT_EQ(see(R"({"dev_id": "phone"})"), "failed: There are 200 such devices already.");
  EXPECT_EQ(see(R"({"dev_id": "d7", "location_name": "work"})"), "device_tracker.d7 work");
}

// The registry and the last states of a hub, in another.
TEST_F(SeenDevicesTest, AreThereAgainAfterARestart) {
  see(R"({"dev_id": "phone", "mac": "5c:e9:1e:8a:00:42"})");
  see(R"({"dev_id": "car", "gps": [0, 0.5], "location_name": "Garage"})");
  see(R"({"dev_id": "watch"})");
  home->hub.registry.update_entity(std::string(kWatch), {.disabled_by = core::ChangedBy::user}, {}).value();
  home->hub.bus.run_pending();
  const auto next = std::make_unique<TestHome>();
  core::RegistryData kept = *home->hub.registry.snapshot();
  for (const std::string_view id : {kPhone, kCar, kWatch}) {
    core::RegisteredEntity entity = kept.entities.at(id);
    entity.provided = false;
    kept.set(entity);
  }
  next->hub.registry.restore(kept);
  const auto states = home->hub.states.snapshot();
  for (const std::string_view id : {kPhone, kCar}) {
    const core::StatePtr last = home->hub.states.find(id);
    next->hub.states.set(core::EntityId::parse(id).value(), {last->value(), last->attributes_json(), last->context()})
        .value();
  }
  start(*next);
  EXPECT_EQ(next->value(kCar), "Garage");
  EXPECT_EQ(next->value(kPhone), "home");
  EXPECT_EQ(next->attribute(kPhone, "mac"), R"("5c:e9:1e:8a:00:42")");
  EXPECT_FALSE(next->hub.registry.snapshot()->entities.at(kWatch).provided);
  next->advance(SeenDevices::kStaysHome, std::chrono::seconds(1));
  EXPECT_EQ(next->value(kPhone), "not_home");
  EXPECT_EQ(next->value(kCar), "Garage");
}

}  // namespace
}  // namespace hearth::domains
