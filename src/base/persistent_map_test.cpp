// SPDX-License-Identifier: Apache-2.0
#include "base/persistent_map.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <string_view>

namespace hearth::base {
namespace {

using Map = PersistentMap<std::string, int>;

std::string text(const Map& map) {
  std::string out;
  for (const auto& [key, value] : map) out += key + '=' + std::to_string(value) + ' ';
  return out;
}

TEST(PersistentMap, IsEmptyAtFirst) {
  const Map map;
  EXPECT_TRUE(map.empty());
  EXPECT_EQ(map.size(), 0u);
  EXPECT_EQ(map.find("a"), nullptr);
  EXPECT_EQ(map.begin(), map.end());
  EXPECT_EQ(map.lower_bound("a"), map.end());
}

TEST(PersistentMap, IsSortedByKey) {
  Map map;
  for (const char* key : {"pear", "apple", "fig", "plum", "date"}) map.set(key, static_cast<int>(map.size()));
  map.set("fig", 9);
  map.erase("pear");
  map.erase("none");
  EXPECT_EQ(text(map), "apple=1 date=4 fig=9 plum=3 ");
  EXPECT_EQ(map.size(), 4u);
  EXPECT_EQ(*map.find(std::string_view("date")), 4);
  EXPECT_EQ(map.lower_bound("e")->first, "fig");
  EXPECT_EQ(map.lower_bound("fig")->first, "fig");
  EXPECT_EQ(map.lower_bound("q"), map.end());
}

TEST(PersistentMap, SharesUnchangedEntriesWithItsCopies) {
  Map map;
  for (int i = 0; i < 1'000; ++i) map.set(std::to_string(i), i);
  Map changed = map;
  changed.set("7", -7);
  changed.erase("8");
  EXPECT_EQ(*map.find("7"), 7);
  EXPECT_EQ(*map.find("8"), 8);
  EXPECT_EQ(*changed.find("7"), -7);
  EXPECT_FALSE(changed.contains("8"));
  EXPECT_EQ(changed.at("9"), 9);
  EXPECT_EQ(changed.find("9"), map.find("9"));
}

struct ValueOf {
  const int& operator()(const Map::Entry& entry) const { return entry.second; }
};

TEST(PersistentMap, SharesItsEntriesWithAnIndex) {
  Map map;
  PersistentSet<Map::Entry, ValueOf, std::hash<int>> by_value;
  for (int i = 0; i < 1'000; ++i) by_value.insert(map.set(std::to_string(i), 2'000 - i));
  ASSERT_EQ(by_value.size(), 1'000u);
  EXPECT_EQ(by_value.begin()->first, "999");
  for (int i = 0; i < 1'000; ++i) ASSERT_EQ(&by_value.find(2'000 - i)->second, map.find(std::to_string(i)));
  const auto before = by_value;
  map.erase("7");
  by_value.erase(1'993);
  EXPECT_EQ(by_value.find(1'993), nullptr);
  EXPECT_EQ(before.find(1'993)->first, "7");
  EXPECT_EQ(by_value.lower_bound(1'993)->first, "6");
}

TEST(PersistentMap, BehavesAsAMapForRandomChanges) {
  std::mt19937 random(7);
  Map map;
  std::map<std::string, int> model;
  std::vector<std::pair<Map, std::map<std::string, int>>> versions;
  for (int i = 0; i < 20'000; ++i) {
    const std::string key = std::to_string(random() % 1'000);
    if (random() % 3 == 0) {
      map.erase(key);
      model.erase(key);
    } else {
      map.set(key, i);
      model[key] = i;
    }
    if (i % 1'000 == 0) versions.emplace_back(map, model);
  }
  versions.emplace_back(map, model);
  for (const auto& [version, expected] : versions) {
    ASSERT_EQ(version.size(), expected.size());
    ASSERT_TRUE(std::equal(version.begin(), version.end(), expected.begin(), expected.end(),
                           [](const auto& a, const auto& b) { return a.first == b.first && a.second == b.second; }));
    for (const auto& [key, value] : expected) {
      ASSERT_EQ(*version.find(key), value);
      ASSERT_EQ(version.lower_bound(key)->second, value);
    }
    const auto behind = version.lower_bound("5");
    ASSERT_EQ(behind->first, expected.lower_bound("5")->first);
  }
}

}  // namespace
}  // namespace hearth::base
