// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/mirror/mirror_test_home.h"

namespace hearth::integrations::home_assistant {
namespace {

TEST(Identity, IsThatOfTheDeviceWithTheIdsOfThere) {
  MirrorHome home;
  home.there("light.lamp", "on").id = "0123456789abcdef0123456789abcdef";
  home.connect();
  const core::RegisteredEntity& entry = home.entry("light.lamp");
  EXPECT_EQ(entry.integration, "hue");
  EXPECT_EQ(entry.unique_id, "u-light.lamp");
  EXPECT_EQ(entry.id, "0123456789abcdef0123456789abcdef");
  EXPECT_EQ(entry.original_name, "Name of light.lamp");
  EXPECT_EQ(core::provider_of(entry), "home_assistant.home");
  EXPECT_EQ(entry.origin, "there");
  EXPECT_EQ(entry.hops, 1);
  EXPECT_EQ(home.value("light.lamp"), "on");
  EXPECT_EQ(home.mirror->ids().entity_there("light.lamp"), "light.lamp");
}

TEST(Identity, OneWithoutAnEntryThereIsKnownByItsId) {
  MirrorHome home;
  home.states["sensor.plain"] = "1";
  home.connect();
  EXPECT_EQ(home.entry("sensor.plain").integration, "home_assistant");
  EXPECT_EQ(home.entry("sensor.plain").unique_id, "home/sensor.plain");
  EXPECT_EQ(home.value("sensor.plain"), "1");
}

TEST(Identity, AReservedEntryIsTakenWithItsIdAndNames) {
  MirrorHome home;
  core::RegisteredEntity moved_in{.unique_id = "u-light.lamp", .integration = "hue", .name = "My lamp"};
  const std::string id =
      home.home->hub.registry.put_entity(core::EntityId::parse("light.kitchen").value(), moved_in)->id;
  home.home->hub.registry.release_entity("light.kitchen");
  home.there("light.lamp", "on").name = "Theirs";
  home.connect();
  EXPECT_FALSE(home.registered("light.lamp"));
  EXPECT_EQ(home.entry("light.kitchen").id, id);
  EXPECT_EQ(home.entry("light.kitchen").name, "My lamp");
  EXPECT_EQ(home.value("light.kitchen"), "on");
  EXPECT_EQ(home.home->attribute("light.kitchen", "friendly_name"), R"("My lamp")");
  EXPECT_EQ(home.mirror->ids().entity_there("light.kitchen"), "light.lamp");
  EXPECT_EQ(home.mirror->counts().collisions, 0u);
}

TEST(Identity, AnIdThatIsTakenGetsANumberAndIsListed) {
  MirrorHome home;
  home.own("light.lamp", "demo", "1");
  static_cast<void>(home.home->hub.states.set(core::EntityId::parse("light.client").value(), {"x", "{}", {}}));
  home.there("light.lamp", "on");
  home.there("light.client", "on");
  home.connect();
  EXPECT_EQ(home.list_text(Fate::collision),
            "light.client light.client_2 collision, light.lamp light.lamp_2 collision");
  EXPECT_EQ(home.value("light.lamp"), "off");
  EXPECT_EQ(home.value("light.client"), "x");
  EXPECT_EQ(home.value("light.lamp_2"), "on");
  EXPECT_EQ(home.mirror->counts().mirrored, 2u);
}

TEST(Identity, APrefixStandsBeforeTheObjectIdOnce) {
  Options options;
  options.prefix = "cabin_";
  options.name_prefix = "Cabin ";
  MirrorHome home(options);
  home.there("light.lamp", "on");
  home.there("light.cabin_stove", "on");
  home.there("group.all", "on");
  home.attributes["group.all"] = {{"entity_id", json::array{"light.lamp", "light.none"}},
                                  {"source", "light.lamp"},
                                  {"friendly_name", "light.lamp"}};
  home.connect();
  EXPECT_EQ(home.value("light.cabin_lamp"), "on");
  EXPECT_EQ(home.value("light.cabin_stove"), "on");
  EXPECT_EQ(home.home->attribute("group.cabin_all", "entity_id"), R"(["light.cabin_lamp","light.none"])");
  EXPECT_EQ(home.home->attribute("group.cabin_all", "source"), R"("light.cabin_lamp")");
  EXPECT_EQ(home.home->attribute("group.cabin_all", "friendly_name"), R"("Cabin light.lamp")");
  EXPECT_EQ(home.entry("light.cabin_lamp").original_name, "Cabin Name of light.lamp");
}

TEST(Identity, ASecondHubWithTheSameIdentityHasItsOwnEntry) {
  MirrorHome first;
  first.there("light.lamp", "on");
  first.connect();
  Options options;
  options.name = "other";
  MirrorHome second(options, first.home);
  second.there("light.lamp", "off");
  second.connect();
  EXPECT_EQ(second.list_text(), "light.lamp light.lamp_2 collision");
  EXPECT_EQ(second.entry("light.lamp_2").integration, "home_assistant");
  EXPECT_EQ(second.entry("light.lamp_2").unique_id, "other/hue/u-light.lamp");
  EXPECT_EQ(first.value("light.lamp"), "on");
  EXPECT_EQ(first.value("light.lamp_2"), "off");
  second.list();
  EXPECT_EQ(second.list_text(), "light.lamp light.lamp_2 collision");
}

TEST(Identity, ARenameThereChangesNothingHere) {
  MirrorHome home;
  home.there("light.lamp", "on");
  home.connect();
  OtherEntity renamed = home.entities.at("light.lamp");
  renamed.entity_id = "light.hall";
  home.lose_state("light.lamp");
  home.change("light.lamp", "on");  // only its time has changed
  home.lose_state("light.lamp");
  home.states["light.hall"] = "off";
  home.change("light.hall", "off");
  EXPECT_EQ(home.value("light.lamp"), "on");
  home.entities = {{"light.hall", renamed}};
  home.list();
  EXPECT_EQ(home.value("light.lamp"), "off");
  EXPECT_FALSE(home.registered("light.hall"));
  EXPECT_EQ(home.list_text(), "light.hall light.lamp mirrored");
  EXPECT_TRUE(home.mirror->idle());
}

TEST(Identity, TwoThatExchangeTheirIdsThereKeepTheirsHere) {
  MirrorHome home;
  home.there("light.a", "on");
  home.there("light.b", "off");
  home.connect();
  std::swap(home.entities.at("light.a").unique_id, home.entities.at("light.b").unique_id);
  home.list();
  home.change("light.a", "1");
  home.change("light.b", "2");
  EXPECT_EQ(home.value("light.b"), "1");
  EXPECT_EQ(home.value("light.a"), "2");
}

TEST(Identity, ARenameHereIsFollowed) {
  MirrorHome home;
  home.there("light.lamp", "on");
  home.connect();
  core::update_entity(home.home->hub, "light.lamp", {.new_entity_id = "light.hall"}, {}).value();
  home.home->hub.bus.run_pending();
  EXPECT_EQ(home.value("light.lamp"), "");
  EXPECT_EQ(home.mirror->ids().entity_here("light.lamp"), "light.hall");
  home.change("light.lamp", "off");
  EXPECT_EQ(home.value("light.hall"), "off");
  EXPECT_EQ(home.list_text(), "light.lamp light.hall mirrored");
}

TEST(Identity, ANewEntityWaitsForItsEntry) {
  MirrorHome home;
  home.connect();
  home.change("light.lamp", "on");
  EXPECT_EQ(home.value("light.lamp"), "");
  home.there("light.lamp", "on");
  home.list();
  EXPECT_EQ(home.entry("light.lamp").integration, "hue");
  EXPECT_EQ(home.value("light.lamp"), "on");
}

TEST(Identity, OneThatGetsNoEntryIsShownAndGetsItsIdentityLater) {
  MirrorHome home;
  home.connect();
  home.change("light.lamp", "on");
  home.home->advance(std::chrono::seconds(2));
  EXPECT_EQ(home.entry("light.lamp").integration, "home_assistant");
  const std::string id = home.entry("light.lamp").id;
  core::update_entity(home.home->hub, "light.lamp", {.name = "Mine"}, {}).value();
  home.there("light.lamp", "on");
  home.list();
  EXPECT_EQ(home.entry("light.lamp").integration, "hue");
  EXPECT_EQ(home.entry("light.lamp").id, id);
  EXPECT_EQ(home.entry("light.lamp").name, "Mine");
  EXPECT_EQ(home.value("light.lamp"), "on");
  EXPECT_EQ(home.list_text(), "light.lamp light.lamp mirrored");
}

// A home that was stopped, and starts again with the registry that it had.
core::RegistryData stopped(const MirrorHome& home) {
  core::RegistryData kept = *home.data();
  for (const auto& [id, entry] : home.data()->entities) {
    core::RegisteredEntity unprovided = entry;
    unprovided.provided = false;
    unprovided.provider.clear();
    kept.set(unprovided);
  }
  return kept;
}

// The entity as the other hub has it; it may differ from one run of this hub to the next.
enum class Known { with_an_entry, with_another_identity, by_its_state };

void be(MirrorHome& home, Known known) {
  home.states["light.lamp"] = "on";
  if (known == Known::by_its_state) return;
  home.entities["light.lamp"] = entity_there("light.lamp", known == Known::with_an_entry ? "1" : "2");
}

TEST(Identity, MayChangeBetweenTwoRuns) {
  for (const Known before : {Known::with_an_entry, Known::with_another_identity, Known::by_its_state}) {
    for (const Known after : {Known::with_an_entry, Known::with_another_identity, Known::by_its_state}) {
      SCOPED_TRACE(testing::Message() << static_cast<int>(before) << " to " << static_cast<int>(after));
      MirrorHome home;
      be(home, before);
      home.connect();
      core::update_entity(home.home->hub, "light.lamp", {.name = "Mine"}, {}).value();
      const std::string id = home.entry("light.lamp").id;
      MirrorHome later;
      later.home->hub.registry.restore(stopped(home));
      be(later, after);
      later.connect();
      EXPECT_EQ(later.list_text(), "light.lamp light.lamp mirrored");
      EXPECT_EQ(later.value("light.lamp"), "on");
      EXPECT_EQ(later.entry("light.lamp").id, id);
      EXPECT_EQ(later.entry("light.lamp").name, "Mine");
      EXPECT_EQ(later.data()->entities.size(), home.data()->entities.size());
    }
  }
}

TEST(Identity, MayChangeWhileConnected) {
  for (const Known before : {Known::with_an_entry, Known::by_its_state}) {
    SCOPED_TRACE(static_cast<int>(before));
    MirrorHome home;
    be(home, before);
    home.connect();
    const std::size_t entries = home.data()->entities.size();
    // The device is added anew there, with the same id.
    home.lose_state("light.lamp");
    home.entities.clear();
    home.list();
    EXPECT_EQ(home.value("light.lamp"), "");
    be(home, Known::with_another_identity);
    home.change("light.lamp", "off");
    home.list();
    EXPECT_EQ(home.list_text(), "light.lamp light.lamp mirrored");
    EXPECT_EQ(home.value("light.lamp"), "off");
    EXPECT_EQ(home.data()->entities.size(), entries);
  }
}

TEST(Identity, AnEntryThatAnotherOneThereHasIsNotTaken) {
  MirrorHome home;
  home.there("light.a", "on").unique_id = "1";
  home.connect();
  MirrorHome later;
  later.home->hub.registry.restore(stopped(home));
  // It has another id there now, and a new one has its id; whatever comes first in the listing.
  later.there("light.a", "new").unique_id = "2";
  later.there("light.b", "old").unique_id = "1";
  later.connect();
  EXPECT_EQ(later.list_text(), "light.a light.a_2 mirrored, light.b light.a mirrored");
  EXPECT_EQ(later.value("light.a"), "old");
  EXPECT_EQ(later.value("light.a_2"), "new");
}

TEST(Identity, OneThatTurnsOutToBeAMirrorLeavesNothing) {
  MirrorHome home;
  home.connect();
  home.change("light.far", "on");
  home.home->advance(std::chrono::seconds(2));
  EXPECT_EQ(home.value("light.far"), "on");
  home.there("light.far", "on").mirrored_there = true;
  home.list();
  EXPECT_EQ(home.value("light.far"), "");
  EXPECT_FALSE(home.registered("light.far"));
  EXPECT_EQ(home.list_text(), "light.far - mirrored_there");
}

TEST(Identity, WithoutTheRegistryThereEntriesOfEarlierRunsAreFoundById) {
  MirrorHome home;
  home.there("light.lamp", "on");
  home.connect();
  MirrorHome later;
  later.home->hub.registry.restore(stopped(home));
  later.complete = false;
  later.states = home.states;
  later.connect();
  EXPECT_EQ(later.entry("light.lamp").integration, "hue");
  EXPECT_EQ(later.value("light.lamp"), "on");
  EXPECT_EQ(later.data()->entities.size(), home.data()->entities.size());
}

}  // namespace
}  // namespace hearth::integrations::home_assistant
