// SPDX-License-Identifier: Apache-2.0
#include "fleet/site_mirror.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace hearth::fleet {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kFirst = "0123456789abcdef0123456789abcdef", kSecond = "11111111111111111111111111111111";

class SiteMirrorTest : public testing::Test {
 protected:
  struct Given {
    std::int64_t number;
    std::string_view id, value;
    std::string_view attributes = "{}";
    base::Duration at = 0s;  // after the start; by default as many seconds as its number
  };
  base::Timestamp time_of(const Given& given) const {
    return clock_.now() + (given.at == base::Duration(0) ? base::Duration(given.number * 1s) : given.at);
  }
  Batch batch(std::int64_t after, std::int64_t until, std::vector<Given> given, std::string_view epoch = kFirst) const {
    Batch made{"lake", std::string(epoch), after, until, {}, {}};
    for (const Given& each : given) {
      recorder::TailEntry entry;
      entry.entity = 1;
      entry.entity_id = each.id;
      entry.change.number = each.number;
      entry.change.updated = entry.change.changed = time_of(each);
      entry.change.removed = each.value == "-";
      entry.change.value = each.value;
      entry.change.attributes = each.attributes;
      entry.change.context_id = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
      made.entries.push_back(entry);
    }
    return made;
  }
  std::string state(std::string_view id) const {
    const auto found = hub_.states.find(id);
    return found ? std::string(found->value()) : "none";
  }

  base::ManualClock clock_;
  core::Hub hub_{clock_};
  SiteMirror mirror_{hub_, "lake"};
};

TEST_F(SiteMirrorTest, ShowsStatesWithTheirTimesAndContexts) {
  EXPECT_TRUE(mirror_.receive(batch(0, 2, {{1, "light.kitchen", "on"}, {2, "sensor.out", "21.5"}}), false));
  const auto state = hub_.states.find("light.lake_kitchen");
  ASSERT_TRUE(state);
  EXPECT_EQ("on", state->value());
  EXPECT_EQ(clock_.now() + 1s, state->last_updated());
  EXPECT_EQ("01ARZ3NDEKTSV4RRFFQ69G5FAV", state->context().id);
  const auto registry = hub_.registry.snapshot();
  const auto* const entity = registry->entities.find("light.lake_kitchen");
  ASSERT_TRUE(entity);
  EXPECT_EQ("lake", core::site_of(*entity));
  EXPECT_EQ("lake.light.kitchen", entity->unique_id);
  EXPECT_TRUE(entity->labels.contains("lake"));
  mirror_.receive(batch(2, 3, {{3, "light.kitchen", "-"}}), false);
  EXPECT_EQ("none", this->state("light.lake_kitchen"));
}

TEST_F(SiteMirrorTest, IgnoresWhatIsThereAlreadyAndWhatIsOfAFormerHistory) {
  mirror_.receive(batch(0, 2, {{1, "light.a", "on"}, {2, "light.a", "off"}}), false);
  EXPECT_TRUE(mirror_.receive(batch(0, 1, {{1, "light.a", "on"}}), false));
  EXPECT_EQ("off", state("light.lake_a"));
  // Overlapping: the engine had it, and the site sent more.
  EXPECT_TRUE(mirror_.receive(batch(1, 3, {{2, "light.a", "off"}, {3, "light.a", "3"}}), false));
  EXPECT_EQ("3", state("light.lake_a"));
  EXPECT_TRUE(mirror_.receive(batch(0, 1, {{1, "light.a", "restored", "{}", 10s}}, kSecond), false));
  EXPECT_EQ("restored", state("light.lake_a"));
  EXPECT_TRUE(mirror_.receive(batch(3, 4, {{4, "light.a", "old"}}), false));
  EXPECT_EQ("restored", state("light.lake_a"));
  EXPECT_FALSE(mirror_.wants({"lake", kFirst, 3, 4}));
  EXPECT_FALSE(mirror_.wants({"lake", kSecond, 0, 1}));
  EXPECT_TRUE(mirror_.wants({"lake", kSecond, 1, 2}));
}

