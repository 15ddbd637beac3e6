// SPDX-License-Identifier: Apache-2.0
#include "net/websocket/websocket_client.h"

#include <fmt/format.h>
#include <sodium.h>

#include <array>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <cstring>
#include <utility>

#include "base/log/guarded.h"
#include "base/log/log.h"
#include "base/text/utf8.h"
#include "net/http/digest_auth.h"
#include "net/websocket/websocket_layer.h"

namespace hearth::net {
namespace {

namespace beast = boost::beast;
namespace websocket = beast::websocket;
using boost::system::error_code;

constexpr std::size_t kEnoughToRead = 256 * 1024;  // bytes that wait for Beast
constexpr std::size_t kKeptMessage = 16 * 1024;    // memory that an idle connection keeps
constexpr std::size_t kMaxCloseReason = 123;       // RFC 6455 §5.5

std::string shown_reason(const websocket::close_reason& reason) {
  const std::string_view text(reason.reason.data(), reason.reason.size());
  return text.empty()
             ? fmt::format("{}", static_cast<unsigned>(reason.code))
             : fmt::format("{}, {}", static_cast<unsigned>(reason.code), base::utf8_excerpt(base::utf8_repaired(text)));
}

}  // namespace

struct WebSocketClient::Session {
  Session(boost::asio::io_context& io, WebSocketLayer::Write write, std::function<void()> took)
      : stream(io, std::move(write), std::move(took)) {}

