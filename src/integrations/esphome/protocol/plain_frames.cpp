// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/protocol/plain_frames.h"

namespace hearth::integrations::esphome {
namespace {

constexpr char kPlain = 0, kEncrypted = 1;
constexpr std::size_t kMaxNumber = 5;  // bytes

// Null before all of it has come.
std::expected<std::optional<std::uint64_t>, FrameFailure> take_number(std::string_view& bytes) {
  std::uint64_t number = 0;
  for (std::size_t place = 0; place < bytes.size() && place < kMaxNumber; ++place) {
    const auto byte = static_cast<unsigned char>(bytes[place]);
    number |= static_cast<std::uint64_t>(byte & 0x7F) << (7 * place);
    if (byte & 0x80) continue;
    bytes.remove_prefix(place + 1);
    return number;
  }
  if (bytes.size() < kMaxNumber) return std::nullopt;
  return std::unexpected(FrameFailure{FrameError::wrong_number});
}

void append_number(std::string& out, std::size_t number) {
  for (; number >= 0x80; number >>= 7) out += static_cast<char>((number & 0x7F) | 0x80);
  out += static_cast<char>(number);
}

}  // namespace

std::expected<std::optional<Frame>, FrameFailure> PlainFrames::next() {
  std::string_view rest = queue_.rest();
  if (rest.empty()) return std::nullopt;
  if (rest.front() == kEncrypted) return std::unexpected(FrameFailure{FrameError::needs_encryption});
  if (rest.front() != kPlain) return std::unexpected(FrameFailure{FrameError::wrong_start});
  rest.remove_prefix(1);
  const auto length = take_number(rest);
  if (!length) return std::unexpected(length.error());
  if (!*length) return std::nullopt;
  if (**length > kMaxPayload) return std::unexpected(FrameFailure{FrameError::too_long});
  const auto type = take_number(rest);
  if (!type) return std::unexpected(type.error());
  if (!*type || rest.size() < **length) return std::nullopt;
  const std::size_t head = queue_.rest().size() - rest.size();
  const auto size = static_cast<std::size_t>(**length);
  const std::string_view whole = queue_.take(head + size);
  return Frame{static_cast<std::uint32_t>(**type), whole.substr(head)};
}

bool PlainFrames::append(std::string& out, std::uint32_t type, std::string_view payload) {
  if (payload.size() > kMaxPayload) return false;
  out += kPlain;
  append_number(out, payload.size());
  append_number(out, type);
  out += payload;
  return true;
}

}  // namespace hearth::integrations::esphome
