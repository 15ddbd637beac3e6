// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/registry/registry.h"

namespace hearth::core {
namespace {

using base::ErrorCode;

const Context kAnn{"C", {}, "user"};

json::object fields(std::string_view name) {
  return {{"name", name}};
}

struct RegistryItemsTest : testing::Test {
  std::vector<std::string> events() {
    bus.run_pending();
    return std::exchange(log, {});
  }
  // "1 Home, 3 Work": revisions and names, in order.
  std::string items(std::string_view collection = "zone") const {
    std::string text;
    const auto data = registry.snapshot();
    for (const Item* const item : data->items_of(collection)) {
      text += (text.empty() ? "" : ", ") + std::to_string(item->revision) + ' ' +
              std::string(item->fields.at("name").as_string());
    }
    return text;
  }
  std::string add(std::string_view name, const std::string& collection = "zone") {
    return registry.create_item(collection, {}, fields(name), kAnn).value().id;
  }

  base::ManualClock clock;
  EventBus bus{clock};
  Registry registry{bus, clock};
  std::vector<std::string> log;
  Subscription updates = bus.listen(event_type::kCollectionUpdated, [this](const Event& event) {
    log.push_back(std::get<std::string>(event.data));
    EXPECT_EQ(event.registry_change->collection, "zone");
  });
};

TEST_F(RegistryItemsTest, KeepsTheOrderOfCreation) {
  const std::string home = add("Home"), work = add("Work");
  add("Bread", "todo.1"), add("School");
  EXPECT_EQ(items(), "1 Home, 1 Work, 1 School");
  registry.update_item("zone", work, fields("Office"), {}, kAnn).value();
  registry.delete_items("zone", std::vector{home}, kAnn).value();
  add("Park");
  EXPECT_EQ(items(), "2 Office, 1 School, 1 Park");
  EXPECT_EQ(items("todo.1"), "1 Bread");
}

TEST_F(RegistryItemsTest, FiresAnEventForEachChange) {
  registry.create_item("zone", "home", fields("Home"), kAnn).value();
  registry.update_item("zone", "home", fields("Home"), {}, kAnn).value();  // changes nothing
  registry.update_item("zone", "home", fields("At home"), {}, kAnn).value();
  registry.delete_items("zone", std::vector<std::string>{"home"}, kAnn).value();
  EXPECT_EQ(events(), (std::vector<std::string>{R"({"action":"create","collection":"zone","item_id":"home"})",
                                                R"({"action":"update","collection":"zone","item_id":"home"})",
                                                R"({"action":"remove","collection":"zone","item_id":"home"})"}));
}

TEST_F(RegistryItemsTest, RefusesAStaleRevision) {
  const std::string id = add("Home");
  registry.update_item("zone", id, fields("First"), 1, kAnn).value();
  const auto late = registry.update_item("zone", id, fields("Second"), 1, kAnn);
  EXPECT_EQ(late.error().code, ErrorCode::conflict);
  EXPECT_EQ(items(), "2 First");
}

TEST_F(RegistryItemsTest, DeletesAllOrNone) {
  const std::string home = add("Home");
  const auto done = registry.delete_items("zone", std::vector<std::string>{home, "nowhere"}, kAnn);
  EXPECT_EQ(done.error().code, ErrorCode::not_found);
  EXPECT_EQ(done.error().message, "There is no nowhere.");
  EXPECT_EQ(registry.update_item("zone", "nowhere", {}, {}, kAnn).error().code, ErrorCode::not_found);
  EXPECT_EQ(registry.create_item("zone", home, fields("Again"), kAnn).error().code, ErrorCode::conflict);
  EXPECT_EQ(items(), "1 Home");
}

TEST_F(RegistryItemsTest, BoundsItemsAndCollections) {
  const std::string large(kMaxItemBytes - 100, 'x');
  EXPECT_EQ(registry.create_item("zone", {}, fields(large + std::string(100, 'x')), kAnn).error().code,
            ErrorCode::invalid);
  base::Result<Item> last;
  std::size_t count = 0;
  for (; count < kMaxItems; ++count) {
    last = registry.create_item("zone", {}, fields(large), kAnn);
    if (!last) break;
  }
  EXPECT_EQ(count, kMaxCollectionBytes / base::to_json(fields(large)).size());
  EXPECT_EQ(last.error().message, "All of them together have at most 1024 KiB.");
  for (count = 0; count < kMaxItems; ++count) add("small", "other");
  EXPECT_EQ(registry.create_item("other", {}, fields("one more"), kAnn).error().message,
            "There are at most 1000 of them.");
}

TEST_F(RegistryItemsTest, LeavesWithItsEntity) {
  updates = {};
  const RegisteredEntity list =
      registry.put_entity(*EntityId::parse("todo.list"), {.unique_id = "1", .integration = "test"}).value();
  add("Bread", collection_of("todo", list.id));
  EXPECT_EQ(items(collection_of("todo", list.id)), "1 Bread");
  registry.forget_entity(list.id);
  EXPECT_EQ(registry.snapshot()->items.size(), 0u);
}

}  // namespace
}  // namespace hearth::core
