// SPDX-License-Identifier: Apache-2.0
#include "recorder/journal/registry_store.h"

#include <gtest/gtest.h>

#include "core/hub.h"
#include "core/registry/registry_json.h"
#include "storage/temporary_folder.h"

namespace hearth::recorder {
namespace {

using namespace std::chrono_literals;

const core::Context kUser{"C", {}, "user"};

// A hub without threads, with a store that listens.
struct RegisteredHome {
  RegisteredHome(const base::Clock& clock, const std::filesystem::path& file)
      : hub(clock), store(RegistryStore::open(file, hub.registry, hub.bus).value()) {
    listener = hub.bus.listen("*", [this](const core::Event&) { ++events; });
    store->restore().value();
    store->listen();
  }

  void bring(const std::string& unique_id) {
    core::RegisteredEntity entity;
    entity.integration = "test";
    entity.unique_id = unique_id;
    entity.original_name = "Lamp";
    entity.device_id = "test.box";
    hub.registry.put_device({.id = "test.box", .integration = "test", .name = "Box"});
    hub.registry.put_entity(*core::EntityId::parse("light." + unique_id), entity).value();
  }
  void save() { store->commit().value(); }
  // The whole registry as text.
  std::string text() const {
    std::string text;
    const auto data = hub.registry.snapshot();
    const auto add = [&](const auto& entries) {
      for (const auto& [id, entry] : entries) text += base::to_json(core::to_json(entry)) + '\n';
    };
    add(data->floors);
    add(data->areas);
    add(data->devices);
    add(data->entities);
    add(data->items);
    return text;
  }

  core::Hub hub;
  int events = 0;
  core::Subscription listener;
  std::unique_ptr<RegistryStore> store;
};

class RegistryStoreTest : public testing::Test {
 protected:
  std::filesystem::path file() const { return folder_ / "home.db"; }
  // Stores two lamps of a device in an area, and returns the whole registry.
  std::string fill() {
    RegisteredHome home(clock_, file());
    auto& registry = home.hub.registry;
    const auto floor = registry.create_floor({.name = "Ground", .level = 0}, kUser).value();
    registry.create_area({.name = "Kitchen", .floor_id = floor.id, .labels = core::Texts{"warm"}}, kUser).value();
    home.bring("one");
    home.bring("two");
    registry.update_device("test.box", {.name_by_user = "Küche \"1\"", .area_id = "kitchen"}, kUser).value();
    const auto item = registry.create_item("zone", {}, {{"name", "Work"}}, kUser).value();
    registry.create_item("zone", {}, {{"name", "School"}}, kUser).value();
    clock_.advance(7s + 1us);
    registry.update_item("zone", item.id, {{"name", "Office"}}, {}, kUser).value();
    registry.update_entity("light.one", {.name = "First", .disabled_by = core::ChangedBy::user}, kUser).value();
    home.save();
    return home.text();
  }

