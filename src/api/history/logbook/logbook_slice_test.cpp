// SPDX-License-Identifier: Apache-2.0
#include "api/history/logbook/logbook_slice.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/history/logbook/logbook_causes.h"

namespace hearth::api {
namespace {

base::Timestamp at(int second) {
  return base::Timestamp(std::chrono::seconds(second));
}

TEST(LogbookSlice, GivesEntriesBackByTime) {
  LogbookSlice slice;
  for (const int second : {5, 1, 3}) {
    const std::string id = "light.l" + std::to_string(second);
    LogbookEntry entry;
    entry.when = at(second);
    entry.kind = second == 3 ? LogbookEntry::Kind::event : LogbookEntry::Kind::state;
    entry.entity_id = id;
    entry.name = "a name";
    entry.domain = "light";
    entry.state = id;
    entry.message = "m";
    entry.context_id = "c";
    entry.parent_id = "p";
    entry.user_id = "ann";
    slice.add(entry);
  }
  slice.sort();
  ASSERT_EQ(slice.size(), 3u);
  EXPECT_EQ(slice.at(0).entity_id, "light.l1");
  EXPECT_EQ(slice.at(1).entity_id, "light.l3");
  EXPECT_EQ(slice.at(1).kind, LogbookEntry::Kind::event);
  const LogbookEntry last = slice.at(2);
  EXPECT_EQ(last.when, at(5));
  EXPECT_EQ(last.kind, LogbookEntry::Kind::state);
  EXPECT_EQ(last.name, "a name");
  EXPECT_EQ(last.domain, "light");
  EXPECT_EQ(last.state, "light.l5");
  EXPECT_EQ(last.message, "m");
  EXPECT_EQ(last.source, "");
  EXPECT_EQ(last.context_id, "c");
  EXPECT_EQ(last.parent_id, "p");
  EXPECT_EQ(last.user_id, "ann");
  EXPECT_EQ(slice.first_change_of("c"), 0u);
  EXPECT_EQ(slice.first_change_of("p"), slice.size());
}

TEST(LogbookSlice, DropsTheLaterHalf) {
  const auto slice_of = [](std::initializer_list<int> seconds) {
    LogbookSlice slice;
    for (const int second : seconds) {
      const std::string id = "light.l" + std::to_string(second);
      LogbookEntry entry;
      entry.when = at(second);
      entry.entity_id = id;
      slice.add(entry);
    }
    return slice;
  };
  LogbookSlice slice = slice_of({5, 1, 3, 2, 4});
  EXPECT_EQ(slice.drop_later_half(), at(3));
  ASSERT_EQ(slice.size(), 3u);
  EXPECT_EQ(slice.at(0).entity_id, "light.l1");
  EXPECT_EQ(slice.at(2).entity_id, "light.l2");
  slice = slice_of({7, 1, 7, 7, 2});  // most are of the last time
  EXPECT_EQ(slice.drop_later_half(), at(2));
  EXPECT_EQ(slice.size(), 2u);
  slice = slice_of({7, 7, 7});
  EXPECT_FALSE(slice.drop_later_half());
  EXPECT_EQ(slice.size(), 3u);
}

TEST(LogbookSlice, IsFullBeforeItTakesMuchMemory) {
  LogbookSlice slice;
  LogbookEntry entry;
  entry.entity_id = "light.a";
  entry.name = "a";
  entry.domain = "light";
  entry.context_id = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
  while (!slice.full()) slice.add(entry);
  EXPECT_EQ(slice.size(), LogbookSlice::kMaxEntries);
  slice.clear();
  const std::string long_text(10'000, 'x');
  entry.message = long_text;
  while (!slice.full()) slice.add(entry);
  EXPECT_LE(slice.size(), LogbookSlice::kMaxBytes / 10'000);
}

TEST(LogbookCauses, KeepsTheLastOfAContextAndForgetsTheOldest) {
  LogbookCauses causes;
  const auto put = [&](int second, const std::string& context, std::string type) {
    LogbookCause cause;
    cause.event_type = std::move(type);
    causes.put(at(second), context, std::move(cause));
  };
  put(1, "a", "first");
  put(2, "b", "second");
  put(3, "a", "third");
  EXPECT_EQ(causes.find("a")->event_type, "third");
  causes.forget_before(at(2));
  EXPECT_EQ(causes.find("a")->event_type, "third");
  causes.forget_before(at(3));
  EXPECT_EQ(causes.find("b"), nullptr);
  EXPECT_EQ(causes.find("a")->event_type, "third");
  for (int i = 0; i < 100'000; ++i) put(4, "context " + std::to_string(i), "some event");
  EXPECT_EQ(causes.find("a"), nullptr);
  EXPECT_EQ(causes.find("context 1"), nullptr);
  EXPECT_NE(causes.find("context 99999"), nullptr);
}

}  // namespace
}  // namespace hearth::api
