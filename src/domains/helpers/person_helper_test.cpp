// SPDX-License-Identifier: Apache-2.0
#include "domains/helpers/person_helper.h"

#include "core/registry/collection_type.h"
#include "domains/helpers/file_helpers.h"
#include "domains/test_home.h"

namespace hearth::domains {
namespace {

struct PersonTest : testing::Test {
  void start() {
    home.hub.bus.fire(core::event_type::kPlatformStart, "{}", core::Origin::local, context());
    home.hub.bus.run_pending();
  }
  core::Context context() const { return core::Context::create(home.clock.now()); }
  void set(const std::string& id, std::string_view value, std::string_view attributes = "{}") {
    home.clock.advance(std::chrono::seconds(1));
    home.hub.states.set(*core::EntityId::parse(id), {value, attributes, context()}).value();
    home.hub.bus.run_pending();
  }
  void apply(const std::string& id = "ann") {
    json::object fields =
        core::find_collection_type("person")
            ->fields_of({{"name", "Ann"},
                         {"user_id", "U"},
                         {"device_trackers", {"device_tracker.phone", "device_tracker.car", "device_tracker.wifi"}}})
            .value();
    HelperItem item{.collection = "person", .id = id, .place = "f.yaml:1", .fields = std::move(fields), .error = {}};
    items.push_back(std::move(item));
    EXPECT_TRUE(helpers.apply(items, true).empty());
    home.hub.bus.run_pending();
  }
  void remember(std::string_view value) {
    core::RegisteredEntity entity;
    entity.integration = "person";
    entity.unique_id = "ann";
    const auto id = *core::EntityId::parse("person.ann");
    home.hub.registry.put_entity(id, std::move(entity)).value();
    home.hub.states.set(id, {value, R"({"latitude": 5.5})", context()}).value();
  }
  std::string shown() const {
    const std::string source = home.attribute("person.ann", "source");
    return home.value("person.ann") + (source.empty() ? "" : " by " + source.substr(16, source.size() - 17));
  }

  static constexpr std::string_view kGps =
      R"({"source_type": "gps", "latitude": 1.5, "longitude": 2.5, "gps_accuracy": 9})";
  TestHome home;
  FileHelpers helpers{home.hub, home.domains.entities()};
  std::vector<HelperItem> items;
};

TEST_F(PersonTest, IsWhereTheirTrackersSay) {
  apply();
  EXPECT_EQ(shown(), "unknown");
  EXPECT_EQ(home.attribute("person.ann", "id"), R"("ann")");
  EXPECT_EQ(home.attribute("person.ann", "user_id"), R"("U")");
  set("device_tracker.wifi", "not_home", R"({"source_type": "router"})");
  EXPECT_EQ(shown(), "not_home by wifi");
  set("device_tracker.phone", "Work", kGps);
  EXPECT_EQ(shown(), "Work by phone");
  EXPECT_EQ(home.attribute("person.ann", "latitude"), "1.5");
  EXPECT_EQ(home.attribute("person.ann", "gps_accuracy"), "9.0");
  set("device_tracker.car", "not_home", kGps);
  EXPECT_EQ(shown(), "not_home by car");
  set("device_tracker.wifi", "home", R"({"source_type": "router"})");
  EXPECT_EQ(shown(), "home by wifi");
  EXPECT_EQ(home.attribute("person.ann", "latitude"), "");
  set("device_tracker.phone", "Work", R"({"source_type": "gps", "latitude": 3})");
  EXPECT_EQ(shown(), "home by wifi");
  set("device_tracker.wifi", "unavailable");
  EXPECT_EQ(shown(), "Work by phone");
  set("device_tracker.phone", "unknown");
  set("device_tracker.car", "unavailable");
  EXPECT_EQ(shown(), "unknown");
  EXPECT_EQ(home.attribute("person.ann", "latitude"), "");
}

TEST_F(PersonTest, AtHomeWithoutAPositionIsWhereTheHomeIs) {
  start();
  apply();
  set("device_tracker.wifi", "home");
  EXPECT_EQ(home.attribute("person.ann", "latitude"), home.attribute("zone.home", "latitude"));
  EXPECT_NE(home.attribute("person.ann", "latitude"), "");
}

TEST_F(PersonTest, StaysWhereTheyWereUntilATrackerSaysMore) {
  remember("Work");
  apply();
  EXPECT_EQ(shown(), "Work");
  EXPECT_EQ(home.attribute("person.ann", "latitude"), "5.5");
  set("device_tracker.wifi", "home");
  EXPECT_EQ(shown(), "home by wifi");
}

TEST_F(PersonTest, IsCountedInTheirZone) {
  start();
  home.hub.registry
      .create_item("zone", "work",
                   {{"name", "Work"}, {"latitude", 1}, {"longitude", 2}, {"radius", 100}, {"passive", false}},
                   context())
      .value();
  home.hub.bus.run_pending();
  apply();
  apply("bob");
  EXPECT_EQ(home.value("zone.home"), "0");
  set("device_tracker.wifi", "home");
  EXPECT_EQ(home.value("zone.home"), "2");
  EXPECT_EQ(home.attribute("zone.home", "persons"), R"(["person.ann","person.bob"])");
  set("device_tracker.wifi", "not_home");
  set("device_tracker.phone", "work", kGps);
  EXPECT_EQ(home.value("zone.home") + home.value("zone.work"), "02");
  items.pop_back();
  helpers.apply(items, true);
  home.hub.bus.run_pending();
  EXPECT_EQ(home.attribute("zone.work", "persons"), R"(["person.ann"])");
}

}  // namespace
}  // namespace hearth::domains