  storage::TemporaryFolder folder_;
  base::ManualClock clock_;
};

TEST_F(RegistryStoreTest, RestoresEverythingWithoutEvents) {
  const std::string before = fill();
  RegisteredHome home(clock_, file());
  EXPECT_EQ(before, home.text());
  const auto data = home.hub.registry.snapshot();
  EXPECT_TRUE(data->entities_of_device.at("test.box").contains("light.two"));
  EXPECT_TRUE(data->devices_of_area.at("kitchen").contains("test.box"));
  EXPECT_FALSE(data->entities.at("light.one").provided);
  home.hub.bus.run_pending();
  EXPECT_EQ(0, home.events);
}

TEST_F(RegistryStoreTest, WritesNothingIfTheSameIsRegisteredAgain) {
  const std::string before = fill();
  RegisteredHome home(clock_, file());
  auto other = storage::Database::open(file()).value();
  const auto version = other.data_version().value();
  clock_.advance(24h);
  home.bring("one");
  home.bring("two");
  home.save();
  EXPECT_TRUE(home.hub.registry.snapshot()->entities.at("light.one").provided);
  EXPECT_EQ(before, home.text());
  EXPECT_EQ(version, other.data_version().value());
  home.hub.registry.update_entity("light.one", {.icon = "mdi:star"}, kUser).value();
  home.save();
  EXPECT_NE(version, other.data_version().value());
}

TEST_F(RegistryStoreTest, WritesOnlyWhatDiffers) {
  fill();
  RegisteredHome home(clock_, file());
  auto other = storage::Database::open(file()).value();
  other
      .execute(
          "CREATE TABLE written(id TEXT);"
          "CREATE TRIGGER note AFTER INSERT ON registry BEGIN INSERT INTO written VALUES(NEW.id); END")
      .value();
  home.hub.registry.update_area("kitchen", {.icon = "mdi:pot"}, kUser).value();
  home.save();
  auto select = other.prepare("SELECT group_concat(id) FROM written").value();
  ASSERT_TRUE(select.step().value());
  EXPECT_EQ("kitchen", select.text(0));
}

TEST_F(RegistryStoreTest, KnowsWhatIsGoneAfterARestart) {
  fill();
  std::string id;
  {
    RegisteredHome home(clock_, file());
    id = home.hub.registry.snapshot()->entities.at("light.one").id;
    home.hub.registry.forget_entity(id);
    home.save();
    home.hub.registry.forget_devices({"test.box"});
    home.save();
  }
  {
    RegisteredHome home(clock_, file());
    EXPECT_EQ(1u, home.hub.registry.snapshot()->removed.entities().size());
    EXPECT_EQ(1u, home.hub.registry.snapshot()->removed.devices().size());
    home.bring("one");
    const auto data = home.hub.registry.snapshot();
    EXPECT_EQ("First", data->entities.at("light.one").name);
    EXPECT_EQ(id, data->entities.at("light.one").id);
    home.save();
  }
  RegisteredHome home(clock_, file());
  EXPECT_EQ(0u, home.hub.registry.snapshot()->removed.entities().size());
}

TEST_F(RegistryStoreTest, FollowsARenamedEntityAndForgetsRemovedOnes) {
  fill();
  std::string before, id;
  {
    RegisteredHome home(clock_, file());
    auto& registry = home.hub.registry;
    id = registry.snapshot()->entities.at("light.one").id;
    registry.update_entity("light.one", {.new_entity_id = "light.first"}, kUser).value();
    registry.remove_entity("light.two", kUser).value();
    registry.delete_area("kitchen", kUser).value();
    registry.delete_floor("ground", kUser).value();
    home.save();
    before = home.text();
  }
  RegisteredHome home(clock_, file());
  EXPECT_EQ(before, home.text());
  EXPECT_EQ(1u, home.hub.registry.snapshot()->entities.size());
  EXPECT_EQ(id, home.hub.registry.snapshot()->entities.at("light.first").id);
  EXPECT_TRUE(home.hub.registry.snapshot()->areas.empty());
  home.bring("one");
  EXPECT_EQ("First", home.hub.registry.snapshot()->entities.at("light.first").name);
}

TEST_F(RegistryStoreTest, StoresTwoEntitiesThatSwappedIds) {
  fill();
  std::string before;
  {
    RegisteredHome home(clock_, file());
    const auto rename = [&](const char* from, const char* to) {
      home.hub.registry.update_entity(from, {.new_entity_id = to}, kUser).value();
    };
    rename("light.one", "light.between");
    rename("light.two", "light.one");
    rename("light.between", "light.two");
    home.save();
    before = home.text();
  }
  EXPECT_EQ(before, RegisteredHome(clock_, file()).text());
}

TEST_F(RegistryStoreTest, RetriesWhatCouldNotBeWritten) {
  auto other = storage::Database::open(file()).value();
  std::string before;
  {
    RegisteredHome home(clock_, file());
    home.bring("one");
    other.execute("ALTER TABLE registry RENAME TO away").value();
    EXPECT_FALSE(home.store->commit());
    home.bring("two");
    EXPECT_FALSE(home.store->commit());
    other.execute("ALTER TABLE away RENAME TO registry").value();
    home.save();
    before = home.text();
  }
  EXPECT_EQ(before, RegisteredHome(clock_, file()).text());
}

TEST_F(RegistryStoreTest, SkipsRowsThatMakeNoEntry) {
  fill();
  auto other = storage::Database::open(file()).value();
  other.execute("UPDATE registry SET entry = '{' WHERE kind = 'floor'").value();
  other.execute("UPDATE registry SET entry = '[]' WHERE kind = 'area'").value();
  other.execute("INSERT INTO registry VALUES('thing', 'a', '{}')").value();
  other.execute("INSERT INTO registry SELECT kind, 'twice', entry FROM registry WHERE kind = 'entity' LIMIT 1").value();
  RegisteredHome home(clock_, file());
  const auto data = home.hub.registry.snapshot();
  EXPECT_TRUE(data->floors.empty());
  EXPECT_TRUE(data->areas.empty());
  EXPECT_EQ(1u, data->devices.size());
  EXPECT_EQ(2u, data->entities.size());
  EXPECT_EQ(3u, data->items.size());  // one is the label "warm"
}

TEST_F(RegistryStoreTest, WritesWhatIsLeftWhenItStops) {
  {
    core::Hub hub(clock_);
    const auto store = RegistryStore::open(file(), hub.registry, hub.bus, 24h).value();
    store->restore().value();
    store->listen();
    store->start();
    hub.bus.start();
    hub.registry.ensure_area("Kitchen");
    hub.bus.stop();
    store->stop();
  }
  EXPECT_EQ(1u, RegisteredHome(clock_, file()).hub.registry.snapshot()->areas.size());
}

TEST_F(RegistryStoreTest, WritesAtOnceWhenAsked) {
  core::Hub hub(clock_);
  const auto store = RegistryStore::open(file(), hub.registry, hub.bus, 24h).value();
  store->listen();
  store->start();
  for (const std::string name : {"Hall", "Attic"}) {
    hub.registry.ensure_area(name);
    EXPECT_TRUE(store->flush());
    EXPECT_NE(std::string::npos, RegisteredHome(clock_, file()).text().find(name));
  }
  EXPECT_TRUE(store->flush());  // nothing is left
  storage::Database::open(file())
      .value()
      .execute("CREATE TRIGGER refuse BEFORE INSERT ON registry BEGIN SELECT RAISE(ABORT, 'no room'); END")
      .value();
  hub.registry.ensure_area("Cellar");
  const auto failed = store->flush();
  ASSERT_FALSE(failed);
  EXPECT_NE(std::string::npos, failed.error().message.find("no room"));
}

TEST_F(RegistryStoreTest, WritesSoonByItself) {
  core::Hub hub(clock_);
  const auto store = RegistryStore::open(file(), hub.registry, hub.bus, 1ms).value();
  store->restore().value();
  store->listen();
  store->start();
  hub.bus.start();
  hub.registry.ensure_area("Kitchen");
  auto other = storage::Database::open(file()).value();
  auto count = other.prepare("SELECT count(*) FROM registry").value();
  const auto deadline = std::chrono::steady_clock::now() + 10s;
  std::int64_t rows = 0;
  while (rows == 0 && std::chrono::steady_clock::now() < deadline) {
    count.restart();
    ASSERT_TRUE(count.step().value());
    rows = count.integer(0);
  }
  EXPECT_EQ(1, rows);
  hub.bus.stop();
}

}  // namespace
}  // namespace hearth::recorder
