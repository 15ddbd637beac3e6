// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/session/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "integrations/esphome/protocol/noise_frames.h"
#include "integrations/esphome/protocol/plain_frames.h"

namespace hearth::integrations::esphome {
namespace {

using Cause = SessionEnd::Cause;

constexpr std::uint32_t kMajor = 1, kMinor = 14;
constexpr std::uint32_t kWarnings = 2;  // the level of log lines

Cause cause_of(FrameError error) {
  switch (error) {
    case FrameError::needs_encryption:
      return Cause::needs_key;
    case FrameError::no_encryption:
      return Cause::no_encryption;
    case FrameError::wrong_key:
      return Cause::wrong_key;
    case FrameError::unsupported_encryption:
      return Cause::unsupported;
    case FrameError::rejected:
      return Cause::lost;
    default:
      return Cause::broken;
  }
}

}  // namespace

Session::Session(domains::IntegrationBus& bus, const base::Clock& clock, SessionOptions options, Wire& wire,
                 SessionEvents& events, RecentMessages& recent)
    : bus_(bus), clock_(clock), options_(std::move(options)), wire_(wire), events_(events), recent_(recent) {
  if (options_.key)
    framing_ = std::make_unique<NoiseFrames>(*options_.key);
  else
    framing_ = std::make_unique<PlainFrames>();
}

void Session::begin() {
  stage_ = Stage::greeting;
  last_heard_ = clock_.steady_now();
  expect_within(kGreetingLimit, "greet");
  if (std::string opening = framing_->opening(); !opening.empty()) wire_.send(std::move(opening));
  if (framing_->open()) greet();
}

void Session::greet() {
  proto::Hello hello;
  hello.set_client_info(options_.client_info);
  hello.set_api_version_major(kMajor);
  hello.set_api_version_minor(kMinor);
  transmit(message::hello, hello);
}

void Session::transmit(std::uint32_t type, std::string_view payload) {
  std::string bytes;
  if (!framing_->append(bytes, type, payload)) return;
  recent_.sent(type, payload);
  wire_.send(std::move(bytes));
}

void Session::transmit(std::uint32_t type, const google::protobuf::MessageLite& message) {
  transmit(type, message.SerializeAsString());
}

bool Session::send(std::uint32_t type, const google::protobuf::MessageLite& message) {
  if (stage_ != Stage::ready || message.ByteSizeLong() > NoiseFrames::kMaxPayload) return false;
  transmit(type, message);
  return true;
}

void Session::set_key(std::string base64, std::function<void(bool)> done) {
  proto::NewKey message;
  message.set_key(std::move(base64));
  if (!send(message::new_key, message)) return done(false);
  key_done_ = std::move(done);
}

void Session::receive(std::string_view bytes) {
  if (stage_ == Stage::idle || stage_ == Stage::ended) return;
  last_heard_ = clock_.steady_now();
  framing_->put(bytes);
  read();
}

void Session::read() {
  while (stage_ != Stage::ended) {
    const bool was_open = framing_->open();
    const auto frame = framing_->next();
    if (!frame) return end(cause_of(frame.error().error), frame.error().text());
    if (!was_open && framing_->open()) greet();
    if (!*frame) return;
    recent_.received((*frame)->type, (*frame)->payload);
    if (floods())
      return end(Cause::flood, fmt::format("The node sends more than {} messages a second.", kMaxPerSecond));
    if (!handle(**frame) && stage_ != Stage::ended)
      return end(Cause::broken,
                 fmt::format("The node sends a message of type {} that cannot be read.", (*frame)->type));
  }
}

bool Session::floods() {
  const auto now = clock_.steady_now();
  if (now - second_ >= std::chrono::seconds(1)) {
    const bool in_a_row = now - second_ < std::chrono::seconds(2) && in_second_ > kMaxPerSecond;
    flooded_seconds_ = in_a_row ? flooded_seconds_ + 1 : 0;
    second_ = now;
    in_second_ = 0;
  }
  ++in_second_;
  return flooded_seconds_ >= kFloodSeconds;
}

bool Session::handle(const Frame& frame) {
  switch (frame.type) {
    case message::ping:
      transmit(message::ping_answer, std::string_view());
      return true;
    case message::ping_answer:
      return true;
    case message::disconnect:
      transmit(message::disconnect_answer, std::string_view());
      end(Cause::said_goodbye, "The node has said goodbye.");
      return true;
    case message::disconnect_answer:
      return true;
    case message::time_wanted:
      return answer_time();
    case message::password_answer: {
      const auto answer = parse_message<proto::PasswordAnswer>(frame.payload);
      if (answer && answer->invalid_password())
        end(Cause::wrong_password,
            options_.password.empty() ? "The node needs its password." : "The node has another password.");
      return answer.has_value();
    }
    case message::new_key_answer: {
      const auto answer = parse_message<proto::NewKeyAnswer>(frame.payload);
      if (const auto done = std::exchange(key_done_, {}); done && answer) done(answer->success());
      return answer.has_value();
    }
    default:
      break;
  }
  switch (stage_) {
    case Stage::greeting:
      return handle_greeting(frame);
    case Stage::describing:
      return frame.type == message::node_info ? take_node(frame.payload) : true;
    case Stage::listing:
      return take_listed(frame);
    case Stage::ready:
      return events_.on_message(frame.type, frame.payload);
    default:
      return true;
  }
}

bool Session::handle_greeting(const Frame& frame) {
  if (frame.type != message::hello_answer) return true;
  const auto answer = parse_message<proto::HelloAnswer>(frame.payload);
  if (!answer) return false;
  if (answer->api_version_major() != kMajor) {
    end(Cause::unsupported, fmt::format("The node speaks version {} of the protocol, and the hub version {}.",
                                        answer->api_version_major(), kMajor));
    return true;
  }
  stage_ = Stage::describing;
  expect_within(kListLimit, "describe itself");
  // Old nodes want it even if they have no password; new ones ignore it.
  proto::Password password;
  password.set_password(options_.password);
  transmit(message::password, password);
  transmit(message::describe, std::string_view());
  return true;
}

bool Session::answer_time() {
  proto::Time time;
  const auto seconds = std::chrono::floor<std::chrono::seconds>(clock_.now().time_since_epoch()).count();
  time.set_epoch_seconds(static_cast<std::uint32_t>(seconds));
  time.set_timezone(options_.posix_time_zone);
  transmit(message::time, time);
  return true;
}

bool Session::take_node(std::string_view payload) {
  const auto info = parse_message<proto::NodeInfo>(payload);
  if (!info) return false;
  if (auto taken = events_.on_node(*info); !taken) {
    transmit(message::disconnect, std::string_view());
    end(Cause::refused, taken.error().message);
    return true;
  }
  stage_ = Stage::listing;
  transmit(message::list, std::string_view());
  return true;
}

bool Session::take_listed(const Frame& frame) {
  if (frame.type == message::list_done) {
    become_ready();
    return true;
  }
  listed_bytes_ += frame.payload.size();
  if (++listed_ > kMaxListed || listed_bytes_ > kMaxListedBytes) {
    end(Cause::broken, fmt::format("The node describes more than {} entities.", kMaxListed));
    return true;
  }
  return events_.on_listed(frame.type, frame.payload);
}

void Session::become_ready() {
  stage_ = Stage::ready;
  deadline_ = {};
  keep_alive();
  events_.on_ready();
  if (stage_ != Stage::ready) return;
  transmit(message::subscribe_states, std::string_view());
  transmit(message::subscribe_requests, std::string_view());
  transmit(message::subscribe_states_wanted, std::string_view());
  proto::LogsWanted logs;
  logs.set_level(kWarnings);
  transmit(message::subscribe_logs, logs);
}

void Session::expect_within(base::Duration limit, std::string_view what) {
  deadline_ = bus_.schedule(limit, [this, limit, what] {
    end(Cause::lost, fmt::format("The node did not {} within {} s.", what,
                                 std::chrono::duration_cast<std::chrono::seconds>(limit).count()));
  });
}

void Session::keep_alive() {
  const base::Duration silence = clock_.steady_now() - last_heard_;
  if (silence >= kLostAfter) return end(Cause::lost, "The node does not answer any more.");
  if (silence >= kPingAfter) transmit(message::ping, std::string_view());
  const base::Duration next = silence < kPingAfter ? kPingAfter - silence : std::min(kPingAfter, kLostAfter - silence);
  alive_ = bus_.schedule(next, [this] { keep_alive(); });
}

void Session::lost(std::string why) {
  if (stage_ == Stage::idle) return;
  end(Cause::lost, std::move(why));
}

void Session::close() {
  if (stage_ == Stage::ended || stage_ == Stage::idle) return;
  if (framing_->open()) transmit(message::disconnect, std::string_view());
  end(Cause::closed, "The hub has ended the connection.");
}

void Session::end(Cause cause, std::string text) {
  if (std::exchange(stage_, Stage::ended) == Stage::ended) return;
  deadline_ = {};
  alive_ = {};
  wire_.close(text);
  if (const auto done = std::exchange(key_done_, {})) done(false);
  events_.on_end({cause, std::move(text)});
}

}  // namespace hearth::integrations::esphome