  websocket::stream<WebSocketLayer, false> stream;
  beast::flat_buffer message;
  websocket::response_type response;
};

std::expected<std::unique_ptr<WebSocketClient>, Failure> WebSocketClient::create(Reactor& reactor,
                                                                                 WebSocketOptions options,
                                                                                 Handler& handler, MakeLink make) {
  if (auto wrong = check_request({.url = options.url, .headers = options.headers}))
    return std::unexpected(std::move(*wrong));
  auto url = parse_url(options.url);
  if (!url) return std::unexpected(std::move(url.error()));
  LinkOptions link{.target = {.host = url->host, .port = url->port, .addresses = options.addresses},
                   .greeting_limit = options.greeting_limit,
                   .pauses = options.pauses};
  if (url->secure)
    link.target.tls = TlsOptions{.verify_certificate = options.verify_certificate, .authorities = options.authorities};
  std::unique_ptr<WebSocketClient> client(new WebSocketClient(reactor, std::move(options), std::move(*url), handler));
  client->link_ = make ? make(std::move(link), *client) : make_link(reactor, std::move(link), *client);
  return client;
}

WebSocketClient::WebSocketClient(Reactor& reactor, WebSocketOptions options, Url url, Handler& handler)
    : reactor_(reactor), options_(std::move(options)), url_(std::move(url)), handler_(handler), ping_(reactor) {}

WebSocketClient::~WebSocketClient() {
  end_session();
}

template <class Work>
void WebSocketClient::guarded(Work work) {
  const Life::Watch watch = life_.watch();
  try {
    work();
  } catch (...) {
    if (watch.over()) throw;
    Failure failure = failure_of_exception(url_.authority() + ": what it sent cannot be handled");
    base::log_error("net", "a WebSocket is cut: {}", failure.message);
    fail(std::move(failure));
  }
}

void WebSocketClient::end_session() {
  life_.renew();
  open_ = heard_ = read_waits_ = false;
  ping_.cancel();
  // Its operations hear of the end, and let go of it.
  if (session_) session_->stream.next_layer().end();
  session_.reset();
}

void WebSocketClient::on_connected() {
  end_session();
  regulate();
  // Of a message that is larger than what may wait, more comes when Beast has taken what waits.
  session_ = std::make_shared<Session>(
      reactor_.io(), [this](std::string_view bytes) { link_->write(bytes); }, [this] { regulate(); });
  auto& stream = session_->stream;
  stream.read_message_max(options_.max_message);
  stream.set_option(websocket::stream_base::decorator([this](websocket::request_type& request) {
    using beast::http::field;
    request.set(field::user_agent, "Hearth");
    if (!options_.subprotocol.empty()) request.set(field::sec_websocket_protocol, options_.subprotocol);
    if (!url_.user.empty()) request.set(field::authorization, basic_authorization(url_.user, url_.password));
    for (const auto& [name, value] : options_.headers) request.set(name, value);
  }));
  stream.async_handshake(session_->response, url_.authority(), url_.target,
                         [this, watch = life_.watch(), session = session_](const error_code& error) {
                           if (!watch.over()) guarded([&] { on_handshake(error); });
                         });
}

void WebSocketClient::on_handshake(const error_code& error) {
  const unsigned status = session_->response.result_int();
  if (error == websocket::error::upgrade_declined && (status == 401 || status == 403))
    return fail(Reason::invalid_auth, fmt::format("answers {}: it wants other credentials", status));
  if (error == websocket::error::upgrade_declined)
    return fail(Reason::unsupported, fmt::format("answers {} instead of agreeing on a WebSocket", status));
  if (error) return fail(Reason::unsupported, "does not agree on a WebSocket: " + error.message());
  open_ = true;
  link_->set_ready();
  ping_.start(options_.ping, [this] { ping(); });
  read();
  handler_.on_open();
}

void WebSocketClient::on_bytes(std::string_view bytes) {
  heard_ = true;
  if (!session_) return;
  const auto session = session_;  // what it completes may end it, and this
  const Life::Watch watch = life_.watch();
  session->stream.next_layer().feed(bytes);
  if (!watch.over()) regulate();
}

void WebSocketClient::read() {
  read_waits_ = paused_;
  if (paused_) return;
  session_->stream.async_read(session_->message,
                              [this, watch = life_.watch(), session = session_](const error_code& error, std::size_t) {
                                if (!watch.over()) guarded([&] { on_read(error); });
                              });
}

void WebSocketClient::on_read(const error_code& error) {
  if (error == websocket::error::closed)
    return fail(Reason::cannot_connect,
                fmt::format("has closed the WebSocket ({})", shown_reason(session_->stream.reason())));
  if (error == websocket::error::message_too_big)
    return fail(Reason::unsupported, fmt::format("sends a message of more than {} KiB", options_.max_message / 1024));
  if (error) return fail(Reason::unsupported, "breaks the WebSocket protocol: " + error.message());
  const auto session = session_;
  auto& message = session->message;
  const std::string_view payload(static_cast<const char*>(message.cdata().data()), message.size());
  const bool binary = session->stream.got_binary();
  // Beast misses an incomplete code point before an empty last fragment.
  if (!binary && !base::utf8_length(payload)) return fail(Reason::unsupported, "sends a text that is not UTF-8");
  const Life::Watch watch = life_.watch();
  handler_.on_message(payload, binary);
  if (watch.over()) return;
  message.clear();
  if (message.capacity() > kKeptMessage) message.shrink_to_fit();
  regulate();
  read();
}

void WebSocketClient::on_lost(const Failure& why, std::chrono::milliseconds retry_in) {
  end_session();
  handler_.on_lost(why, retry_in);
}

void WebSocketClient::ping() {
  if (!std::exchange(heard_, false)) return fail(Reason::timeout, "does not answer any more");
  write(Opcode::ping, {});
  ping_.start(options_.ping, [this] { ping(); });
}

// A message is one frame, masked (RFC 6455 §5.2, §5.3). Beast writes its own frames through the same link.
void WebSocketClient::write(Opcode opcode, std::string_view payload) {
  constexpr unsigned kFinal = 0x80, kMasked = 0x80;
  std::string frame;
  frame.reserve(payload.size() + 14);
  frame += static_cast<char>(kFinal | static_cast<unsigned>(opcode));
  const auto append_size = [&](int bytes) {
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) frame += static_cast<char>(payload.size() >> shift);
  };
  if (payload.size() < 126) {
    frame += static_cast<char>(kMasked | payload.size());
  } else {
    const bool is_short = payload.size() < 65'536;
    frame += static_cast<char>(kMasked | (is_short ? 126U : 127U));
    append_size(is_short ? 2 : 8);
  }
  std::array<char, 4> mask;
  ::randombytes_buf(mask.data(), mask.size());
  frame.append(mask.data(), mask.size());
  const std::size_t begin = frame.size();
  frame += payload;
  for (std::size_t i = 0; i < payload.size(); ++i) frame[begin + i] = static_cast<char>(frame[begin + i] ^ mask[i % 4]);
  link_->write(frame);
}

void WebSocketClient::send(std::string_view message, bool binary) {
  if (open_) write(binary ? Opcode::binary : Opcode::text, message);
}

void WebSocketClient::stop(std::uint16_t code, std::string_view reason) {
  if (open_) {
    std::string payload{static_cast<char>(code >> 8), static_cast<char>(code & 0xFF)};
    payload += reason.substr(0, kMaxCloseReason);
    write(Opcode::close, payload);
  }
  end_session();
  link_->stop();
}

void WebSocketClient::regulate() {
  const bool pause = paused_ || (session_ && session_->stream.next_layer().waiting() > kEnoughToRead);
  if (pause == link_paused_) return;
  link_paused_ = pause;
  if (pause)
    link_->pause_reading();
  else
    link_->resume_reading();
}

void WebSocketClient::pause_reading() {
  paused_ = true;
  regulate();
}

void WebSocketClient::resume_reading() {
  paused_ = false;
  regulate();
  if (open_ && read_waits_) read();
}

void WebSocketClient::fail(Failure why) {
  link_->fail(std::move(why));
}

void WebSocketClient::fail(Reason reason, std::string_view what) {
  fail({reason, fmt::format("{} {}", url_.authority(), what)});
}

}  // namespace hearth::net
