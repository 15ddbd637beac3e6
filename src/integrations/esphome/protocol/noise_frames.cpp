// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/protocol/noise_frames.h"

#include <algorithm>
#include <utility>

namespace hearth::integrations::esphome {
namespace {

constexpr char kEncryptedStart = 1, kPlainStart = 0;
constexpr std::size_t kHead = 3;           // bytes: the start and the length
constexpr std::size_t kInnerHead = 4;      // type and length of the payload
constexpr std::size_t kMaxGreeting = 256;  // bytes of a body during the handshake
// The name of the protocol, then the length and the body of the hub's first frame, which is empty.
constexpr std::string_view kPrologue("NoiseAPIInit\0\0", 14);

std::size_t number_at(std::string_view bytes, std::size_t place) {
  return static_cast<std::size_t>(static_cast<unsigned char>(bytes[place])) << 8 |
         static_cast<unsigned char>(bytes[place + 1]);
}

void append_length(std::string& out, std::size_t number) {
  out += static_cast<char>(number >> 8);
  out += static_cast<char>(number & 0xFF);
}

FrameFailure failure(FrameError error, std::string_view said = {}) {
  return {error, std::string(said)};
}

}  // namespace

NoiseFrames::NoiseFrames(const NodeKey& key, const SecretBytes& secret)
    : handshake_(std::in_place, key, kPrologue, secret) {}

std::string NoiseFrames::opening() {
  std::string out;
  out += kEncryptedStart;
  append_length(out, 0);
  out += kEncryptedStart;
  append_length(out, 1 + NoiseInitiator::kMessage);
  out += '\0';
  out += handshake_->first_message();
  return out;
}

std::expected<std::optional<Frame>, FrameFailure> NoiseFrames::next() {
  for (;;) {
    const std::string_view rest = queue_.rest();
    if (rest.empty()) return std::nullopt;
    if (rest.front() == kPlainStart && !open()) return std::unexpected(failure(FrameError::no_encryption));
    if (rest.front() != kEncryptedStart) return std::unexpected(failure(FrameError::wrong_start));
    if (rest.size() < kHead) return std::nullopt;
    const std::size_t length = number_at(rest, 1);
    if (!open() && length > kMaxGreeting) return std::unexpected(failure(FrameError::wrong_length));
    if (rest.size() < kHead + length) return std::nullopt;
    queue_.take(kHead);
    if (open()) return take_frame(length);
    const std::string_view body = queue_.take(length);
    const auto wrong = std::exchange(greeted_, true) ? finish_handshake(body) : take_hello(body);
    if (wrong) return std::unexpected(*wrong);
  }
}

std::optional<FrameFailure> NoiseFrames::take_hello(std::string_view body) {
  if (body.empty() || body.front() != 1) return failure(FrameError::unsupported_encryption);
  body.remove_prefix(1);
  const auto name = body.find('\0');
  if (name == std::string_view::npos) return {};
  body.remove_prefix(name + 1);
  mac_ = body.substr(0, body.find('\0'));
  return {};
}

std::optional<FrameFailure> NoiseFrames::finish_handshake(std::string_view body) {
  if (body.empty()) return failure(FrameError::wrong_length);
  const char verdict = body.front();
  body.remove_prefix(1);
  if (verdict != 0) {
    if (body == "Handshake MAC failure") return failure(FrameError::wrong_key);
    return failure(FrameError::rejected, body);
  }
  if (body.size() != NoiseInitiator::kMessage) return failure(FrameError::wrong_length);
  ciphers_ = handshake_->finish(body);
  handshake_.reset();
  if (!ciphers_) return failure(FrameError::wrong_key);
  return {};
}

std::expected<std::optional<Frame>, FrameFailure> NoiseFrames::take_frame(std::size_t length) {
  const auto opened = ciphers_->of_responder.open(queue_.take_mutable(length));
  if (!opened) return std::unexpected(failure(FrameError::not_authentic));
  if (opened->size() < kInnerHead) return std::unexpected(failure(FrameError::wrong_length));
  const std::size_t size = number_at(*opened, 2);
  if (size > opened->size() - kInnerHead) return std::unexpected(failure(FrameError::wrong_length));
  return Frame{static_cast<std::uint32_t>(number_at(*opened, 0)), opened->substr(kInnerHead, size)};
}

bool NoiseFrames::append(std::string& out, std::uint32_t type, std::string_view payload) {
  if (payload.size() > kMaxPayload || type > 0xFFFF) return false;
  std::string plain;
  plain.reserve(kInnerHead + payload.size());
  append_length(plain, type);
  append_length(plain, payload.size());
  plain += payload;
  out += kEncryptedStart;
  append_length(out, plain.size() + NoiseCipher::kMac);
  ciphers_->of_initiator.seal(out, plain);
  return true;
}

}  // namespace hearth::integrations::esphome
