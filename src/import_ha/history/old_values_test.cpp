// SPDX-License-Identifier: Apache-2.0
#include "import_ha/history/old_values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace hearth::import_ha {
namespace {

std::int64_t micros(double seconds) {
  return time_of_seconds(seconds).value().time_since_epoch().count();
}

std::string text(const auto& characters) {
  return {characters.data(), characters.size()};
}

TEST(OldValues, RoundsSecondsToMicrosecondsHalfToEven) {
  EXPECT_EQ(1'700'000'000'123'456, micros(1'700'000'000.123456));
  EXPECT_EQ(0, micros(0.0000005));
  EXPECT_EQ(2, micros(0.0000015));
  EXPECT_EQ(2, micros(0.0000025));
  // Halves that a double has exactly, of 2^-7 of a second and more: 7812.5 and 23437.5 µs.
  EXPECT_EQ(1'700'000'000'007'812, micros(1'700'000'000 + 1.0 / 128));
  EXPECT_EQ(1'700'000'000'023'438, micros(1'700'000'000 + 3.0 / 128));
  EXPECT_EQ(2'000'000, micros(1.9999999));
  EXPECT_EQ(-1'500'000, micros(-1.5));
}

TEST(OldValues, HasNoTimeForWhatIsNone) {
  EXPECT_FALSE(time_of_seconds(std::numeric_limits<double>::quiet_NaN()));
  EXPECT_FALSE(time_of_seconds(1e300));
}

TEST(OldValues, WritesUlidsAndDigits) {
  Id16 id{};
  EXPECT_EQ("00000000000000000000000000", text(ulid_text(id)));
  id.back() = 31;
  EXPECT_EQ("0000000000000000000000000Z", text(ulid_text(id)));
  id.fill(0xFF);
  EXPECT_EQ("7ZZZZZZZZZZZZZZZZZZZZZZZZZ", text(ulid_text(id)));
  EXPECT_EQ("ffffffffffffffffffffffffffffffff", text(hex_text(id)));
  // 2016-07-30T23:54:10.259Z, the example of the ULID specification.
  EXPECT_EQ("01ARZ3NDEKTSV4RRFFQ69G5FAV", text(ulid_text(parse_id16("01ARZ3NDEKTSV4RRFFQ69G5FAV").value())));
  EXPECT_EQ("01563e3ab5d3d6764c61efb99302bd5b", text(hex_text(parse_id16("01ARZ3NDEKTSV4RRFFQ69G5FAV").value())));
}

TEST(OldValues, ReadsUuids) {
  EXPECT_EQ("01563e3ab5d3d6764c61efb99302bd5b", text(hex_text(parse_id16("01563E3AB5D3D6764C61EFB99302BD5B").value())));
  EXPECT_EQ("01563e3ab5d3d6764c61efb99302bd5b",
            text(hex_text(parse_id16("01563e3a-b5d3-d676-4c61-efb99302bd5b").value())));
  for (const char* const wrong : {"", "x", "01563e3ab5d3d6764c61efb99302bd5", "01563e3ab5d3d6764c61efb99302bd5g",
                                  "8ZZZZZZZZZZZZZZZZZZZZZZZZZ", "0000000000000000000000000U"})
    EXPECT_FALSE(parse_id16(wrong)) << wrong;
}

}  // namespace
}  // namespace hearth::import_ha
