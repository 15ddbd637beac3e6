// SPDX-License-Identifier: Apache-2.0
#include "integrations/modbus/protocol/request.h"

#include <fmt/format.h>

#include <utility>

#include "base/crc16.h"

namespace hearth::integrations::modbus {
namespace {

constexpr std::size_t kTcpHead = 7;  // transaction, protocol, length, unit
constexpr std::uint8_t kException = 0x80;

void put_byte(std::string& out, unsigned value) {
  out += static_cast<char>(value & 0xFFU);
}
void put_word(std::string& out, unsigned value) {
  put_byte(out, value >> 8U);
  put_byte(out, value);
}
std::uint8_t byte_at(std::string_view bytes, std::size_t at) {
  return static_cast<std::uint8_t>(bytes[at]);
}
std::uint16_t word_at(std::string_view bytes, std::size_t at) {
  return static_cast<std::uint16_t>(byte_at(bytes, at) << 8U | byte_at(bytes, at + 1));
}

std::size_t bytes_for_bits(std::size_t bits) {
  return (bits + 7) / 8;
}

std::size_t answer_bytes(const Request& request) {
  return is_bits(request.table) ? bytes_for_bits(request.count) : request.count * std::size_t{2};
}

void put_values(std::string& out, const Request& request) {
  if (!is_bits(request.table)) {
    put_byte(out, static_cast<unsigned>(request.values.size() * 2));
    for (const std::uint16_t value : request.values) put_word(out, value);
    return;
  }
  std::string bits(bytes_for_bits(request.values.size()), '\0');
  for (std::size_t at = 0; at < request.values.size(); ++at)
    if (request.values[at] != 0)
      bits[at / 8] = static_cast<char>(static_cast<unsigned char>(bits[at / 8]) | 1U << at % 8);
  put_byte(out, static_cast<unsigned>(bits.size()));
  out += bits;
}

// Function and data.
std::string body_of(const Request& request) {
  std::string body;
  put_byte(body, request.function());
  put_word(body, request.address);
  if (request.values.empty()) {
    put_word(body, request.count);
  } else if (request.values.size() == 1 && !request.as_list) {
    const unsigned value = request.values.front();
    put_word(body, is_bits(request.table) ? (value != 0 ? 0xFF00U : 0U) : value);
  } else {
    put_word(body, static_cast<unsigned>(request.values.size()));
    put_values(body, request);
  }
  return body;
}

std::unexpected<RequestFailure> broken(std::string message) {
  return std::unexpected(RequestFailure{.kind = RequestFailure::Kind::broken, .message = std::move(message)});
}

// Bytes of an RTU answer by its first three; 0 if it is none to the request.
std::size_t rtu_size(std::string_view bytes, const Request& request) {
  if (byte_at(bytes, 0) != request.unit) return 0;
  const std::uint8_t function = byte_at(bytes, 1);
  if (function == (request.function() | kException)) return 5;
  if (function != request.function()) return 0;
  if (!request.values.empty()) return 8;
  const std::size_t data = byte_at(bytes, 2);
  return data == answer_bytes(request) ? data + 5 : 0;
}

}  // namespace

std::uint8_t Request::function() const {
  if (values.empty()) {
    switch (table) {
      case Table::coil:
        return 1;
      case Table::discrete_input:
        return 2;
      case Table::holding:
        return 3;
      case Table::input:
        return 4;
    }
  }
  const bool several = values.size() > 1 || as_list;
  if (is_bits(table)) return several ? 15 : 5;
  return several ? 16 : 6;
}

std::string exception_text(std::uint8_t code) {
  constexpr std::string_view kNames[] = {"",
                                         "illegal function",
                                         "illegal data address",
                                         "illegal data value",
                                         "device failure",
                                         "acknowledged, not done yet",
                                         "device busy",
                                         "negative acknowledgement",
                                         "memory parity error",
                                         "",
                                         "gateway path unavailable",
                                         "gateway target does not answer"};
  const std::string_view name = code < std::size(kNames) ? kNames[code] : "";
  return fmt::format("{} ({})", name.empty() ? "unknown exception" : name, code);
}

std::string encode(Framing framing, std::uint16_t transaction, const Request& request) {
  const std::string body = body_of(request);
  std::string frame;
  if (framing == Framing::tcp) {
    put_word(frame, transaction);
    put_word(frame, 0);
    put_word(frame, static_cast<unsigned>(body.size() + 1));
    put_byte(frame, request.unit);
    return frame + body;
  }
  put_byte(frame, request.unit);
  frame += body;
  const std::uint16_t crc = base::crc16(frame, 0xFFFF);
  put_byte(frame, crc);
  put_byte(frame, crc >> 8U);
  return frame;
}

void AnswerReader::expect(std::uint16_t transaction, Request request) {
  transaction_ = transaction;
  request_ = std::move(request);
  bytes_.clear();
}

std::optional<Answer> AnswerReader::put(std::string_view bytes) {
  // A peer that sends more than it should is noticed at the first frame of it.
  while (!bytes.empty()) {
    const std::string_view part = bytes.substr(0, kMaxFrame);
    bytes.remove_prefix(part.size());
    bytes_ += part;
    auto answer = framing_ == Framing::tcp ? take_tcp() : take_rtu();
    if (answer) {
      bytes_.clear();
      return answer;
    }
  }
  return {};
}

std::optional<Answer> AnswerReader::take_tcp() {
  while (bytes_.size() >= kTcpHead) {
    const std::size_t length = word_at(bytes_, 4);
    if (word_at(bytes_, 2) != 0 || length < 3 || length > kMaxFrame - 6)
      return broken("The answer is not a frame of Modbus TCP.");
    if (bytes_.size() < 6 + length) return {};
    if (word_at(bytes_, 0) == transaction_) return read_body(std::string_view(bytes_).substr(kTcpHead, length - 1));
    bytes_.erase(0, 6 + length);  // to an earlier request, which was given up
  }
  return {};
}

std::optional<Answer> AnswerReader::take_rtu() {
  if (bytes_.size() < 3) return {};
  const std::size_t size = rtu_size(bytes_, request_);
  if (size == 0) return broken("The answer is not one to the request.");
  if (bytes_.size() < size) return {};
  const std::string_view frame = std::string_view(bytes_).substr(0, size);
  const auto crc = static_cast<std::uint16_t>(byte_at(frame, size - 2) | byte_at(frame, size - 1) << 8U);
  if (crc != base::crc16(frame.substr(0, size - 2), 0xFFFF)) return broken("The answer's checksum is wrong.");
  return read_body(frame.substr(1, size - 3));
}

Answer AnswerReader::read_body(std::string_view body) const {
  const std::uint8_t function = byte_at(body, 0);
  if (function == (request_.function() | kException)) {
    const std::uint8_t code = byte_at(body, 1);
    return std::unexpected(
        RequestFailure{RequestFailure::Kind::exception, code, "The device says: " + exception_text(code) + "."});
  }
  if (function != request_.function()) return broken("The answer is to another function.");
  if (!request_.values.empty()) {
    if (body.size() != 5 || word_at(body, 1) != request_.address) return broken("The answer is to another write.");
    return Words();
  }
  const std::size_t size = answer_bytes(request_);
  if (body.size() != size + 2 || byte_at(body, 1) != size)
    return broken(fmt::format("The answer has {} bytes of values; expected {}.", body.size() - 2, size));
  Words words;
  for (std::size_t at = 0; at < request_.count; ++at) {
    if (is_bits(request_.table))
      words.push_back(byte_at(body, 2 + at / 8) >> at % 8 & 1U);
    else
      words.push_back(word_at(body, 2 + at * 2));
  }
  return words;
}

}  // namespace hearth::integrations::modbus
