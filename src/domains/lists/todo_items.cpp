// SPDX-License-Identifier: Apache-2.0
#include "domains/lists/todo_items.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace hearth::domains::todo {
namespace {

// Of an item that was moved, and of those that were added since; of others it is their position.
constexpr std::string_view kPlace = "place";

double place_of(const core::Item& item) {
  const json::value* const place = item.fields.if_contains(kPlace);
  return place && place->is_number() ? place->to_number<double>() : item.position;
}

json::object at(const core::Item& item, double place) {
  json::object fields = item.fields;
  fields[kPlace] = place;
  return fields;
}

}  // namespace

Items in_order(Items items) {
  const auto key = [](const core::Item* item) {
    return std::tuple<double, int, std::string_view>(place_of(*item), item->position, item->id);
  };
  std::ranges::sort(items, {}, key);
  return items;
}

json::object shown(const core::Item& item) {
  json::object made{{"uid", item.id}};
  for (const auto& [key, value] : item.fields) {
    if (value != "" && key != kPlace) made[key] = value;
  }
  return made;
}

json::object last_of(const Items& items, json::object fields) {
  const bool placed = std::ranges::any_of(items, [](const core::Item* item) { return item->fields.contains(kPlace); });
  if (placed) fields[kPlace] = std::floor(place_of(*items.back())) + 1;
  return fields;
}

std::vector<std::pair<std::string, json::object>> moved(const Items& items, const core::Item& item,
                                                        const core::Item* previous) {
  Items order;
  for (const core::Item* const each : items) {
    if (each->id != item.id) order.push_back(each);
  }
  const auto before = previous ? std::ranges::find(order, previous->id, &core::Item::id) : order.end();
  const auto place = before == order.end() ? order.begin() : std::next(before);
  order.insert(place, &item);
  if (std::ranges::equal(order, items, {}, &core::Item::id, &core::Item::id)) return {};

  const auto index = static_cast<std::size_t>(std::ranges::find(order, item.id, &core::Item::id) - order.begin());
  // Below the place of the next new item, which is the next whole number.
  const double low = index == 0 ? place_of(*order[1]) - 1 : place_of(*order[index - 1]);
  const double high = index + 1 < order.size() ? place_of(*order[index + 1]) : std::floor(low) + 1;
  const double middle = low + (high - low) / 2;
  if (middle > low && middle < high) return {{item.id, at(item, middle)}};
  // There is no room between them: all get whole numbers, up to the greatest there was.
  std::vector<std::pair<std::string, json::object>> all;
  const double first = place_of(*items.back()) - static_cast<double>(items.size()) + 1;
  for (std::size_t i = 0; i < order.size(); ++i)
    all.emplace_back(order[i]->id, at(*order[i], std::floor(first) + static_cast<double>(i)));
  return all;
}

}  // namespace hearth::domains::todo