TEST_F(SiteMirrorTest, StaysWithItsHistoryIfAnotherOneHasNothing) {
  mirror_.receive(batch(0, 1, {{1, "light.a", "on"}}), false);
  const std::string other(32, 'f');
  EXPECT_TRUE(mirror_.receive(batch(3, 9, {}, other), false));
  EXPECT_FALSE(mirror_.wants({"lake", other, 3, 9, 0}));
  EXPECT_TRUE(mirror_.wants({"lake", other, 3, 9, 1}));
  EXPECT_EQ(kFirst, mirror_.epoch());
  EXPECT_TRUE(mirror_.receive(batch(1, 2, {{2, "light.a", "off"}}), false));
  EXPECT_EQ("off", state("light.lake_a"));
}

TEST_F(SiteMirrorTest, NoticesGaps) {
  EXPECT_FALSE(mirror_.receive(batch(7, 8, {{8, "light.a", "on"}}), false));
  EXPECT_TRUE(mirror_.receive(batch(8, 9, {{9, "light.a", "off"}}), false));
  EXPECT_FALSE(mirror_.receive(batch(10, 11, {{11, "light.a", "on"}}), false));
  EXPECT_EQ("on", state("light.lake_a"));
}

TEST_F(SiteMirrorTest, IsAsASnapshotSaysAndFollowsTheLogFromThere) {
  mirror_.receive(batch(0, 2, {{1, "light.a", "on"}, {2, "light.gone", "on"}}), false);
  SnapshotPart part{0, 2, 5, batch(0, 1, {{1, "light.a", "snapshot", "{}", 20s}})};
  EXPECT_FALSE(mirror_.receive(part));
  EXPECT_EQ("on", state("light.lake_gone"));
  EXPECT_TRUE(mirror_.receive(SnapshotPart{1, 2, 5, batch(0, 1, {{1, "light.b", "off", "{}", 5s}})}));
  EXPECT_EQ("snapshot", state("light.lake_a"));
  EXPECT_EQ("off", state("light.lake_b"));
  EXPECT_EQ("none", state("light.lake_gone"));
  // The snapshot had this change already, and a later one.
  EXPECT_TRUE(
      mirror_.receive(batch(2, 7, {{6, "light.a", "older", "{}", 10s}, {7, "light.b", "on", "{}", 6s}}), false));
  EXPECT_EQ("snapshot", state("light.lake_a"));
  EXPECT_EQ("on", state("light.lake_b"));
  EXPECT_TRUE(mirror_.receive(batch(7, 8, {{8, "light.a", "newer", "{}", 30s}}), false));
  EXPECT_EQ("newer", state("light.lake_a"));
}

TEST_F(SiteMirrorTest, ShowsOnlyTheLastStateOfWhatComesLate) {
  int changes = 0;
  const auto subscription = hub_.bus.listen(core::event_type::kStateChanged, [&](const core::Event&) { ++changes; });
  mirror_.receive(batch(0, 3, {{1, "light.a", "1"}, {2, "light.a", "2"}, {3, "light.a", "3"}}), true);
  hub_.bus.run_pending();
  EXPECT_EQ(1, changes);
  EXPECT_EQ("3", state("light.lake_a"));
}

TEST_F(SiteMirrorTest, IsUnavailableWithItsLastValueWhileTheSiteIsAway) {
  const std::string_view attributes = R"({"friendly_name":"A","brightness":7})";
  mirror_.receive(batch(0, 1, {{1, "light.a", "on", attributes}}), false);
  mirror_.set_reachable(false);
  auto shown = hub_.states.find("light.lake_a");
  EXPECT_EQ("unavailable", shown->value());
  EXPECT_EQ(R"({"friendly_name":"A","last_value":"on"})", shown->attributes_json());
  // Late parts of its log are shown when it is back.
  mirror_.receive(batch(1, 2, {{2, "light.a", "off", attributes}}), false);
  EXPECT_EQ("unavailable", state("light.lake_a"));
  mirror_.set_reachable(true);
  shown = hub_.states.find("light.lake_a");
  EXPECT_EQ("off", shown->value());
  EXPECT_EQ(attributes, shown->attributes_json());
  EXPECT_EQ(clock_.now() + 2s, shown->last_updated());
}

