// SPDX-License-Identifier: Apache-2.0
#include "recorder/log/segment.h"

#include <gtest/gtest.h>

#include <random>

#include "recorder/log/test_changes.h"

namespace hearth::recorder {
namespace {

using namespace std::chrono_literals;

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

void expect_same(const ChangeList& list) {
  const std::string packed = encode_segment(list.changes());
  const auto back = decode_segment(bytes_of(packed));
  ASSERT_TRUE(back);
  ASSERT_EQ(back->size(), list.size());
  for (std::size_t i = 0; i < list.size(); ++i) EXPECT_EQ(back->changes()[i], list.changes()[i]) << i;
}

ChangeList list_of(std::initializer_list<std::string_view> values) {
  ChangeList list;
  auto at = kStart;
  for (const auto value : values) list.add(change(at += 10s + 37us, value));
  return list;
}

// A day of a thermometer that reports every ten seconds, give or take a few milliseconds.
ChangeList thermometer_day() {
  std::mt19937 random(7);
  ChangeList list;
  int hundredths = 2150;
  for (int i = 0; i < 8'640; ++i) {
    hundredths += static_cast<int>(random() % 7) - 3;
    const auto at = kStart + i * 10s + std::chrono::microseconds(random() % 8'000);
    std::string value = std::to_string(hundredths / 100) + "." + std::to_string(hundredths % 100 + 100).substr(1);
    auto made = change(at, value, R"({"unit_of_measurement":"°C","friendly_name":"Kitchen"})");
    const std::string id = "01ARZ3NDEKTSV4RRFFQ" + std::to_string(1'000'000 + random() % 1'000'000);
    made.context_id = id;
    made.user_id = "0123456789abcdef0123456789abcdef";
    list.add(made);
  }
  return list;
}

TEST(Segment, KeepsNumbersIfThereAreAny) {
  ChangeList list = list_of({"1", "2", "off", "3"});
  ChangeList numbered;
  const std::int64_t numbers[] = {7, 1'000'000, 0, 5};
  for (std::size_t i = 0; i < list.size(); ++i) {
    Change change = list.changes()[i];
    change.number = numbers[i];
    numbered.add(change);
  }
  expect_same(numbered);
  EXPECT_LT(encode_segment(list.changes()).size(), encode_segment(numbered.changes()).size());
}

TEST(Segment, TakesLittleMoreForNumbers) {
  ChangeList numbered;
  std::int64_t number = 0;
  std::mt19937 random(3);
  const ChangeList day = thermometer_day();
  for (Change change : day.changes()) {
    change.number = number += 1 + random() % 400;  // among those of some hundred other entities
    numbered.add(change);
  }
  const auto more = encode_segment(numbered.changes()).size() - encode_segment(day.changes()).size();
  EXPECT_LT(more, 2 * day.size());
}

TEST(Segment, ReadsBackEveryKindOfChange) {
  ChangeList list;
  Change first = change(kStart, "on", R"({"brightness":180,"name":"Küche"})");
  first.context_id = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
  first.user_id = "0123456789abcdef";
  list.add(first);
  Change second = change(kStart + 5s, "on", R"({"brightness":181})");
  second.changed = kStart;
  second.context_id = "01ARZ3NDEKTSV4RRFFQ69G5FAW";
  second.parent_id = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
  list.add(second);
  Change removed = change(kStart + 6s, "", "");
  removed.removed = true;
  list.add(removed);
  Change odd = change(kStart + 6s, "", "{}");
  odd.changed = kStart - 1000h;
  list.add(odd);
  expect_same(list);
}

TEST(Segment, KeepsTheDigitsOfNumbers) {
  expect_same(list_of({"21.50", "21.40", "-3.00", "0.00"}));
  expect_same(list_of({"21.5", "21", "21.25", "-0.125", "0", "100"}));
  expect_same(list_of({"21.5", "21.0", "21.25", "-3.0", "0.0"}));
  expect_same(list_of({"1", "2", "-1", "999999999999999", "-999999999999999"}));
  expect_same(list_of({"21.50", "21.5", "21"}));
  expect_same(list_of({"-0", "-0.0", "1e5", "+1", ".5", "5.", "007", " 1", "1 ", "nan", "", "0x10", "١"}));
  expect_same(list_of({"12345678901234567890", "0.1234567890123456789"}));
  expect_same(list_of({"unavailable", "21.5", "unknown", "21.5", "21.6", "unavailable"}));
  expect_same(list_of({"100000000000000", "0.00000000000001"}));
}

TEST(Segment, KeepsUserAndParentOfANumbersContext) {
  Change plain = change(kStart, "21.5"), caused = change(kStart + 1s, "21.6"), text = change(kStart + 2s, "unknown");
  plain.context_id = caused.context_id = text.context_id = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
  plain.user_id = "ann";
  caused.parent_id = "01ARZ3NDEKTSV4RRFFQ69G5FAW";
  ChangeList list;
  for (const auto& each : {plain, caused, text}) list.add(each);
  const auto back = decode_segment(bytes_of(encode_segment(list.changes())));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->changes()[0].context_id, "");
  EXPECT_EQ(back->changes()[0].user_id, "ann");
  EXPECT_EQ(back->changes()[1].context_id, caused.context_id);
  EXPECT_EQ(back->changes()[1].parent_id, caused.parent_id);
  EXPECT_EQ(back->changes()[2].context_id, text.context_id);
}

TEST(Segment, TakesAtMostSixBytesAChangeForANumber) {
  const ChangeList list = thermometer_day();
  const double each = static_cast<double>(encode_segment(list.changes()).size()) / static_cast<double>(list.size());
  EXPECT_LE(each, 6);
  RecordProperty("bytes_a_change", std::to_string(each));
}

TEST(Segment, HoldsTheMaximumOfChanges) {
  ChangeList list;
  for (std::size_t i = 0; i < kMaxSegmentChanges; ++i)
    list.add(change(kStart + std::chrono::microseconds(i), std::to_string(i), "{\"n\":" + std::to_string(i) + "}"));
  expect_same(list);
}

TEST(Segment, RefusesTruncatedBytes) {
  const std::string packed = encode_segment(thermometer_day().changes().first(200));
  for (std::size_t size = 0; size < packed.size(); ++size)
    EXPECT_FALSE(decode_segment(bytes_of(std::string_view(packed).substr(0, size)))) << size;
  EXPECT_FALSE(decode_segment(bytes_of(packed + 'x')));
  EXPECT_FALSE(decode_segment(bytes_of(packed + packed)));
}

TEST(Segment, NoticesEveryFlippedBit) {
  const auto list = list_of({"on", "off", "on", "unavailable", "21.5", "21.6"});
  const std::string packed = encode_segment(list.changes());
  for (std::size_t bit = 0; bit < packed.size() * 8; ++bit) {
    std::string damaged = packed;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
    // Some bits of the frame's header have no meaning: then everything is unchanged.
    if (const auto back = decode_segment(bytes_of(damaged))) {
      ASSERT_EQ(back->size(), list.size());
      for (std::size_t i = 0; i < list.size(); ++i) EXPECT_EQ(back->changes()[i], list.changes()[i]) << bit;
    }
  }
}

TEST(Segment, SurvivesRandomBytes) {
  std::mt19937 random(11);
  for (int round = 0; round < 20'000; ++round) {
    std::string noise(random() % 200, '\0');
    for (char& c : noise) c = static_cast<char>(random());
    EXPECT_FALSE(decode_segment(bytes_of(noise)));
  }
}

}  // namespace
}  // namespace hearth::recorder
