// SPDX-License-Identifier: Apache-2.0
#include "domains/todo_list.h"

#include "domains/kinds.h"
#include "domains/test_home.h"

namespace hearth::domains {
namespace {

class TodoListTest : public testing::Test {
 protected:
  TodoListTest() {
    Thing& thing = home_.add(
        std::make_unique<Thing>(kTodo, test_entity("list"), Abilities{.features = TodoList::kFeatures}, &list_));
    list_.attach(thing);
    thing.report({.value = list_.open_items()});
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
      if (item.as_object().contains("due")) text += " by " + std::string(item.at("due").as_string());
    }
    return text;
  }
  std::string uid(std::size_t index) {
    const auto asked = home_.begin("todo.get_items", R"({"entity_id":"todo.list"})");
    return std::string((*asked->outcome)->response.at("todo.list").at("items").as_array()[index].at("uid").as_string());
  }

  TodoList list_{{"Bread", "Milk"}};
  TestHome home_;
};

TEST_F(TodoListTest, CountsWhatIsLeft) {
  EXPECT_EQ(home_.value("todo.list"), "2");
  EXPECT_EQ(call("add_item", {{"item", "Tea"}, {"due_date", "2026-12-01"}}), "todo.list 3");
  EXPECT_EQ(call("update_item", {{"item", "Milk"}, {"status", "completed"}}), "todo.list 2");
  EXPECT_EQ(items(), "Bread needs_action, Milk completed, Tea needs_action by 2026-12-01");
  EXPECT_EQ(items({{"status", "completed"}}), "Milk completed");
  call("remove_completed_items");
  EXPECT_EQ(items(), "Bread needs_action, Tea needs_action by 2026-12-01");
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

TEST_F(TodoListTest, HasAnEnd) {
  for (std::size_t i = 2; i < TodoList::kMaxItems; ++i) call("add_item", {{"item", "more"}});
  EXPECT_EQ(home_.value("todo.list"), "1000");
  EXPECT_EQ(call("add_item", {{"item", "more"}}), "invalid: A list has at most 1000 items.");
}

}  // namespace
}  // namespace hearth::domains
