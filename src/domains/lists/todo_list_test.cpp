// SPDX-License-Identifier: Apache-2.0
#include "domains/lists/todo_list.h"

#include "domains/entities/kinds.h"
#include "domains/test_home.h"

namespace hearth::domains {
namespace {

class TodoListTest : public testing::Test {
 protected:
  TodoListTest() {
    list_.attach(home_.add(std::make_unique<Thing>(kTodo, test_entity("list"),
                                                   Abilities{.features = TodoList::kFeatures}, &list_)),
                 {"Bread", "Milk"});
  }
  std::string call(std::string_view service, json::object data = {}) {
    data["entity_id"] = "todo.list";
    return home_.call("todo." + std::string(service), base::to_json(data));
  }
  // "Bread needs_action, Milk completed".
  std::string items(json::object data = {}) {
    data["entity_id"] = "todo.list";
    const auto asked = home_.begin("todo.get_items", base::to_json(data));
    if (!asked->outcome || !*asked->outcome) return asked->text();
    std::string text;
    for (const json::value& item : (*asked->outcome)->response.at("todo.list").at("items").as_array()) {
      text += (text.empty() ? "" : ", ") + std::string(item.at("summary").as_string()) + ' ' +
              std::string(item.at("status").as_string());
      for (const auto& [key, value] : item.as_object()) {
        if (key == "due" || key == "description") text += ' ' + std::string(key) + ' ' + std::string(value.as_string());
      }
    }
    return text;
  }
  std::string uid(std::size_t index) {
    const auto asked = home_.begin("todo.get_items", R"({"entity_id":"todo.list"})");
    return std::string((*asked->outcome)->response.at("todo.list").at("items").as_array()[index].at("uid").as_string());
  }

