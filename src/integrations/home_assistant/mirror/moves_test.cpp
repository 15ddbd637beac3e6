// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/mirror/moves.h"

#include "integrations/home_assistant/mirror/mirror_test_home.h"

namespace hearth::integrations::home_assistant {
namespace {

using namespace std::chrono_literals;

TEST(MirrorMoves, AnIntegrationHereTakesItsIdentityOver) {
  MirrorHome home;
  home.there("light.a", "on");
  home.connect();
  core::update_entity(home.home->hub, "light.a", {.name = "Mine"}, {}).value();
  const std::string id = home.entry("light.a").id;
  const core::RegisteredEntity own = home.own("light.other", "hue", "u-light.a");
  EXPECT_EQ(own.id, id);
  EXPECT_EQ(own.entity_id, "light.a");
  EXPECT_EQ(own.name, "Mine");
  EXPECT_EQ(home.list_text(), "light.a light.a moved");
  EXPECT_EQ(home.mirror->ids().entity_there("light.a"), "");
  EXPECT_EQ(home.mirror->ids().entity_here("light.a"), "light.a");
  home.change("light.a", "dim");
  EXPECT_EQ(home.value("light.a"), "off");
  home.list();
  EXPECT_EQ(home.list_text(), "light.a light.a moved");
}

TEST(MirrorMoves, WhatAnIntegrationHereRemovesIsMirroredAgain) {
  MirrorHome home;
  home.devices.push_back({.id = "dev"});
  home.there("light.a", "on").device_id = "dev";
  home.connect();
  core::update_entity(home.home->hub, "light.a", {.name = "Mine"}, {}).value();
  const core::RegisteredEntity own = home.own("light.a", "hue", "u-light.a", home.entry("light.a").device_id);
  home.home->hub.registry.forget_entity(own.id);
  static_cast<void>(home.home->hub.states.remove("light.a", {}));
  home.home->hub.bus.run_pending();
  EXPECT_EQ(home.link.asked, 1);
  home.show(true);
  EXPECT_EQ(home.value("light.a"), "on");
  EXPECT_EQ(home.entry("light.a").id, own.id);
  EXPECT_EQ(home.entry("light.a").name, "Mine");
  EXPECT_EQ(home.list_text(), "light.a light.a mirrored");
}

TEST(MirrorMoves, AnOwnEntityTakesAPlaceByHandAndGivesItBack) {
  MirrorHome home;
  home.there("light.a", "on");
  home.connect();
  core::update_entity(home.home->hub, "light.a", {.name = "Mine"}, {}).value();
  const core::RegisteredEntity own = home.own("light.own", "mqtt", "1");
  home.mirror->adopt("light.a", "light.own", {}).value();
  home.home->hub.bus.run_pending();
  EXPECT_EQ(home.entry("light.a").integration, "mqtt");
  EXPECT_EQ(home.entry("light.a").name, "Mine");
  EXPECT_EQ(home.list_text(), "light.a light.a_2 moved");
  home.change("light.a", "dim");
  home.list();
  home.show(true);
  EXPECT_EQ(home.value("light.a"), "off");
  EXPECT_EQ(home.value("light.a_2"), "");
  EXPECT_EQ(home.list_text(), "light.a light.a_2 moved");
  home.home->hub.registry.forget_entity(own.id);
  static_cast<void>(home.home->hub.states.remove("light.a", {}));
  home.home->advance(3s);
  home.show(true);
  EXPECT_EQ(home.list_text(), "light.a light.a mirrored");
  EXPECT_EQ(home.value("light.a"), "dim");
}

TEST(MirrorMoves, OnlyAMirroredEntityIsAdoptedAndOnlyByAnOwnOne) {
  MirrorHome home;
  home.there("light.a", "on");
  home.there("light.b", "on");
  home.connect();
  home.own("light.own", "mqtt", "1");
  EXPECT_EQ(home.mirror->adopt("light.own", "light.a", {}).error().code, base::ErrorCode::not_found);
  EXPECT_EQ(home.mirror->adopt("light.a", "light.none", {}).error().code, base::ErrorCode::not_found);
  EXPECT_EQ(home.mirror->adopt("light.a", "light.b", {}).error().code, base::ErrorCode::invalid);
}

TEST(MirrorMoves, ADeviceThatBothHubsHaveMovesWhatIsTheSame) {
  MirrorHome home;
  home.devices.push_back({.id = "dev", .name = "Lamp", .connections = {{"zigbee", "00:17"}}});
  home.there("light.a", "on").device_id = "dev";
  home.there("sensor.rest", "1").device_id = "dev";
  home.connect();
  core::Device device{.id = "zb.lamp", .integration = "zb", .name = "Lamp"};
  device.connections = {{"zigbee", "00:17"}};
  const std::string id = home.home->hub.registry.put_device(device).id;
  home.own("light.new", "zb", "1", id);
  EXPECT_EQ(home.entry("light.a").integration, "hue");
  home.home->advance(2s);
  EXPECT_EQ(home.entry("light.a").integration, "zb");
  EXPECT_EQ(home.list_text(), "light.a light.a_2 moved, sensor.rest sensor.rest mirrored");
  EXPECT_EQ(home.value("sensor.rest"), "1");
}

TEST(MirrorMoves, OfSeveralThatAreAlikeNoneMovesByItself) {
  MirrorHome home;
  home.devices.push_back({.id = "dev", .name = "Strip", .connections = {{"zigbee", "00:17"}}});
  home.there("switch.a", "on").device_id = "dev";
  home.there("switch.b", "on").device_id = "dev";
  home.connect();
  core::Device device{.id = "zb.strip", .integration = "zb", .name = "Strip"};
  device.connections = {{"zigbee", "00:17"}};
  const std::string id = home.home->hub.registry.put_device(device).id;
  home.own("switch.new", "zb", "1", id);
  home.home->advance(2s);
  EXPECT_EQ(home.mirror->counts().mirrored, 2u);
}

}  // namespace
}  // namespace hearth::integrations::home_assistant
