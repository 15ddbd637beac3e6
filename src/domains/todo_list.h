// SPDX-License-Identifier: Apache-2.0
// A to-do list that the hub keeps itself, in memory: the device behind a `todo` entity that has no other. Bus thread
// only.
#pragma once

#include <string>
#include <vector>

#include "domains/thing.h"

namespace hearth::domains {

class TodoList final : public ThingDevice {
 public:
  static constexpr std::size_t kMaxItems = 1'000, kMaxTextBytes = 4'096;
  static constexpr const char* kFeatures =
      "create_item delete_item update_item set_due_date set_due_datetime set_description";

  explicit TodoList(const std::vector<std::string>& first = {});
  // Set once it is in the home.
  void attach(Thing& thing) { thing_ = &thing; }

  // {"items": [{"uid", "summary", "status"} and "due", "description" if it has them]}.
  base::Result<json::object> answer(const Action& action, const json::object& data) override;
  void act(const Action& action, const json::object& data) override;
  base::Result<void> check(const Action& action, const json::object& data) const override;

  std::int64_t open_items() const;

 private:
  struct Item {
    std::string uid, summary;
    bool completed = false;
    std::string due = {}, description = {};  // empty if it has none
  };

  // By uid, otherwise the first with that text.
  std::vector<Item>::const_iterator find(std::string_view name) const;
  void update(Item& item, const json::object& data) const;

  std::vector<Item> items_;
  Thing* thing_ = nullptr;
};

}  // namespace hearth::domains
