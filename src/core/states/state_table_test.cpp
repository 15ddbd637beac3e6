// SPDX-License-Identifier: Apache-2.0
#include "core/states/state_table_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace hearth::core {
namespace {

StatePtr state(const std::string& id, std::string_view value) {
  return State::create(*EntityId::parse(id), value, "{}", {}, Context{"A", {}, {}});
}

std::string id_of(int i) {
  return "sensor.number_" + std::to_string(i);
}

using Table = StateTableWriter::Handle;

struct Tables : StateTableWriter {
  explicit Tables(int count) {
    for (int i = 0; i < count; ++i) put(state(id_of(i), std::to_string(i)), i + 1);
  }
};

std::vector<std::string> ids_in(const StateTable& table) {
  std::vector<std::string> ids;
  table.for_each([&](const State& each) { ids.emplace_back(each.entity_id()); });
  return ids;
}

void collect_all(StateTableWriter& tables) {
  constexpr std::size_t kMaxNodes = 100'000;
  for (std::size_t i = 0; i < kMaxNodes / StateTableWriter::kMaxCollected; ++i) {
    StateTableWriter::Garbage garbage;
    tables.collect(garbage);
  }
}

// Writes further states of one entity; returns all of them, to see which are still alive.
std::vector<std::weak_ptr<const State>> write(StateTableWriter& tables, const std::string& id, int count) {
  std::vector<std::weak_ptr<const State>> written;
  for (int i = 0; i < count; ++i) {
    const StatePtr next = state(id, std::to_string(i));
    tables.put(next, 1);
    written.push_back(next);
  }
  return written;
}

std::ptrdiff_t alive(const std::vector<std::weak_ptr<const State>>& states) {
  return std::count_if(states.begin(), states.end(), [](const auto& each) { return !each.expired(); });
}

TEST(StateTable, IsEmptyAtFirst) {
  const Table table = Tables(0).newest();
  EXPECT_EQ(table->size(), 0u);
  EXPECT_EQ(table->sequence(), 0u);
  EXPECT_FALSE(table->find("sensor.a"));
  EXPECT_TRUE(ids_in(*table).empty());
}

TEST(StateTable, FindsEachOfTenThousand) {
  const Table table = Tables(10'000).newest();
  EXPECT_EQ(table->size(), 10'000u);
  EXPECT_EQ(table->sequence(), 10'000u);
  for (int i = 0; i < 10'000; ++i) {
    const auto found = table->find(id_of(i));
    ASSERT_TRUE(found);
    ASSERT_EQ(found->value(), std::to_string(i));
  }
  EXPECT_FALSE(table->find("sensor.number_10000"));
}

TEST(StateTable, VisitsEachOnceInAStableOrder) {
  Tables tables(10'000);
  const auto order = ids_in(*tables.newest());
  EXPECT_EQ(std::set<std::string>(order.begin(), order.end()).size(), 10'000u);
  EXPECT_EQ(order.size(), 10'000u);
  EXPECT_EQ(ids_in(*tables.put(state(id_of(7), "new"), 10'001)), order);
}

TEST(StateTable, VisitsTheSameByBuckets) {
  const Table table = Tables(10'000).newest();
  std::vector<std::string> ids;
  for (std::size_t part = 0; part < StateTable::kParts; ++part) {
    table->for_each_in_part(part, [&](const State& each) { ids.emplace_back(each.entity_id()); });
  }
  EXPECT_EQ(ids, ids_in(*table));
}

TEST(StateTable, ReplacesTheFormerStateOfAnEntity) {
  Tables tables(3);
  const Table table = tables.put(state(id_of(1), "new"), 9);
  EXPECT_EQ(table->size(), 3u);
  EXPECT_EQ(table->sequence(), 9u);
  EXPECT_EQ(table->find(id_of(1))->value(), "new");
}

TEST(StateTable, RemovesAState) {
  Tables tables(10'000);
  for (int i = 0; i < 10'000; i += 2) tables.remove(id_of(i), 20'000);
  Table table = tables.newest();
  EXPECT_EQ(table->size(), 5'000u);
  EXPECT_EQ(table->sequence(), 20'000u);
  for (int i = 0; i < 10'000; ++i) ASSERT_EQ(static_cast<bool>(table->find(id_of(i))), i % 2 == 1) << i;
  for (int i = 1; i < 10'000; i += 2) table = tables.remove(id_of(i), 20'001);
  EXPECT_EQ(table->size(), 0u);
  EXPECT_TRUE(ids_in(*table).empty());
}

TEST(StateTable, StaysAsItIsIfThereIsNothingToRemove) {
  EXPECT_EQ(Tables(100).remove("sensor.none", 101)->size(), 100u);
  EXPECT_EQ(Tables(0).remove("sensor.none", 1)->size(), 0u);
}

TEST(StateTable, AddsManyStatesAtOnce) {
  std::vector<StatePtr> added;
  for (int i = 500; i < 20'000; ++i) added.push_back(state(id_of(i), "restored"));
  added.push_back(state(id_of(600), "second"));
  Tables tables(1'000);
  const Table old = tables.newest();
  const Table table = tables.put_missing(added);
  EXPECT_EQ(table->size(), 20'000u);
  EXPECT_EQ(table->sequence(), 1'000u);
  for (int i = 0; i < 20'000; ++i) {
    const auto found = table->find(id_of(i));
    ASSERT_TRUE(found) << i;
    ASSERT_EQ(found->value(), i < 1'000 ? std::to_string(i) : "restored");
  }
  EXPECT_EQ(ids_in(*table).size(), 20'000u);
  EXPECT_EQ(old->size(), 1'000u);
  tables.remove(id_of(700), 1'001);
  EXPECT_EQ(tables.put(state(id_of(800), "new"), 1'002)->size(), 19'999u);
}

TEST(StateTable, LeavesOldVersionsUnchanged) {
  Table old;
  {
    Tables tables(1'000);
    old = tables.newest();
    for (int i = 0; i < 1'000; ++i) tables.put(state(id_of(i), "new"), 2'000);
    for (int i = 1'000; i < 2'000; ++i) tables.put(state(id_of(i), "added"), 3'000);
    for (int i = 0; i < 500; ++i) tables.remove(id_of(i), 4'000);
    collect_all(tables);
  }
  EXPECT_EQ(old->size(), 1'000u);
  EXPECT_EQ(old->sequence(), 1'000u);
  EXPECT_EQ(ids_in(*old), ids_in(*Tables(1'000).newest()));
  for (int i = 0; i < 1'000; ++i) ASSERT_EQ(old->find(id_of(i))->value(), std::to_string(i));
}

TEST(StateTable, FreesWhatNoVersionShows) {
  Tables tables(10);
  const auto states = write(tables, id_of(3), 1'000);
  collect_all(tables);
  EXPECT_EQ(alive(states), 1);
  EXPECT_FALSE(states.back().expired());
  tables.remove(id_of(3), 2);
  collect_all(tables);
  EXPECT_EQ(alive(states), 0);
}

TEST(StateTable, KeepsForAnOldVersionOnlyWhatItContains) {
  Tables tables(10);
  const auto first = write(tables, id_of(3), 100);
  Table old = tables.newest();
  const auto second = write(tables, id_of(3), 100);
  Table later = tables.newest();
  const auto third = write(tables, id_of(3), 100);
  collect_all(tables);
  EXPECT_EQ(alive(first), 1);
  EXPECT_EQ(alive(second), 1);
  EXPECT_EQ(alive(third), 1);
  EXPECT_EQ(old->find(id_of(3)), first.back().lock());
  EXPECT_EQ(later->find(id_of(3)), second.back().lock());

  // States that both versions contain outlive the later one.
  tables.put(state(id_of(4), "new"), 3);
  later.reset();
  collect_all(tables);
  EXPECT_EQ(alive(second), 0);
  EXPECT_EQ(old->find(id_of(3)), first.back().lock());
  EXPECT_EQ(old->find(id_of(4))->value(), "4");
  EXPECT_EQ(ids_in(*old), ids_in(*tables.newest()));

  old.reset();
  collect_all(tables);
  EXPECT_EQ(alive(first), 0);
  EXPECT_EQ(alive(third), 1);
}

TEST(StateTable, CollectsALargeOldVersionLittleByLittle) {
  Tables tables(1'000);
  Table old = tables.newest();
  const std::weak_ptr<const State> state_of_old = old->find(id_of(0));
  for (int i = 0; i < 1'000; ++i) tables.put(state(id_of(i), "new"), 2'000);
  collect_all(tables);
  old.reset();
  int calls = 0;
  const auto any_alive = [&] {
    StateTableWriter::Garbage garbage;
    tables.collect(garbage);
    return !state_of_old.expired();
  };
  while (any_alive() && calls < 1'000) ++calls;
  EXPECT_GE(calls, 2);
  EXPECT_LT(calls, 1'000);
  EXPECT_EQ(tables.newest()->find(id_of(0))->value(), "new");
}

TEST(StateTable, OutlivesItsWriter) {
  std::vector<Table> versions;
  {
    Tables tables(100);
    for (int i = 0; i < 10; ++i) versions.push_back(tables.put(state(id_of(i), "new"), 101));
  }
  for (int i = 9; i >= 0; --i) {
    EXPECT_EQ(versions[i]->find(id_of(i))->value(), "new");
    EXPECT_EQ(versions[i]->find(id_of(i + 1))->value(), std::to_string(i + 1));
    versions.pop_back();
  }
}

}  // namespace
}  // namespace hearth::core
