// SPDX-License-Identifier: Apache-2.0
#include "domains/todo_list.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/random_id.h"
#include "base/utf8.h"

namespace hearth::domains {
namespace {

constexpr std::string_view kOpen = "needs_action", kCompleted = "completed";

std::string_view text_of(const json::object& data, std::string_view key) {
  const json::value* const found = data.if_contains(key);
  return found && found->is_string() ? std::string_view(found->get_string()) : std::string_view();
}

}  // namespace

TodoList::TodoList(const std::vector<std::string>& first) {
  for (const std::string& summary : first) items_.push_back({.uid = base::make_random_id(), .summary = summary});
}

std::vector<TodoList::Item>::const_iterator TodoList::find(std::string_view name) const {
  const auto found = std::ranges::find(items_, name, &Item::uid);
  return found != items_.end() ? found : std::ranges::find(items_, name, &Item::summary);
}

std::int64_t TodoList::open_items() const {
  return std::ranges::count(items_, false, &Item::completed);
}

base::Result<void> TodoList::check(const Action& action, const json::object& data) const {
  using base::ErrorCode;
  for (const std::string_view key : {"item", "rename", "description"}) {
    const std::string_view text = text_of(data, key);
    if (text.size() > kMaxTextBytes)
      return base::fail(ErrorCode::invalid, fmt::format("{}: expected at most {} bytes.", key, kMaxTextBytes));
    if (data.contains(key) && data.at(key).is_string() && text.empty() && key != "description")
      return base::fail(ErrorCode::invalid, fmt::format("{}: expected a text that is not empty.", key));
  }
  const auto known = [this](std::string_view name) -> base::Result<void> {
    if (find(name) != items_.end()) return {};
    return base::fail(ErrorCode::invalid, fmt::format("item: there is no {}.", base::utf8_excerpt(name)));
  };
  if (action.service == "add_item" && items_.size() >= kMaxItems)
    return base::fail(ErrorCode::invalid, fmt::format("A list has at most {} items.", kMaxItems));
  if (action.service == "update_item") return known(text_of(data, "item"));
  if (action.service == "remove_item") {
    for (const json::value& name : data.at("item").as_array()) {
      if (auto done = known(name.get_string()); !done) return done;
    }
  }
  if (action.service == "get_items" && data.contains("status")) {
    for (const json::value& each : data.at("status").as_array()) {
      const std::string_view status = each.get_string();
      if (status != kOpen && status != kCompleted) {
        return base::fail(ErrorCode::invalid, fmt::format("status: expected {} or {}, got {}.", kOpen, kCompleted,
                                                          base::utf8_excerpt(status)));
      }
    }
  }
  return {};
}

void TodoList::update(Item& item, const json::object& data) const {
  if (const auto name = text_of(data, "rename"); !name.empty()) item.summary = name;
  if (const auto status = text_of(data, "status"); !status.empty()) item.completed = status == kCompleted;
  for (const std::string_view due : {"due_date", "due_datetime"}) {
    if (data.contains(due)) item.due = text_of(data, due);
  }
  if (data.contains("description")) item.description = text_of(data, "description");
}

void TodoList::act(const Action& action, const json::object& data) {
  if (action.service == "add_item") {
    items_.push_back({.uid = base::make_random_id(), .summary = std::string(text_of(data, "item"))});
    update(items_.back(), data);
  } else if (action.service == "update_item") {
    const auto found = find(text_of(data, "item"));
    if (found != items_.end()) update(items_[static_cast<std::size_t>(found - items_.begin())], data);
  } else if (action.service == "remove_item") {
    for (const json::value& name : data.at("item").as_array()) {
      if (const auto found = find(name.get_string()); found != items_.end()) items_.erase(found);
    }
  } else if (action.service == "remove_completed_items") {
    std::erase_if(items_, [](const Item& item) { return item.completed; });
  }
  if (thing_) thing_->report({.value = open_items()});
}

base::Result<json::object> TodoList::answer(const Action&, const json::object& data) {
  json::array items;
  const json::value* const wanted = data.if_contains("status");
  for (const Item& item : items_) {
    const std::string_view status = item.completed ? kCompleted : kOpen;
    if (wanted && std::ranges::find(wanted->get_array(), json::value(status)) == wanted->get_array().end()) continue;
    json::object made{{"uid", item.uid}, {"summary", item.summary}, {"status", status}};
    if (!item.due.empty()) made["due"] = item.due;
    if (!item.description.empty()) made["description"] = item.description;
    items.push_back(std::move(made));
  }
  return json::object{{"items", std::move(items)}};
}

}  // namespace hearth::domains