TEST_F(SiteMirrorTest, LeavesOutWhatIsNoGood) {
  const std::string text(256, 'x');
  mirror_.receive(
      batch(0, 4, {{1, "light.a", "on", "[1]"}, {2, "light.b", "on", "{"}, {3, "light.c", text}, {4, "light.d", "on"}}),
      false);
  EXPECT_EQ("none", state("light.lake_a"));
  EXPECT_EQ("none", state("light.lake_b"));
  EXPECT_EQ("none", state("light.lake_c"));
  EXPECT_EQ("on", state("light.lake_d"));
  EXPECT_EQ(3u, mirror_.refused());
}

TEST_F(SiteMirrorTest, LeavesOutWhatIsTooLarge) {
  const std::string large = fmt::format(R"({{"a":"{}"}})", std::string(300 << 10, 'x'));
  auto made = batch(0, 2, {{1, "light.a", "on", large}});
  recorder::TailEntry event;
  event.type = "logbook_entry";
  const std::string data = fmt::format(R"({{"a":"{}"}})", std::string(2 << 20, 'x'));
  event.data = data;
  event.change.number = 2;
  event.change.updated = event.change.changed = clock_.now();
  made.entries.push_back(event);
  mirror_.receive(made, false);
  EXPECT_EQ("none", state("light.lake_a"));
  EXPECT_EQ(2u, mirror_.refused());
}

TEST_F(SiteMirrorTest, TakesOnlySoManyBytesOfASite) {
  const std::string attributes = fmt::format(R"({{"a":"{}"}})", std::string(250 << 10, 'x'));
  constexpr std::int64_t kSent = 300;  // some 73 MiB
  std::vector<std::string> ids;
  for (std::int64_t i = 0; i < kSent; ++i) ids.push_back(fmt::format("light.a{}", i));
  for (std::int64_t i = 0; i < kSent; ++i) {
    mirror_.receive(batch(i, i + 1, {{i + 1, ids[static_cast<std::size_t>(i)], "on", attributes}}), false);
    hub_.bus.run_pending();  // a full bus would make it wait
  }
  EXPECT_LT(hub_.states.bytes(), SiteMirror::kMaxAttributes + (1 << 20));
  EXPECT_EQ("on", state("light.lake_a0"));
  EXPECT_EQ("none", state("light.lake_a299"));
  // An entity that is removed or becomes smaller makes room.
  mirror_.receive(batch(kSent, kSent + 1, {{kSent + 1, ids[0], "-"}}), false);
  mirror_.receive(batch(kSent + 1, kSent + 2, {{kSent + 2, ids[1], "on"}}), false);
  for (std::int64_t i = 298; i < 300; ++i) {
    mirror_.receive(
        batch(kSent + i, kSent + i + 1, {{kSent + i + 1, ids[static_cast<std::size_t>(i)], "on", attributes}}), false);
    EXPECT_EQ("on", state(fmt::format("light.lake_a{}", i)));
  }
  // Nobody else has less room.
  SiteMirror other(hub_, "attic");
  other.receive(batch(0, 1, {{1, "light.a", "on", attributes}}), false);
  EXPECT_EQ("on", state("light.attic_a"));
}

TEST_F(SiteMirrorTest, TakesOnlySoManyHistories) {
  for (std::size_t i = 0; i <= SiteMirror::kMaxEpochs + 2; ++i)
    mirror_.receive(batch(0, 1, {{1, "light.a", std::to_string(i), "{}", 1s * (i + 1)}}, fmt::format("{:032}", i)),
                    false);
  EXPECT_EQ(std::to_string(SiteMirror::kMaxEpochs), state("light.lake_a"));
  EXPECT_EQ(2u, mirror_.refused());
}

TEST_F(SiteMirrorTest, NamesEntitiesInAttributesAsThePortalDoes) {
  mirror_.receive(batch(0, 2, {{1, "light.a", "on"}, {2, "group.all", "on", R"({"entity_id":["light.a","light.b"]})"}}),
                  false);
  EXPECT_EQ(R"({"entity_id":["light.lake_a","light.lake_b"]})", hub_.states.find("group.lake_all")->attributes_json());
}

