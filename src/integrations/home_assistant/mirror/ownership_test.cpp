// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/mirror/mirror_test_home.h"

namespace hearth::integrations::home_assistant {
namespace {

// With a lamp that has all that people there can choose.
struct FurnishedHome : MirrorHome {
  explicit FurnishedHome(Options given = {}) : MirrorHome(std::move(given)) {
    floors.push_back({.id = "up", .name = "Upstairs", .level = 1});
    areas.push_back({.id = "bath", .name = "Bath Room", .floor_id = "up", .icon = "mdi:bathtub"});
    labels.push_back({.id = "wet", .name = "Wet room", .icon = "mdi:water", .color = "blue"});
    OtherDevice device{.id = "0123456789abcdef0123456789abcdef", .name = "Bulb", .manufacturer = "Maker"};
    device.name_by_user = "Her bulb";
    device.area_id = "bath";
    device.identifiers = {{"hue", "17"}};
    devices.push_back(device);
    OtherEntity& lamp = there("light.lamp", "on");
    lamp.device_id = device.id;
    lamp.has_entity_name = true;
    lamp.original_name = {};
    lamp.name = "Her lamp";
    lamp.icon = "mdi:star";
    lamp.area_id = "bath";
    lamp.labels = {"wet"};
    lamp.aliases = {"Glow"};
    lamp.options = {{"light", {{"x", 1}}}, {"conversation", {{"should_expose", true}}}};
    lamp.capabilities = {{"min_mireds", 100}};
    lamp.entity_category = "config";
  }
};

TEST(Ownership, TheFirstRegistrationTakesWhatPeopleThereChose) {
  FurnishedHome home;
  home.connect();
  const core::RegisteredEntity& lamp = home.entry("light.lamp");
  EXPECT_EQ(lamp.name, "Her lamp");
  EXPECT_EQ(lamp.original_name, "Her lamp");
  EXPECT_FALSE(lamp.has_entity_name);
  EXPECT_EQ(lamp.icon, "mdi:star");
  EXPECT_EQ(lamp.area_id, "bath_room");
  EXPECT_EQ(lamp.labels, core::Texts{"wet_room"});
  EXPECT_EQ(lamp.aliases, core::Texts{"Glow"});
  EXPECT_EQ(lamp.entity_category, "config");
  EXPECT_EQ(base::to_json(lamp.options), R"({"light":{"x":1}})");
  EXPECT_EQ(base::to_json(lamp.abilities), R"({"capabilities":{"min_mireds":100}})");
  const core::Device& device = home.data()->devices.at("0123456789abcdef0123456789abcdef");
  EXPECT_EQ(lamp.device_id, device.id);
  EXPECT_EQ(device.name_by_user, "Her bulb");
  EXPECT_EQ(device.integration, "hue");
  EXPECT_EQ(device.area_id, "bath_room");
  EXPECT_EQ(home.data()->areas.at("bath_room").floor_id, "upstairs");
  EXPECT_EQ(home.data()->floors.at("upstairs").level, 1);
  EXPECT_EQ(home.mirror->ids().device_there(device.id), device.id);
}

TEST(Ownership, WhatPeopleHereChooseStays) {
  FurnishedHome home;
  home.connect();
  core::EntityEdit edit{.name = "Mine"};
  edit.area_id.emplace();
  core::update_entity(home.home->hub, "light.lamp", edit, {}).value();
  home.entities.at("light.lamp").original_icon = "mdi:lamp";
  home.devices.at(0).sw_version = "2";
  home.list();
  EXPECT_EQ(home.entry("light.lamp").name, "Mine");
  EXPECT_FALSE(home.entry("light.lamp").area_id);
  EXPECT_EQ(home.entry("light.lamp").original_icon, "mdi:lamp");
  EXPECT_EQ(home.data()->devices.at("0123456789abcdef0123456789abcdef").sw_version, "2");
}

TEST(Ownership, AFieldThatIsChosenNoMoreIsAskedForAtOnce) {
  FurnishedHome home;
  home.connect();
  core::EntityEdit edit{.name = "Mine"};
  core::update_entity(home.home->hub, "light.lamp", edit, {}).value();
  home.home->hub.bus.run_pending();
  home.link.told.clear();
  core::update_entity(home.home->hub, "light.lamp", {.hidden_by = core::ChangedBy::user}, {}).value();
  home.home->hub.bus.run_pending();
  EXPECT_EQ(home.link.told, std::vector<std::string>());
  edit.name = OptionalText();
  core::update_entity(home.home->hub, "light.lamp", edit, {}).value();
  home.home->hub.bus.run_pending();
  EXPECT_EQ(home.link.told, std::vector<std::string>{"light.lamp"});
}

TEST(Ownership, OnceMeansOnce) {
  Options options;
  options.registry = Options::Registry::once;
  FurnishedHome home(options);
  home.connect();
  home.entities.at("light.lamp").original_icon = "mdi:lamp";
  home.devices.at(0).sw_version = "2";
  home.list();
  EXPECT_FALSE(home.entry("light.lamp").original_icon);
  EXPECT_FALSE(home.data()->devices.at("0123456789abcdef0123456789abcdef").sw_version);
}

TEST(Ownership, AListingThatIsTheSameChangesNothing) {
  FurnishedHome home;
  home.connect();
  const std::uint64_t before = home.data()->version;
  home.list();
  home.show(true);
  EXPECT_EQ(home.data()->version, before);
}

TEST(Ownership, AreasAreFoundByNameAndMadeIfThatIsWanted) {
  for (const auto areas : {Options::Areas::match, Options::Areas::existing, Options::Areas::none}) {
    for (const bool known : {true, false}) {
      Options options;
      options.areas = areas;
      FurnishedHome home(options);
      if (known) home.home->hub.registry.ensure_area("bathroom");
      home.connect();
      const OptionalText area = home.entry("light.lamp").area_id;
      if (areas == Options::Areas::none || (areas == Options::Areas::existing && !known))
        EXPECT_FALSE(area);
      else
        EXPECT_EQ(area, known ? "bathroom" : "bath_room");
    }
  }
}

TEST(Ownership, AnAreaThatIsRenamedThereIsTheSame) {
  FurnishedHome home;
  home.connect();
  home.areas.at(0).name = "Spa";
  home.there("light.second", "on").area_id = "bath";
  home.list();
  EXPECT_EQ(home.entry("light.second").area_id, "bath_room");
  EXPECT_EQ(home.data()->areas.size(), 1u);
}

TEST(Ownership, NamesAreTakenAgainAfterTheDifferenceIsKnown) {
  FurnishedHome home;
  home.connect();
  EXPECT_TRUE(home.mirror->differences().empty());
  core::EntityEdit edit{.name = "Mine"};
  edit.labels.emplace();
  core::update_entity(home.home->hub, "light.lamp", edit, {}).value();
  core::DeviceEdit device;
  device.name_by_user = "My bulb";
  home.home->hub.registry.update_device("0123456789abcdef0123456789abcdef", device, {}).value();
  std::string text;
  for (const Difference& each : home.mirror->differences())
    text += each.id + ' ' + each.field + ' ' + base::to_json(each.here) + ' ' + base::to_json(each.there) + '\n';
  EXPECT_EQ(text,
            "0123456789abcdef0123456789abcdef name \"My bulb\" \"Her bulb\"\n"
            "light.lamp labels [] [\"wet_room\"]\n"
            "light.lamp name \"Mine\" \"Her lamp\"\n");
  const std::set<std::string> only{"light.lamp"};
  home.mirror->take_again({}, &only).value();
  EXPECT_EQ(home.entry("light.lamp").name, "Her lamp");
  EXPECT_EQ(home.entry("light.lamp").labels, core::Texts{"wet_room"});
  EXPECT_EQ(home.mirror->differences().size(), 1u);
  home.mirror->take_again({}).value();
  EXPECT_TRUE(home.mirror->differences().empty());
}

TEST(Ownership, ADeviceThatIsHereIsFoundByItsMarks) {
  FurnishedHome home;
  core::Device reserved{.id = "moved.in", .integration = "hue", .name = "Old"};
  reserved.identifiers = {{"hue", "17"}};
  reserved.area_id = home.home->hub.registry.ensure_area("Cellar").id;
  home.home->hub.registry.put_device(reserved);
  home.connect();
  EXPECT_EQ(home.entry("light.lamp").device_id, "moved.in");
  EXPECT_EQ(home.data()->devices.at("moved.in").area_id, "cellar");
  EXPECT_EQ(home.data()->devices.at("moved.in").name, "Bulb");
  EXPECT_EQ(home.data()->devices.size(), 1u);
}

TEST(Ownership, DevicesBehindEachOtherInARingEnd) {
  MirrorHome home;
  for (int i = 0; i < 40; ++i) {
    OtherDevice device{.id = "d" + std::to_string(i)};
    device.via_device_id = "d" + std::to_string((i + 1) % 40);
    home.devices.push_back(device);
  }
  home.there("light.a", "on").device_id = "d0";
  home.connect();
  EXPECT_EQ(home.entry("light.a").device_id, "home_assistant.home.d0");
  EXPECT_LT(home.data()->devices.size(), 12u);
}

TEST(Ownership, LongTextsAreCut) {
  MirrorHome home;
  OtherEntity& lamp = home.there("light.a", "on");
  lamp.original_name = std::string(2'000, 'n');
  lamp.labels = {std::string(2'000, 'l')};
  home.there("light.b", "on").unique_id = std::string(2'000, 'u');
  home.connect();
  EXPECT_LE(home.entry("light.a").original_name->size(), 255u);
  EXPECT_EQ(home.list_text(Fate::invalid), "light.b - invalid");
}

}  // namespace
}  // namespace hearth::integrations::home_assistant
