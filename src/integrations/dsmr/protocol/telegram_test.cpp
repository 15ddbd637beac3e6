// SPDX-License-Identifier: Apache-2.0
#include "integrations/dsmr/protocol/telegram.h"

#include <gtest/gtest.h>

#include "integrations/dsmr/protocol/telegram_reader.h"
#include "integrations/dsmr/protocol/telegrams_for_test.h"

namespace hearth::integrations::dsmr {
namespace {

std::string error_of(std::string_view text) {
  const auto parsed = Telegram::parse(text);
  return parsed ? "" : parsed.error().message;
}

// The telegrams of a stream that arrives in parts of so many bytes, by their first lines.
std::string headers(TelegramReader& reader, std::string_view bytes, std::size_t part = std::string_view::npos) {
  std::string all;
  const auto found = [&](std::string_view text) { all += text.substr(0, text.find('\r')); };
  for (std::size_t at = 0; at < bytes.size(); at += std::min(part, bytes.size() - at))
    reader.put(bytes.substr(at, part), found);
  return all;
}

TEST(Telegram, HasItsObjectsAndTheirValues) {
  const std::string text = dsmr5_telegram();
  const auto telegram = Telegram::parse(text);
  ASSERT_TRUE(telegram) << telegram.error().message;
  EXPECT_EQ(telegram->header(), "ISK5\\2M550T-1012");
  EXPECT_EQ(telegram->value("1-0:1.8.1"), "001581.123*kWh");
  EXPECT_EQ(telegram->value("0-0:96.13.0"), "");
  ASSERT_EQ(telegram->find("0-1:24.2.1")->values.size(), 2);
  EXPECT_EQ(telegram->find("0-1:24.2.1")->values[1], "00473.789*m3");
  EXPECT_EQ(telegram->find("1-0:99.97.0")->values.size(), 6);
  EXPECT_EQ(telegram->find("1-0:1.8.3"), nullptr);
}

TEST(Telegram, ChecksumsHaveTheWellKnownCheckValues) {
  EXPECT_EQ(base::crc16("123456789", 0), 0xBB3D);
  EXPECT_EQ(base::crc16("123456789", 0xFFFF), 0x4B37);
}

TEST(Telegram, OfDsmr2HasNoChecksumAndAReadingInALineOfItsOwn) {
  const auto telegram = Telegram::parse(kDsmr2Telegram);
  ASSERT_TRUE(telegram) << telegram.error().message;
  const ObisObject* const gas = telegram->find("0-1:24.3.0");
  ASSERT_EQ(gas->values.size(), 7);
  EXPECT_EQ(gas->values[5], "m3");
  EXPECT_EQ(gas->values[6], "00001.456");
}

TEST(Telegram, SaysWhatIsWrongWithIt) {
  std::string text = dsmr5_telegram();
  text[text.find("1581")] = '2';
  EXPECT_TRUE(error_of(text).starts_with("The telegram's checksum is ")) << error_of(text);
  EXPECT_EQ(error_of("/A\r\n\r\n1-3:0.2.8(50)\r\n!\r\n"), "The telegram has no checksum.");
  EXPECT_EQ(error_of("/A\r\n!XYZ1\r\n"), "The telegram's checksum is not four hexadecimal digits.");
  EXPECT_EQ(error_of("/A\r\n!12345\r\n"), "The telegram's checksum is not four hexadecimal digits.");
  EXPECT_EQ(error_of("/A\r\n"), "The telegram does not end with an exclamation mark.");
  EXPECT_EQ(error_of("A!\r\n"), "The telegram does not begin with a slash.");
  std::string many;
  for (int i = 0; i < 10'000; ++i) many += "1-0:1.8.1(1)\n";
  EXPECT_EQ(error_of(telegram_of("A", many)), "The telegram has more than 1000 objects.");
}

TEST(Telegram, LeavesOutWhatIsNoObject) {
  std::string values;
  for (int i = 0; i < 640; ++i) values += "(1)";
  const std::string text =
      telegram_of("A", "1-0:1.8.1(1\n1-0:1.8.2(1)2\nabc(1)\n1-0:1.8.3((1)\n1-0:\x01(2)\n1-0:9.9.9" + values +
                           "\n(5)\n1-0:1.8.4.255(7)\n");
  const auto telegram = Telegram::parse(text);
  ASSERT_TRUE(telegram) << telegram.error().message;
  ASSERT_EQ(telegram->objects().size(), 1);
  EXPECT_EQ(telegram->value("1-0:1.8.4"), "7");
}

TEST(TelegramReader, CutsAStreamIntoTelegrams) {
  const std::string two = "rest of one\r\n!1234\r\n/A\r\n1\r\n!0000\r\nnoise\r\n/B\r\n!\r\n/C\r\n";
  for (const std::size_t part : {std::size_t{1}, std::size_t{3}, std::string::npos}) {
    TelegramReader reader;
    EXPECT_EQ(headers(reader, two, part), "/A/B");
    EXPECT_EQ(reader.cut(), 0);
    EXPECT_EQ(headers(reader, "1\r\n/D\r\n!\r\n", part), "/D");
    EXPECT_EQ(reader.cut(), 1);
  }
}

TEST(TelegramReader, SkipsATelegramThatIsTooLong) {
  TelegramReader reader;
  std::string flood = "/A\r\n";
  while (flood.size() < 10 * TelegramReader::kMaxTelegram) flood += "1-0:1.8.1(1)\r\n";
  EXPECT_EQ(headers(reader, flood + "!\r\n/B\r\n!\r\n"), "/B");
  EXPECT_EQ(reader.too_long(), 1);
  EXPECT_EQ(headers(reader, "/C" + std::string(10 * TelegramReader::kMaxTelegram, '/') + "!\n/D\r\n!\r\n", 1'000),
            "/D");
  EXPECT_EQ(reader.too_long(), 2);
}

}  // namespace
}  // namespace hearth::integrations::dsmr
