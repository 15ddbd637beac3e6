// SPDX-License-Identifier: Apache-2.0
// Requests of Modbus (Application Protocol V1.1b3) and their answers, framed as Modbus TCP (also over UDP) or as RTU
// (serial, or over TCP). Values; any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hearth::integrations::modbus {

enum class Table { coil, discrete_input, holding, input };
enum class Framing { tcp, rtu };

// The most that one request may read or write.
constexpr std::uint16_t kMaxReadRegisters = 125, kMaxReadBits = 2'000, kMaxWriteRegisters = 123, kMaxWriteBits = 1'968;
constexpr bool is_bits(Table table) {
  return table == Table::coil || table == Table::discrete_input;
}

struct Request {
  std::uint8_t unit = 1;
  Table table = Table::holding;
  std::uint16_t address = 0;
  std::uint16_t count = 1;                 // of registers or bits to read
  std::vector<std::uint16_t> values = {};  // to write, instead; bits are 0 or 1
  bool as_list = false;                    // one value is written by the function for several

  std::uint8_t function() const;
};

// Registers, or bits as 0 and 1; none if it answers a write.
using Words = std::vector<std::uint16_t>;

struct RequestFailure {
  enum class Kind {
    exception,  // the device refuses it, with a code of its own
    broken,     // the answer is not one to the request
    no_answer,  // within the time limit
    no_link,    // not connected, or the connection was lost
    not_now,    // a queue is full, or the hub stops
  };
  Kind kind;
  std::uint8_t code = 0;  // of an exception
  std::string message;    // a sentence for people, without the device

  // The addresses are wrong, or too many at a time: smaller requests may work.
  bool may_be_of_a_part() const { return kind == Kind::exception && code >= 1 && code <= 4; }
};
using Answer = std::expected<Words, RequestFailure>;

// REQUIRES: count or values within the bounds above, and the last address is at most 65,535.
std::string encode(Framing framing, std::uint16_t transaction, const Request& request);

// Reads the answer to one request after the other from a stream of bytes.
class AnswerReader {
 public:
  // The longest frame of TCP; RTU's are shorter.
  static constexpr std::size_t kMaxFrame = 260;

  explicit AnswerReader(Framing framing) : framing_(framing) {}

  // Forgets what has come, and waits for this one.
  void expect(std::uint16_t transaction, Request request);
  // The answer, if it is complete now. Bytes after it are dropped, as are answers to earlier transactions.
  std::optional<Answer> put(std::string_view bytes);

 private:
  std::optional<Answer> take_tcp();
  std::optional<Answer> take_rtu();
  Answer read_body(std::string_view body) const;

  const Framing framing_;
  std::uint16_t transaction_ = 0;
  Request request_;
  std::string bytes_;
};

// "illegal data address (2)"
std::string exception_text(std::uint8_t code);

}  // namespace hearth::integrations::modbus