  TestHome home_;
  TodoList list_{home_.hub.registry};
};

TEST_F(TodoListTest, CountsWhatIsLeft) {
  EXPECT_EQ(home_.value("todo.list"), "2");
  EXPECT_EQ(call("add_item", {{"item", "Tea"}, {"due_date", "2026-12-01"}}), "todo.list 3");
  EXPECT_EQ(call("update_item", {{"item", "Milk"}, {"status", "completed"}}), "todo.list 2");
  EXPECT_EQ(items(), "Bread needs_action, Milk completed, Tea needs_action due 2026-12-01");
  EXPECT_EQ(items({{"status", "completed"}}), "Milk completed");
  call("remove_completed_items");
  EXPECT_EQ(items(), "Bread needs_action, Tea needs_action due 2026-12-01");
}

TEST_F(TodoListTest, FindsItemsByUidOrText) {
  call("update_item", {{"item", uid(1)}, {"rename", "Oat milk"}});
  EXPECT_EQ(items(), "Bread needs_action, Oat milk needs_action");
  EXPECT_EQ(call("remove_item", {{"item", {"Bread", uid(1)}}}), "todo.list 0");
  EXPECT_EQ(items(), "");
}

TEST_F(TodoListTest, RefusesWhatCannotBeAndChangesNothing) {
  EXPECT_EQ(call("update_item", {{"item", "Butter"}, {"status", "completed"}}), "invalid: item: there is no Butter.");
  EXPECT_EQ(call("remove_item", {{"item", {"Bread", "Butter"}}}), "invalid: item: there is no Butter.");
  EXPECT_EQ(call("add_item", {{"item", ""}}), "invalid: item: expected a text that is not empty.");
  EXPECT_EQ(call("add_item", {{"item", std::string(TodoList::kMaxTextBytes + 1, 'x')}}),
            "invalid: item: expected at most 4096 bytes.");
  EXPECT_TRUE(items({{"status", "perhaps"}}).starts_with("invalid: status: expected needs_action or completed"));
  EXPECT_EQ(items(), "Bread needs_action, Milk needs_action");
}

TEST_F(TodoListTest, KeepsWhatACallDoesNotName) {
  call("update_item", {{"item", "Bread"}, {"due_datetime", "2026-12-01T18:00:00+01:00"}, {"description", "rye"}});
  call("update_item", {{"item", "Bread"}, {"status", "completed"}});
  EXPECT_EQ(items({{"status", "completed"}}), "Bread completed due 2026-12-01T18:00:00+01:00 description rye");
  EXPECT_TRUE(call("update_item", {{"item", "Bread"}, {"due_date", "2026-12-01"}, {"due_datetime", "2026-12-01 18:00"}})
                  .starts_with("invalid: due_date, due_datetime: only one"));
  call("update_item", {{"item", "Bread"}, {"due_date", "2026-12-24"}, {"description", ""}});
  EXPECT_EQ(items({{"status", "completed"}}), "Bread completed due 2026-12-24");
  for (const char* const key : {"rename", "description"}) {
    EXPECT_EQ(call("update_item", {{"item", "Bread"}, {key, std::string(TodoList::kMaxTextBytes + 1, 'x')}}),
              std::string("invalid: ") + key + ": expected at most 4096 bytes.");
  }
}

TEST_F(TodoListTest, MovesItems) {
  const auto order = [this] {
    std::string text = items(), letters;
    for (std::size_t at = 0; at < text.size();
         at = text.find(", ", at) == std::string::npos ? text.size() : text.find(", ", at) + 2)
      letters += text[at];
    return letters;
  };
  for (const char* const name : {"Tea", "Salt"}) call("add_item", {{"item", name}});
  EXPECT_EQ(order(), "BMTS");
  EXPECT_EQ(call("move_item", {{"item", "Salt"}}), "");
  EXPECT_EQ(order(), "SBMT");
  call("move_item", {{"item", "Salt"}, {"previous", "Bread"}});
  EXPECT_EQ(order(), "BSMT");
  call("move_item", {{"item", uid(0)}, {"previous", uid(3)}});
  EXPECT_EQ(order(), "SMTB");
  call("add_item", {{"item", "Oil"}});
  EXPECT_EQ(order(), "SMTBO");
  call("remove_item", {{"item", {"Oil"}}});
  call("add_item", {{"item", "Nuts"}});
  EXPECT_EQ(order(), "SMTBN");
  call("update_item", {{"item", "Milk"}, {"status", "completed"}});
  call("remove_completed_items");
  EXPECT_EQ(order(), "STBN");
}

TEST_F(TodoListTest, MovesItemsAsOftenAsOneLikes) {
  call("add_item", {{"item", "Tea"}});
  for (int i = 0; i < 200; ++i) call("move_item", {{"item", uid(0)}, {"previous", uid(2)}});
  EXPECT_EQ(items(), "Tea needs_action, Bread needs_action, Milk needs_action");
  for (int i = 0; i < 201; ++i) call("move_item", {{"item", uid(1)}, {"previous", uid(2)}});
  EXPECT_EQ(items(), "Tea needs_action, Milk needs_action, Bread needs_action");
  for (int i = 0; i < 200; ++i) call("move_item", {{"item", uid(2)}});
  EXPECT_EQ(items(), "Milk needs_action, Bread needs_action, Tea needs_action");
  call("add_item", {{"item", "Oil"}});
  EXPECT_TRUE(items().ends_with("Oil needs_action"));
}

TEST_F(TodoListTest, MovesNothingWhereItCannot) {
  EXPECT_EQ(call("move_item", {{"item", "Butter"}}), "invalid: item: there is no Butter.");
  EXPECT_EQ(call("move_item", {{"item", "Milk"}, {"previous", "Butter"}}),
            "invalid: previous: expected another item of the list, got Butter.");
  EXPECT_EQ(call("move_item", {{"item", "Milk"}, {"previous", "Milk"}}),
            "invalid: previous: expected another item of the list, got Milk.");
  EXPECT_EQ(items(), "Bread needs_action, Milk needs_action");
}

TEST_F(TodoListTest, RemovesAnItemNamedTwiceOnce) {
  EXPECT_EQ(call("remove_item", {{"item", {"Bread", uid(0)}}}), "todo.list 1");
  EXPECT_EQ(items(), "Milk needs_action");
}

TEST_F(TodoListTest, HasBounds) {
  for (std::size_t i = 2; i < core::kMaxItems; ++i) call("add_item", {{"item", "more"}});
  EXPECT_EQ(home_.value("todo.list"), "1000");
  EXPECT_EQ(call("add_item", {{"item", "more"}}), "invalid: There are at most 1000 of them.");
  std::string said;
  const auto registry = home_.hub.registry.snapshot();
  for (const auto& [key, item] : registry->items) {
    if (said.starts_with("invalid")) break;
    said = call("update_item", {{"item", item.id},
                                {"rename", std::string(TodoList::kMaxTextBytes, 'x')},
                                {"description", std::string(TodoList::kMaxTextBytes, 'y')}});
  }
  EXPECT_EQ(said, "invalid: All of them together have at most 1024 KiB.");
}

}  // namespace
}  // namespace hearth::domains
