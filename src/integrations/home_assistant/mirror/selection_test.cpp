// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/mirror/selection.h"

#include "integrations/home_assistant/mirror/mirror_test_home.h"

namespace hearth::integrations::home_assistant {
namespace {

TEST(Selection, SaysWhyAnEntityIsNotMirrored) {
  Options options;
  options.filter.exclude.domains = {"camera"};
  MirrorHome home(options);
  home.own("script.own", "script", "own");
  home.there("light.a", "on");
  home.there("light.far", "on").mirrored_there = true;
  home.there("light.remote", "on").platform = "remote_homeassistant";
  home.there("camera.door", "idle");
  home.there("light.off", "on").disabled_by = "user";
  home.states.erase("light.off");
  home.there("script.own", "off").platform = "script";
  home.there("script.theirs", "off").platform = "script";
  home.there("sun.sun", "above_horizon");
  home.states["zone.home"] = "0";
  home.states["Light.Bad"] = "on";
  home.states["sensor.looped"] = "1";
  home.attributes["sensor.looped"] = {{"unique_id", "x"}};
  home.connect();
  EXPECT_EQ(home.list_text(),
            "Light.Bad - invalid, camera.door - excluded, light.a light.a mirrored, light.far - mirrored_there, "
            "light.off light.off disabled_there, light.remote - mirrored_there, script.own - shadowed, script.theirs "
            "script.theirs mirrored, sensor.looped - mirrored_there, sun.sun - left_out, zone.home - left_out");
  EXPECT_EQ(home.value("light.off"), "");
  EXPECT_EQ(home.entry("light.off").disabled_by, core::ChangedBy::integration);
  const Counts counts = home.mirror->counts();
  EXPECT_EQ(counts.mirrored, 2u);
  EXPECT_EQ(counts.shadowed, 1u);
  EXPECT_EQ(counts.excluded, 1u);
}

TEST(Selection, WhatIsAskedForComesBesideAnOwnOne) {
  Options options;
  options.filter.include.domains = {"automation"};
  MirrorHome home(options);
  home.own("automation.own", "automation", "1");
  home.there("automation.own", "on").platform = "automation";
  home.there("light.a", "on");
  home.connect();
  EXPECT_EQ(home.list_text(), "automation.own automation.own_2 collision, light.a - excluded");
}

TEST(Selection, OneThatIsEnabledThereIsShown) {
  MirrorHome home;
  home.there("light.a", "on").disabled_by = "user";
  home.states.clear();
  home.connect();
  home.entities.at("light.a").disabled_by = {};
  home.list();
  home.change("light.a", "on");
  EXPECT_EQ(home.value("light.a"), "on");
  home.entities.at("light.a").disabled_by = "integration";
  home.list();
  EXPECT_EQ(home.value("light.a"), "");
  EXPECT_EQ(home.list_text(), "light.a light.a disabled_there");
}

TEST(Selection, OneThatIsDisabledHereHasNoState) {
  MirrorHome home;
  home.there("light.a", "on");
  home.connect();
  core::EntityEdit edit;
  edit.disabled_by = core::ChangedBy::user;
  core::update_entity(home.home->hub, "light.a", edit, {}).value();
  home.home->hub.bus.run_pending();
  home.change("light.a", "off");
  EXPECT_EQ(home.value("light.a"), "");
  EXPECT_EQ(home.list_text(), "light.a light.a disabled_here");
  edit.disabled_by.emplace();
  core::update_entity(home.home->hub, "light.a", edit, {}).value();
  home.home->hub.bus.run_pending();
  EXPECT_EQ(home.link.asked, 1);
  home.show(true);
  EXPECT_EQ(home.value("light.a"), "off");
}

TEST(Selection, ChainsOfHubsEnd) {
  Options options;
  OtherEntity entity = entity_there("light.a");
  entity.mirrored_there = true;
  entity.origin = "third";
  entity.hops = 1;
  const auto fate = [&](std::string_view uuid) { return fate_of(entity, "", {}, options, uuid); };
  EXPECT_EQ(fate("own"), Fate::mirrored_there);
  options.transitive = true;
  EXPECT_EQ(fate("own"), Fate::mirrored);
  EXPECT_EQ(fate("third"), Fate::mirrored_there);
  entity.hops = 3;
  EXPECT_EQ(fate("own"), Fate::mirrored_there);
}

// `to` is told all that the hub of `from` lists, as its registry answers.
void tell(const MirrorHome& from, MirrorHome& to) {
  to.entities.clear();
  to.states.clear();
  const auto data = from.data();
  for (const auto& [id, entry] : data->entities) {
    OtherEntity entity = entity_there(id, entry.unique_id);
    entity.id = entry.id;
    entity.platform = entry.integration;
    entity.mirrored_there = entry.hops > 0;
    entity.origin = entry.origin;
    entity.hops = entry.hops;
    to.entities.emplace(id, entity);
  }
  from.home->hub.states.snapshot()->for_each(
      [&](const core::State& state) { to.states[std::string(state.entity_id())] = state.value(); });
  to.connect();
}

TEST(Selection, TwoHubsThatMirrorEachOtherStayAtTheirNumbers) {
  MirrorHome one, two;
  one.own("light.one", "zb", "1");
  two.own("light.two", "zb", "2");
  one.start();
  two.start();
  one.started = two.started = true;
  std::vector<std::size_t> sizes;
  for (int round = 0; round < 4; ++round) {
    tell(one, two);
    tell(two, one);
    sizes.push_back(one.data()->entities.size());
    sizes.push_back(two.data()->entities.size());
  }
  EXPECT_EQ(sizes, std::vector<std::size_t>(8, one.data()->entities.size()));
  EXPECT_EQ(one.value("light.two"), "off");
  EXPECT_EQ(two.value("light.one"), "off");
}

TEST(Selection, NoPlatformThereCanBeAClientOrAFleetHere) {
  MirrorHome home;
  home.there("light.a", "on").platform = "api";
  home.there("light.b", "on").platform = "fleet";
  home.there("light.c", "on").platform = "No Slug";
  home.connect();
  for (const char* id : {"light.a", "light.b", "light.c"}) {
    EXPECT_EQ(home.entry(id).integration, "home_assistant") << id;
    EXPECT_EQ(home.value(id), "on") << id;
  }
}

}  // namespace
}  // namespace hearth::integrations::home_assistant
