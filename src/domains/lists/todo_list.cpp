// SPDX-License-Identifier: Apache-2.0
#include "domains/lists/todo_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/json/json_fields.h"
#include "base/text/utf8.h"

namespace hearth::domains {
namespace {

using base::ErrorCode;
using core::Item;

// The fields of an item.
constexpr std::string_view kSummary = "summary", kStatus = "status", kDue = "due", kDescription = "description";
constexpr std::string_view kOpen = "needs_action", kCompleted = "completed";

bool completed(const Item& item) {
  return base::text_view_at(item.fields, kStatus) == kCompleted;
}

// By uid, otherwise the first with that text; null if absent.
const Item* find(const EntityItems::List& list, std::string_view name) {
  const auto& items = list.items;
  auto found = std::ranges::find(items, name, &Item::id);
  if (found == items.end())
    found = std::ranges::find(items, name, [](const Item* item) { return base::text_view_at(item->fields, kSummary); });
  return found == items.end() ? nullptr : *found;
}

// With what the call sets.
json::object changed_todo(json::object fields, const json::object& data) {
  const auto copy = [&](std::string_view key, std::string_view as) {
    if (const json::value* const value = data.if_contains(key)) fields[as] = *value;
  };
  copy("rename", kSummary);
  copy("status", kStatus);
  copy("due_date", kDue);
  copy("due_datetime", kDue);
  copy("description", kDescription);
  return fields;
}

json::object added(const json::object& data) {
  return changed_todo({{kSummary, base::text_view_at(data, "item")}, {kStatus, kOpen}}, data);
}

base::Result<void> check_text(std::string_view key, const json::object& data) {
  const json::value* const value = data.if_contains(key);
  const std::string_view text = base::text_view_at(data, key);
  if (text.size() > TodoList::kMaxTextBytes)
    return base::fail(ErrorCode::invalid, fmt::format("{}: expected at most {} bytes.", key, TodoList::kMaxTextBytes));
  if (value && value->is_string() && text.empty() && key != kDescription)
    return base::fail(ErrorCode::invalid, fmt::format("{}: expected a text that is not empty.", key));
  return {};
}

base::Result<void> check_statuses(const json::array& statuses) {
  for (const json::value& each : statuses) {
    const std::string_view status = each.get_string();
    if (status == kOpen || status == kCompleted) continue;
    return base::fail(ErrorCode::invalid,
                      fmt::format("status: expected {} or {}, got {}.", kOpen, kCompleted, base::utf8_excerpt(status)));
  }
  return {};
}

}  // namespace

void TodoList::attach(Thing& thing, const std::vector<std::string>& first) {
  items_.attach(thing);
  for (const std::string& summary : first) items_.add(todo::last_of(list().items, added({{"item", summary}})));
  report();
}

EntityItems::List TodoList::list() const {
  EntityItems::List list = items_.list();
  list.items = todo::in_order(std::move(list.items));
  return list;
}

void TodoList::report() {
  const EntityItems::List list = items_.list();
  const auto open = std::ranges::count_if(list.items, [](const Item* item) { return !completed(*item); });
  items_.thing()->report({.value = std::int64_t{open}});
}

base::Result<void> TodoList::check(const Action& action, const json::object& data) const {
  for (const std::string_view key : {"item", "rename", "description"}) {
    if (auto good = check_text(key, data); !good) return good;
  }
  if (action.service == "get_items" && data.contains("status")) return check_statuses(data.at("status").get_array());
  const EntityItems::List list = this->list();
  if (action.service == "add_item") return items_.fits(todo::last_of(list.items, added(data)));
  const auto unknown = [](std::string_view name) {
    return base::fail(ErrorCode::invalid, fmt::format("item: there is no {}.", base::utf8_excerpt(name)));
  };
  if (action.service == "update_item") {
    const std::string_view name = base::text_view_at(data, "item");
    const Item* const item = find(list, name);
    if (!item) return unknown(name);
    return items_.fits(changed_todo(item->fields, data), item->id);
  }
  if (action.service == "remove_item") {
    for (const json::value& name : data.at("item").get_array()) {
      if (!find(list, name.get_string())) return unknown(name.get_string());
    }
  }
  if (action.service == "move_item") {
    const std::string_view name = base::text_view_at(data, "item"), previous = base::text_view_at(data, "previous");
    const Item* const item = find(list, name);
    if (!item) return unknown(name);
    const Item* const before = data.contains("previous") ? find(list, previous) : nullptr;
    if (data.contains("previous") && (!before || before == item)) {
      return base::fail(ErrorCode::invalid, fmt::format("previous: expected another item of the list, got {}.",
                                                        base::utf8_excerpt(previous)));
    }
    for (const auto& [id, fields] : todo::moved(list.items, *item, before)) {
      if (auto good = items_.fits(fields, id); !good) return good;
    }
  }
  return {};
}

void TodoList::move(const EntityItems::List& list, const json::object& data) {
  const Item* const item = find(list, base::text_view_at(data, "item"));
  if (!item) return;
  const Item* const previous = data.contains("previous") ? find(list, base::text_view_at(data, "previous")) : nullptr;
  for (auto& [id, fields] : todo::moved(list.items, *item, previous)) items_.update(id, std::move(fields));
}

void TodoList::act(const Action& action, const json::object& data) {
  const EntityItems::List list = this->list();
  if (action.service == "add_item") {
    items_.add(todo::last_of(list.items, added(data)));
  } else if (action.service == "move_item") {
    move(list, data);
  } else if (action.service == "update_item") {
    if (const Item* const item = find(list, base::text_view_at(data, "item")))
      items_.update(item->id, changed_todo(item->fields, data));
  } else {
    std::set<std::string> ids;
    if (action.service == "remove_item") {
      for (const json::value& name : data.at("item").get_array()) {
        if (const Item* const item = find(list, name.get_string())) ids.insert(item->id);
      }
    } else {
      for (const Item* const item : list.items) {
        if (completed(*item)) ids.insert(item->id);
      }
    }
    items_.remove(std::vector(ids.begin(), ids.end()));
  }
  report();
}

base::Result<json::object> TodoList::answer(const Action&, const json::object& data) {
  json::array items;
  const json::value* const wanted = data.if_contains("status");
  const EntityItems::List list = this->list();
  for (const Item* const item : list.items) {
    const json::value status(base::text_view_at(item->fields, kStatus));
    if (wanted && std::ranges::find(wanted->get_array(), status) == wanted->get_array().end()) continue;
    items.push_back(todo::shown(*item));
  }
  return json::object{{"items", std::move(items)}};
}

}  // namespace hearth::domains
