// SPDX-License-Identifier: Apache-2.0
#include "core/state_table.h"

#include <gtest/gtest.h>

#include <set>

namespace hearth::core {
namespace {

StatePtr state(const std::string& id, std::string_view value) {
  return State::create(*EntityId::parse(id), value, "{}", {}, Context{"A", {}, {}});
}

std::string id_of(int i) {
  return "sensor.number_" + std::to_string(i);
}

std::shared_ptr<const StateTable> table_of(int count) {
  auto table = std::make_shared<const StateTable>();
  for (int i = 0; i < count; ++i) table = table->with(state(id_of(i), std::to_string(i)), i + 1);
  return table;
}

std::vector<std::string> ids_in(const StateTable& table) {
  std::vector<std::string> ids;
  table.for_each([&](const StatePtr& each) { ids.emplace_back(each->entity_id()); });
  return ids;
}

TEST(StateTable, IsEmptyAtFirst) {
  const StateTable table;
  EXPECT_EQ(table.size(), 0u);
  EXPECT_EQ(table.sequence(), 0u);
  EXPECT_FALSE(table.find("sensor.a"));
  EXPECT_TRUE(ids_in(table).empty());
}

TEST(StateTable, FindsEachOfTenThousand) {
  const auto table = table_of(10'000);
  EXPECT_EQ(table->size(), 10'000u);
  EXPECT_EQ(table->sequence(), 10'000u);
  for (int i = 0; i < 10'000; ++i) {
    const auto found = table->find(id_of(i));
    ASSERT_TRUE(found);
    ASSERT_EQ(found->value(), std::to_string(i));
  }
  EXPECT_FALSE(table->find("sensor.number_10000"));
}

TEST(StateTable, VisitsEachOnceInAnOrderThatStays) {
  const auto table = table_of(10'000);
  const auto order = ids_in(*table);
  EXPECT_EQ(std::set<std::string>(order.begin(), order.end()).size(), 10'000u);
  EXPECT_EQ(order.size(), 10'000u);
  EXPECT_EQ(ids_in(*table->with(state(id_of(7), "new"), 10'001)), order);
}

TEST(StateTable, VisitsTheSameByBuckets) {
  const auto table = table_of(10'000);
  std::vector<std::string> ids;
  for (std::size_t part = 0; part < StateTable::kParts; ++part) {
    table->for_each_in_part(part, [&](const StatePtr& each) { ids.emplace_back(each->entity_id()); });
  }
  EXPECT_EQ(ids, ids_in(*table));
}

TEST(StateTable, ReplacesTheFormerStateOfAnEntity) {
  const auto table = table_of(3)->with(state(id_of(1), "new"), 9);
  EXPECT_EQ(table->size(), 3u);
  EXPECT_EQ(table->sequence(), 9u);
  EXPECT_EQ(table->find(id_of(1))->value(), "new");
}

TEST(StateTable, TakesAStateOut) {
  auto table = table_of(10'000);
  for (int i = 0; i < 10'000; i += 2) table = table->without(id_of(i), 20'000);
  EXPECT_EQ(table->size(), 5'000u);
  EXPECT_EQ(table->sequence(), 20'000u);
  for (int i = 0; i < 10'000; ++i) ASSERT_EQ(static_cast<bool>(table->find(id_of(i))), i % 2 == 1) << i;
  for (int i = 1; i < 10'000; i += 2) table = table->without(id_of(i), 20'001);
  EXPECT_EQ(table->size(), 0u);
  EXPECT_TRUE(ids_in(*table).empty());
}

TEST(StateTable, StaysAsItIsWhereThereIsNothingToTakeOut) {
  EXPECT_EQ(table_of(100)->without("sensor.none", 101)->size(), 100u);
  EXPECT_EQ(StateTable().without("sensor.none", 1)->size(), 0u);
}

TEST(StateTable, TakesManyStatesInOneGo) {
  std::vector<StatePtr> added;
  for (int i = 500; i < 20'000; ++i) added.push_back(state(id_of(i), "restored"));
  added.push_back(state(id_of(600), "second"));
  const auto old = table_of(1'000);
  const auto table = old->with_missing(added);
  EXPECT_EQ(table->size(), 20'000u);
  EXPECT_EQ(table->sequence(), 1'000u);
  for (int i = 0; i < 20'000; ++i) {
    const auto found = table->find(id_of(i));
    ASSERT_TRUE(found) << i;
    ASSERT_EQ(found->value(), i < 1'000 ? std::to_string(i) : "restored");
  }
  EXPECT_EQ(ids_in(*table).size(), 20'000u);
  EXPECT_EQ(old->size(), 1'000u);
  EXPECT_EQ(table->without(id_of(700), 1'001)->with(state(id_of(800), "new"), 1'002)->size(), 19'999u);
}

TEST(StateTable, LeavesOldVersionsUnchanged) {
  const auto old = table_of(1'000);
  const auto order = ids_in(*old);
  auto next = old;
  for (int i = 0; i < 1'000; ++i) next = next->with(state(id_of(i), "new"), 2'000);
  for (int i = 1'000; i < 2'000; ++i) next = next->with(state(id_of(i), "added"), 3'000);
  for (int i = 0; i < 500; ++i) next = next->without(id_of(i), 4'000);
  EXPECT_EQ(old->size(), 1'000u);
  EXPECT_EQ(old->sequence(), 1'000u);
  EXPECT_EQ(ids_in(*old), order);
  for (int i = 0; i < 1'000; ++i) ASSERT_EQ(old->find(id_of(i))->value(), std::to_string(i));
}

}  // namespace
}  // namespace hearth::core
