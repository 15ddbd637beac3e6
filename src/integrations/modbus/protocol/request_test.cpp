// SPDX-License-Identifier: Apache-2.0
#include "integrations/modbus/protocol/request.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/crc16.h"

namespace hearth::integrations::modbus {
namespace {

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return text;
}

std::string bytes_of_hex(std::string_view digits) {
  std::string bytes;
  for (std::size_t at = 0; at + 1 < digits.size(); at += 2)
    bytes += static_cast<char>(std::stoi(std::string(digits.substr(at, 2)), nullptr, 16));
  return bytes;
}

std::string rtu(std::string_view digits) {
  std::string frame = bytes_of_hex(digits);
  const std::uint16_t crc = base::crc16(frame, 0xFFFF);
  frame += static_cast<char>(crc & 0xFFU);
  frame += static_cast<char>(crc >> 8U);
  return frame;
}

std::string text_of(const std::optional<Answer>& answer) {
  if (!answer) return "more";
  if (!*answer) return answer->error().message;
  std::string text = "values";
  for (const std::uint16_t value : **answer) text += fmt::format(" {}", value);
  return text;
}

// The answer to a request, which arrives byte by byte.
std::string answer_of(Framing framing, const Request& request, std::string_view bytes) {
  AnswerReader reader(framing);
  reader.expect(0x0102, request);
  for (const char c : bytes)
    if (const auto answer = reader.put({&c, 1})) return text_of(answer);
  return "more";
}

const Request kRead{.unit = 17, .table = Table::holding, .address = 0x6B, .count = 3};
const Request kWrite{.unit = 17, .address = 1, .values = {3}};

TEST(ModbusRequest, IsFramedAsTheStandardSays) {
  EXPECT_EQ(hex(encode(Framing::rtu, 0, kRead)), "1103006b00037687");
  EXPECT_EQ(hex(encode(Framing::tcp, 0x0102, kRead)), "0102000000061103006b0003");
  EXPECT_EQ(hex(encode(Framing::tcp, 1, {.unit = 17, .table = Table::coil, .address = 0xAC, .values = {1}})),
            "000100000006110500acff00");
  EXPECT_EQ(hex(encode(Framing::tcp, 1, kWrite)), "000100000006110600010003");
  EXPECT_EQ(hex(encode(Framing::tcp, 1, {.unit = 17, .address = 1, .values = {10, 258}})),
            "00010000000b1110000100020400"
            "0a0102");
  EXPECT_EQ(hex(encode(Framing::tcp, 1,
                       {.unit = 17, .table = Table::coil, .address = 19, .values = {1, 0, 1, 1, 0, 0, 1, 1, 1, 0}})),
            "000100000009110f0013000a02cd01");
  EXPECT_EQ(Request({.table = Table::discrete_input}).function(), 2);
  EXPECT_EQ(Request({.table = Table::input}).function(), 4);
  EXPECT_EQ(Request({.values = {1}, .as_list = true}).function(), 16);
}

TEST(ModbusAnswer, HasTheValues) {
  EXPECT_EQ(answer_of(Framing::tcp, kRead, bytes_of_hex("010200000009110306022b00000064")), "values 555 0 100");
  EXPECT_EQ(answer_of(Framing::rtu, kRead, rtu("110306022b00000064")), "values 555 0 100");
  const Request bits{.unit = 1, .table = Table::coil, .count = 10};
  EXPECT_EQ(answer_of(Framing::rtu, bits, rtu("010102cd01")), "values 1 0 1 1 0 0 1 1 1 0");
  EXPECT_EQ(answer_of(Framing::rtu, kWrite, rtu("110600010003")), "values");
  EXPECT_EQ(answer_of(Framing::tcp, kWrite, bytes_of_hex("010200000006110600010003")), "values");
}

TEST(ModbusAnswer, SkipsAnswersToEarlierRequests) {
  EXPECT_EQ(answer_of(Framing::tcp, kRead,
                      bytes_of_hex("010100000009110306ffffffffffff"
                                   "010200000009110306022b00000064")),
            "values 555 0 100");
}

TEST(ModbusAnswer, SaysWhatIsWrong) {
  EXPECT_EQ(answer_of(Framing::tcp, kRead, bytes_of_hex("010200000003118302")),
            "The device says: illegal data address (2).");
  EXPECT_EQ(answer_of(Framing::rtu, kRead, rtu("11830b")), "The device says: gateway target does not answer (11).");
  EXPECT_EQ(answer_of(Framing::rtu, kRead, rtu("1183ff")), "The device says: unknown exception (255).");
  std::string wrong = rtu("110306022b00000064");
  wrong[4] = 'x';
  EXPECT_EQ(answer_of(Framing::rtu, kRead, wrong), "The answer's checksum is wrong.");
  EXPECT_EQ(answer_of(Framing::rtu, kRead, rtu("120306022b00000064")), "The answer is not one to the request.");
  EXPECT_EQ(answer_of(Framing::rtu, kRead, rtu("110304022b0000")), "The answer is not one to the request.");
  EXPECT_EQ(answer_of(Framing::tcp, kRead, bytes_of_hex("010200000007110304022b0000")),
            "The answer has 4 bytes of values; expected 6.");
  EXPECT_EQ(answer_of(Framing::tcp, kRead, bytes_of_hex("0102000000091103ff022b00000064")),
            "The answer has 6 bytes of values; expected 6.");
  EXPECT_EQ(answer_of(Framing::tcp, kRead, bytes_of_hex("010200000009110406022b00000064")),
            "The answer is to another function.");
  EXPECT_EQ(answer_of(Framing::tcp, kRead, bytes_of_hex("01020000ffff11")), "The answer is not a frame of Modbus TCP.");
  EXPECT_EQ(answer_of(Framing::tcp, kRead, "HTTP/1.1 400 Bad Request"), "The answer is not a frame of Modbus TCP.");
  EXPECT_EQ(answer_of(Framing::tcp, kRead, bytes_of_hex("0102000000021183")),
            "The answer is not a frame of Modbus TCP.");
  EXPECT_EQ(answer_of(Framing::tcp, kWrite, bytes_of_hex("010200000006110600020003")),
            "The answer is to another write.");
  EXPECT_EQ(answer_of(Framing::tcp, kRead, bytes_of_hex("0102000000091103")), "more");
}

TEST(ModbusAnswer, IsFoundInAFlood) {
  AnswerReader reader(Framing::tcp);
  reader.expect(0x0102, kRead);
  std::string flood;
  for (int i = 0; i < 10'000; ++i) flood += bytes_of_hex("010100000003118302");
  EXPECT_EQ(text_of(reader.put(flood)), "more");
  EXPECT_EQ(text_of(reader.put(bytes_of_hex("010200000003118302"))), "The device says: illegal data address (2).");
}

}  // namespace
}  // namespace hearth::integrations::modbus
