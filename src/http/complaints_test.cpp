// SPDX-License-Identifier: Apache-2.0
#include "http/complaints.h"

#include <gtest/gtest.h>

namespace hearth::http {
namespace {

using namespace std::chrono_literals;

base::Address address(const std::string& text) {
  return boost::asio::ip::make_address(text);
}

TEST(Complaints, AreNewOnceAnHourForEachPrefix) {
  Complaints complaints;
  const Complaints::Time start;
  EXPECT_TRUE(complaints.is_new(address("192.0.2.1"), start));
  EXPECT_FALSE(complaints.is_new(address("192.0.2.1"), start + 59min));
  EXPECT_TRUE(complaints.is_new(address("192.0.2.2"), start));
  EXPECT_TRUE(complaints.is_new(address("2001:db8::1"), start));
  EXPECT_FALSE(complaints.is_new(address("2001:db8::2"), start));
  EXPECT_TRUE(complaints.is_new(address("192.0.2.1"), start + 1h));
  EXPECT_FALSE(complaints.is_new(address("192.0.2.1"), start + 1h + 59min));
}

TEST(Complaints, AreNotNewBeyondTheNumberOfPrefixesRemembered) {
  Complaints complaints;
  const Complaints::Time start;
  const auto number = [](std::size_t i) { return boost::asio::ip::make_address_v4(static_cast<std::uint32_t>(i)); };
  for (std::size_t i = 0; i < Complaints::kMaxPrefixes; ++i) EXPECT_TRUE(complaints.is_new(number(i), start)) << i;
  EXPECT_FALSE(complaints.is_new(number(Complaints::kMaxPrefixes), start + 59min));
  EXPECT_TRUE(complaints.is_new(number(Complaints::kMaxPrefixes), start + 1h));
}

}  // namespace
}  // namespace hearth::http
