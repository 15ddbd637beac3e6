// SPDX-License-Identifier: Apache-2.0
#include "integrations/modbus/protocol/values.h"

#include <gtest/gtest.h>

namespace hearth::integrations::modbus {
namespace {

std::string shown(const Words& words, const Layout& layout, const Scaling& scaling = {}, Swap swap = Swap::none) {
  return base::to_json(decode(words, layout, swap, scaling));
}
std::string shown(const Words& words, std::string_view type, const Scaling& scaling = {}, Swap swap = Swap::none) {
  return shown(words, layout_of(type, words.size()).value(), scaling, swap);
}

TEST(ModbusValues, AreOfAllTypes) {
  EXPECT_EQ(shown({0xFFFE}, "int16"), "-2");
  EXPECT_EQ(shown({0xFFFE}, "uint16"), "65534");
  EXPECT_EQ(shown({0xFFFF, 0xFFFE}, "int32"), "-2");
  EXPECT_EQ(shown({0x0001, 0x0000}, "uint32"), "65536");
  EXPECT_EQ(shown({0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF}, "int64"), "-1");
  EXPECT_EQ(shown({0, 0, 1, 0}, "uint64"), "65536");
  EXPECT_EQ(shown({0x3E00}, "float16"), "1.5");
  EXPECT_EQ(shown({0x4148, 0x0000}, "float32"), "12.5");
  EXPECT_EQ(shown({0x4029, 0x0000, 0x0000, 0x0000}, "float64"), "12.5");
  EXPECT_EQ(shown({0x4162, 0x6300, 0x4141}, "string"), R"("Abc")");
  EXPECT_FALSE(layout_of("int8", 1));
}

TEST(ModbusValues, ThatAreNoNumbersAreUnknown) {
  EXPECT_EQ(shown({0x7FC0, 0x0000}, "float32"), "null");
  EXPECT_EQ(shown({0x7F80, 0x0000}, "float32"), "null");
  EXPECT_EQ(shown({0x8000}, "int16", {.nan_value = -32'768}), "null");
  EXPECT_EQ(shown({0x7E00}, "float16"), "null");
}

TEST(ModbusValues, AreSwapped) {
  EXPECT_EQ(shown({0x0100}, "int16", {}, Swap::byte), "1");
  EXPECT_EQ(shown({0x0000, 0x0001}, "uint32", {}, Swap::word), "65536");
  EXPECT_EQ(shown({0x0000, 0x0100}, "uint32", {}, Swap::word_byte), "65536");
  EXPECT_EQ(shown({0x6241, 0x0063}, "string", {}, Swap::byte), R"("Abc")");
}

TEST(ModbusValues, AreScaledAndRounded) {
  EXPECT_EQ(shown({215}, "int16", {.scale = 0.1, .decimals = 1}), "21.5");
  EXPECT_EQ(shown({5}, "int16", {.scale = 10, .offset = 1}), "51");
  EXPECT_EQ(shown({1234}, "int16", {.scale = 0.001}), "1.23");
  EXPECT_EQ(shown({1234}, "int16", {.scale = 0.001, .decimals = 0}), "1");
  EXPECT_EQ(shown({3}, "int16", {.zero_suppress = 5}), "0");
  EXPECT_EQ(shown({300}, "int16", {.minimum = 0, .maximum = 100}), "100");
}

TEST(ModbusValues, OfStructuresAreSeveral) {
  EXPECT_EQ(shown({1, 0x4148, 0}, *parse_structure(">hf")), R"("1,12.5")");
  EXPECT_EQ(shown({0x0102}, *parse_structure(">2b")), R"("1,2")");
  EXPECT_EQ(shown({0x0100}, *parse_structure("<h")), "1");
  EXPECT_EQ(shown({0x0041, 0x4200}, *parse_structure(">x2sx")), R"("AB")");
  EXPECT_EQ(parse_structure(">2h")->registers(), 2);
  for (const std::string_view wrong : {"", ">", ">z", ">3", "999s", ">0s", "h h h 251s", "99999999999999999999h"})
    EXPECT_FALSE(parse_structure(wrong)) << wrong;
}

TEST(ModbusValues, AreWrittenAsTheyAreRead) {
  for (const Swap swap : {Swap::none, Swap::byte, Swap::word, Swap::word_byte}) {
    for (const std::string_view type : {"int16", "uint32", "float32", "float64", "int64"}) {
      const Layout layout = *layout_of(type, 1);
      const Scaling scaling{.scale = 0.5, .offset = 3, .decimals = 1};
      const auto words = encode_number(21.5, layout, swap, scaling);
      ASSERT_TRUE(words) << type;
      EXPECT_EQ(base::to_json(decode(*words, layout, swap, scaling)), "21.5") << type;
    }
  }
  EXPECT_EQ(encode_number(40'000, *layout_of("int16", 1), Swap::none, {}), std::nullopt);
  EXPECT_EQ(encode_number(-1, *layout_of("uint16", 1), Swap::none, {}), std::nullopt);
}

}  // namespace
}  // namespace hearth::integrations::modbus