TEST_F(SiteMirrorTest, ShowsWhatACallChangedBeforeTheLogDoes) {
  mirror_.receive(batch(0, 1, {{1, "light.a", "off"}}), false);
  ChangedState changed{"light.a", "on", "{}", {clock_.now() + 9s, clock_.now() + 9s}, {"C", {}, {}}};
  mirror_.receive(std::vector{changed});
  EXPECT_EQ("on", state("light.lake_a"));
  EXPECT_EQ("C", hub_.states.find("light.lake_a")->context().id);
  mirror_.receive(batch(1, 2, {{2, "light.a", "dim", "{}", 5s}}), false);
  EXPECT_EQ("on", state("light.lake_a"));
  mirror_.receive(batch(2, 3, {{3, "light.a", "off", "{}", 10s}}), false);
  EXPECT_EQ("off", state("light.lake_a"));
  // An answer that is slower than the log.
  mirror_.receive(std::vector{changed});
  EXPECT_EQ("off", state("light.lake_a"));
}

TEST_F(SiteMirrorTest, FiresOnlyEventsThatTellWhatHappenedThere) {
  std::string fired;
  const auto told =
      hub_.bus.listen("automation_triggered", [&](const core::Event& event) { core::write_data_json(fired, event); });
  const auto stop = hub_.bus.listen(core::event_type::kHomeassistantStop, [&](const core::Event&) { fired += "stop"; });
  auto made = batch(0, 3, {});
  for (const std::string_view type : {"automation_triggered", "homeassistant_stop"}) {
    recorder::TailEntry entry;
    entry.type = type;
    entry.data = R"({"entity_id":"automation.x","source":"state of light.a",)"
                 R"("trigger":{"platform":"state","entity_id":"light.a"}})";
    entry.change.number = static_cast<std::int64_t>(made.entries.size()) + 1;
    entry.change.updated = entry.change.changed = clock_.now();
    made.entries.push_back(entry);
  }
  mirror_.receive(made, false);
  hub_.bus.run_pending();
  EXPECT_EQ(R"({"entity_id":"automation.lake_x","source":"state of light.lake_a",)"
            R"("trigger":{"platform":"state","entity_id":"light.lake_a"},"site":"lake"})",
            fired);
}

TEST_F(SiteMirrorTest, HasFloorsAreasAndDevicesOfTheSite) {
  SiteRegistry registry{"lake", "Lake house", {}, {}, {}};
  registry.areas["kitchen"] = {"Kitchen", "mdi:fridge"};
  registry.devices["d1"] = {"Lamp", "Maker", "M1", "", "", "kitchen"};
  registry.entities["light.lamp"] = {"Lamp", "", "", "d1", "", "", false};
  registry.entities["sensor.out"] = {"Outside", "", "temperature", "", "", "", false};
  mirror_.receive(registry);
  const auto data = hub_.registry.snapshot();
  ASSERT_TRUE(data->floors.contains("lake_house"));
  const auto* const area = data->areas.find("lake_house_kitchen");
  ASSERT_TRUE(area);
  EXPECT_EQ("lake_house", area->floor_id);
  EXPECT_TRUE(area->labels.contains("lake"));
  EXPECT_EQ(area, data->area_of(data->entities.at("light.lake_lamp")));
  EXPECT_EQ("lake_house", data->area_of(data->entities.at("sensor.lake_out"))->id);
  EXPECT_EQ("Lamp", data->devices.at("fleet.lake.d1").name);
  // Changes by people at the portal stay, and nothing is made twice.
  const auto version = data->version;
  mirror_.receive(registry);
  EXPECT_EQ(version, hub_.registry.snapshot()->version);
  hub_.registry.update_area("lake_house_kitchen", {.name = "Cooking"}, {"C", {}, {}}).value();
  registry.devices.clear();
  registry.entities.erase("light.lamp");
  mirror_.receive(registry);
  const auto later = hub_.registry.snapshot();
  EXPECT_EQ("Cooking", later->areas.at("lake_house_kitchen").name);
  EXPECT_EQ(2u, later->areas.size());
  EXPECT_FALSE(later->devices.contains("fleet.lake.d1"));
  EXPECT_FALSE(later->entities.contains("light.lake_lamp"));
}

}  // namespace
}  // namespace hearth::fleet
