// SPDX-License-Identifier: Apache-2.0
#include "domains/helpers/kept_items_helper.h"

#include "core/registry/collection_type.h"
#include "domains/test_home.h"

namespace hearth::domains {
namespace {

const core::Context kPersonContext{"C", {}, "user"};

struct KeptItemsTest : testing::Test {
  KeptItemsTest() {
    home.hub.bus.fire(core::event_type::kPlatformStart, "{}", core::Origin::local, kPersonContext);
    home.hub.bus.run_pending();
  }
  void make(const std::string& collection, const std::string& id, json::object fields) {
    const core::CollectionType& type = *core::find_collection_type(collection);
    home.hub.registry.create_item(collection, id, type.fields_of(fields).value(), kPersonContext).value();
    home.hub.bus.run_pending();
  }
  std::string registry_id(std::string_view entity_id) const {
    return home.hub.registry.snapshot()->entities.find(entity_id)->id;
  }
  std::size_t count(const std::string& collection) const {
    return home.hub.registry.snapshot()->items_of(collection).size();
  }

  TestHome home;
};

TEST_F(KeptItemsTest, AToDoListIsAnEntityWithItems) {
  make("local_todo", "chores", {{"name", "Chores"}, {"icon", "mdi:broom"}});
  EXPECT_EQ(home.value("todo.chores"), "0");
  EXPECT_EQ(home.attribute("todo.chores", "friendly_name"), R"("Chores")");
  EXPECT_EQ(home.attribute("todo.chores", "icon"), R"("mdi:broom")");
  EXPECT_EQ(home.attribute("todo.chores", "supported_features"), "127");
  EXPECT_EQ(home.call("todo.add_item", R"({"entity_id":"todo.chores","item":"Sweep"})"), "todo.chores 1");
  EXPECT_TRUE(home.call("todo.remove_item", R"({"entity_id":"todo.chores","item":"Dust"})").starts_with("invalid"));
  const auto registry = home.hub.registry.snapshot();
  const core::RegisteredEntity* const entity = registry->find_entity("local_todo", "todo", "chores");
  ASSERT_TRUE(entity);
  EXPECT_EQ(entity->entity_id, "todo.chores");

  home.hub.registry.update_item("local_todo", "chores", {{"name", "Duties"}}, {}, kPersonContext).value();
  home.hub.bus.run_pending();
  EXPECT_EQ(home.attribute("todo.chores", "friendly_name"), R"("Duties")");
  EXPECT_EQ(home.value("todo.chores"), "1");
}

TEST_F(KeptItemsTest, ACalendarIsAnEntityWithEvents) {
  make("local_calendar", "family", {{"name", "Family"}});
  EXPECT_EQ(home.value("calendar.family"), "off");
  home.call("calendar.create_event", R"({"entity_id":"calendar.family","summary":"Holiday","in":{"days":0}})");
  EXPECT_EQ(home.value("calendar.family"), "on");
  EXPECT_EQ(home.attribute("calendar.family", "message"), R"("Holiday")");
  home.advance(std::chrono::hours(24), std::chrono::hours(1));
  EXPECT_EQ(home.value("calendar.family"), "off");
}

TEST_F(KeptItemsTest, ItemsGoWithTheirList) {
  make("local_todo", "chores", {{"name", "Chores"}});
  home.call("todo.add_item", R"({"entity_id":"todo.chores","item":"Sweep"})");
  const std::string items = core::collection_of("todo", registry_id("todo.chores"));
  EXPECT_EQ(count(items), 1);
  home.hub.registry.delete_items("local_todo", std::vector<std::string>{"chores"}, kPersonContext).value();
  home.hub.bus.run_pending();
  EXPECT_EQ(home.value("todo.chores"), "");
  EXPECT_EQ(count(items), 0);
  make("local_todo", "chores", {{"name", "Chores"}});
  EXPECT_EQ(home.value("todo.chores"), "0");
}

TEST_F(KeptItemsTest, WhatIsThereComesBackWithTheHome) {
  // The last run has left the list, its entity, and its items.
  TestHome next;
  core::RegisteredEntity entity;
  entity.integration = "local_todo";
  entity.unique_id = "chores";
  const auto entity_id = *core::EntityId::parse("todo.duties");
  const std::string id = next.hub.registry.put_entity(entity_id, std::move(entity)).value().id;
  next.hub.registry.create_item("local_todo", "chores", {{"name", "Chores"}}, kPersonContext).value();
  next.hub.registry
      .create_item(core::collection_of("todo", id), "1", {{"summary", "Sweep"}, {"status", "needs_action"}},
                   kPersonContext)
      .value();
  next.hub.bus.fire(core::event_type::kPlatformStart, "{}", core::Origin::local, kPersonContext);
  next.hub.bus.run_pending();
  EXPECT_EQ(next.value("todo.duties"), "1");
}

}  // namespace
}  // namespace hearth::domains
