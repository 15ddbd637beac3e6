// SPDX-License-Identifier: Apache-2.0
#include "net/mdns/instance_table.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace hearth::net {
namespace {

using Key = InstanceTable::Key;

const Key kBedroom{"_esphomelib._tcp", "bedroom"};

Address address(const char* text) {
  return boost::asio::ip::make_address(text);
}

struct InstanceTableTest : ::testing::Test {
  // As the network says it of an instance that has appeared.
  void resolve(int interface, const char* at, std::string version = "1", const Key& key = kBedroom) {
    const Address found = address(at);
    table.resolved(key, interface, found.is_v6(),
                   {.host = "bedroom.local", .port = 6053, .texts = {{"version", version}}}, found, now);
  }
  // The changes that are due: `+name address… version` or `-name`.
  std::vector<std::string> changes() {
    std::vector<std::string> texts;
    for (const MdnsChange& each : table.take(now)) {
      std::string text = (each.gone ? "-" : "+") + each.instance.name;
      for (const Address& one : each.instance.addresses) text += each.gone ? "" : " " + one.to_string();
      if (!each.gone) text += " " + *each.instance.text("VERSION");
      texts.push_back(text);
    }
    return texts;
  }
  void advance(int milliseconds) { now += std::chrono::milliseconds(milliseconds); }

  using Texts = std::vector<std::string>;
  InstanceTable table;
  InstanceTable::Time now{std::chrono::hours(1)};
};

TEST_F(InstanceTableTest, TellsAnInstanceWhenItHasAnAddress) {
  EXPECT_TRUE(table.appeared(kBedroom, 2));
  EXPECT_EQ(changes(), Texts{});
  EXPECT_FALSE(table.appeared(kBedroom, 2));
  resolve(2, "192.0.2.1");
  resolve(2, "2001:db8::1");
  EXPECT_EQ(changes(), Texts{"+bedroom 192.0.2.1 2001:db8::1 1"});
  EXPECT_EQ(table.told("_esphomelib._tcp").size(), 1U);
  EXPECT_EQ(table.told("_hap._tcp").size(), 0U);
  EXPECT_FALSE(table.next());
}

TEST_F(InstanceTableTest, IsThereWhileOneInterfaceHasIt) {
  table.appeared(kBedroom, 2);
  table.appeared(kBedroom, 3);
  resolve(2, "192.0.2.1");
  resolve(3, "198.51.100.1");
  EXPECT_EQ(changes(), Texts{"+bedroom 192.0.2.1 198.51.100.1 1"});
  advance(5'000);
  table.disappeared(kBedroom, 2, now);
  EXPECT_EQ(changes(), Texts{"+bedroom 198.51.100.1 1"});
  advance(5'000);
  table.disappeared(kBedroom, 3, now);
  EXPECT_EQ(changes(), Texts{"-bedroom"});
  advance(5'000);
  EXPECT_EQ(changes(), Texts{});
  EXPECT_EQ(table.size(), 0U);
}

TEST_F(InstanceTableTest, LooksOnceASecondAtOneThatChangesMoreOften) {
  table.appeared(kBedroom, 2);
  resolve(2, "192.0.2.1");
  EXPECT_EQ(changes().size(), 1U);
  for (int i = 1; i <= 25; ++i) {
    advance(100);
    resolve(2, "192.0.2.1", std::to_string(i));
    const Texts expected = i % 10 == 0 ? Texts{fmt::format("+bedroom 192.0.2.1 {}", i)} : Texts{};
    EXPECT_EQ(changes(), expected) << i;
  }
  EXPECT_EQ(table.next(), InstanceTable::Time(std::chrono::hours(1)) + std::chrono::seconds(3));
}

TEST_F(InstanceTableTest, LooksOnceASecondAtOneThatComesAndGoes) {
  std::size_t told = 0;
  for (int i = 0; i < 100; ++i) {
    table.appeared(kBedroom, 2);
    resolve(2, "192.0.2.1");
    told += changes().size();
    table.disappeared(kBedroom, 2, now);
    told += changes().size();
    advance(100);
  }
  EXPECT_LE(told, 11U);
  EXPECT_GE(told, 1U);
}

TEST_F(InstanceTableTest, SaysNothingOfWhatStaysTheSame) {
  table.appeared(kBedroom, 2);
  resolve(2, "192.0.2.1");
  EXPECT_EQ(changes().size(), 1U);
  advance(5'000);
  resolve(2, "192.0.2.1");
  EXPECT_EQ(changes(), Texts{});
}

TEST_F(InstanceTableTest, HasABound) {
  for (std::size_t i = 0; i < 10 * InstanceTable::kMaxInstances; ++i) {
    const Key key{"_hap._tcp", std::to_string(i)};
    EXPECT_EQ(table.appeared(key, 2), i < InstanceTable::kMaxInstances);
    resolve(2, "192.0.2.1", "1", key);
  }
  EXPECT_EQ(table.size(), InstanceTable::kMaxInstances);
  EXPECT_EQ(table.ignored(), 9 * InstanceTable::kMaxInstances);
  EXPECT_EQ(changes().size(), InstanceTable::kMaxInstances);
}

TEST_F(InstanceTableTest, BelievesNobodyWhoIsThisMachine) {
  table.appeared(kBedroom, 2);
  for (const char* each :
       {"127.0.0.1", "0.0.0.0", "224.0.0.251", "255.255.255.255", "::1", "::", "ff02::fb", "::ffff:127.0.0.1"}) {
    resolve(2, each);
    EXPECT_EQ(changes(), Texts{}) << each;
  }
}

TEST_F(InstanceTableTest, IsEmptyWithoutANetwork) {
  table.appeared(kBedroom, 2);
  resolve(2, "192.0.2.1");
  EXPECT_EQ(changes().size(), 1U);
  advance(2'000);
  table.clear(now);
  EXPECT_EQ(changes(), Texts{"-bedroom"});
}

TEST(MdnsTexts, AreClean) {
  EXPECT_EQ(clean_text("K\xC3\xBC"
                       "che\n\x7F\xFF",
                       63),
            "K\xC3\xBC"
            "che  \xEF\xBF\xBD");
  EXPECT_EQ(clean_text("\xC3\xBC\xC3\xBC", 3), "\xC3\xBC");
  const std::string_view entries[] = {"mac=aabb",      "MAC=other", "=none", "flag", std::string_view("b=\0x", 4),
                                      "k\xC3\xBC=not", "empty="};
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"mac", "aabb"}, {"flag", ""}, {"b", " x"}, {"empty", ""}};
  EXPECT_EQ(parse_txt(entries), expected);
}

TEST(MdnsTexts, HaveABound) {
  std::vector<std::string> owned;
  for (int i = 0; i < 130; ++i) owned.push_back(fmt::format("key{}={}", i, std::string(90, 'x')));
  const std::vector<std::string_view> entries(owned.begin(), owned.end());
  const auto texts = parse_txt(entries);
  EXPECT_EQ(texts.size(), 13U);
}

}  // namespace
}  // namespace hearth::net
