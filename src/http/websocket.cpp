// SPDX-License-Identifier: Apache-2.0
#include "http/websocket.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/beast/core/bind_handler.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/websocket/stream.hpp>

#include "base/log/log.h"
#include "base/text/utf8.h"
#include "http/session.h"
#include "http/websocket_layer.h"
#include "http/worker.h"

namespace hearth::http {
namespace {

namespace beast = boost::beast;
using boost::system::error_code;

constexpr std::size_t kPauseBytes = 1024 * 1024;  // waiting for a client: reading pauses
constexpr std::size_t kKeptBuffer = 16 * 1024;
constexpr std::size_t kUncounted = 4 * 1024;  // bytes of a message that each connection may have outside the budget
// For the close handshake of all clients together when the server stops: a sweep is at most half a second later.
constexpr std::chrono::milliseconds kDrainTime{500};
constexpr std::size_t kMaxReason = 120;  // a control frame's 125 bytes, less the code and some room

}  // namespace

struct WebSocket::Connection final : WebSocketLayer::Owner {
  explicit Connection(WebSocket& owner) : socket(owner), stream(owner.session_, *this) {}

  bool heard(std::size_t bytes) override {
    socket.alive_ = true;
    socket.received_at_ = socket.worker().now();
    return socket.count_received(bytes);
  }
  void write(std::string bytes) override {
    constexpr char kClose = '\x88';
    if (bytes.starts_with(kClose) && !socket.closing_) socket.begin_closing();
    socket.queue(Message::raw(std::move(bytes)));
    socket.flush();
  }
  void torn_down() override { socket.shaken_ = true; }

  WebSocket& socket;
  beast::websocket::stream<WebSocketLayer, false> stream;
  beast::flat_buffer message;  // being received
};

WebSocket::WebSocket(Session& session, boost::asio::ip::address client, std::unique_ptr<WebSocketHandler> handler)
    : session_(session),
      client_(std::move(client)),
      connection_(std::make_unique<Connection>(*this)),
      receiving_(worker().commons().receiving),
      deadline_(worker().now() + worker().options().limits.websocket_login_time),
      received_at_(worker().now()),
      handler_(std::move(handler)) {
  connection_->stream.read_message_max(worker().options().limits.websocket_login_bytes);
  connection_->stream.set_option(beast::websocket::stream_base::decorator(
      [](beast::websocket::response_type& response) { response.set(beast::http::field::server, "Hearth"); }));
}

WebSocket::~WebSocket() = default;

Worker& WebSocket::worker() const {
  return session_.worker();
}

std::uint64_t WebSocket::id() const {
  return session_.id();
}

// The request has been checked; Beast gets only the fields that it reads.
void WebSocket::accept(std::string_view key) {
  using beast::http::field;
  beast::http::request<beast::http::empty_body> request(beast::http::verb::get, "/", 11);
  request.set(field::host, "-");
  request.set(field::upgrade, "websocket");
  request.set(field::connection, "upgrade");
  request.set(field::sec_websocket_key, key);
  request.set(field::sec_websocket_version, "13");
  ++pending_;
  connection_->stream.async_accept(request, [this](const error_code& error) { on_accepted(error.failed()); });
}

void WebSocket::take_early(std::string_view data) {
  connection_->stream.next_layer().take_early(data);
}

void WebSocket::on_readable() {
  connection_->stream.next_layer().on_readable();
}

void WebSocket::closed() {
  over_ = true;
  connection_->stream.next_layer().end();
}

void WebSocket::on_accepted(bool failed) {
  --pending_;
  if (failed || over_) return operation_ended();
  open_ = true;
  next_ping_ = worker().now() + worker().options().limits.websocket_ping_time;
  try {
    handler_->opened(*this);
  } catch (const std::exception& failure) {
    base::log_error("http", "a WebSocket of {} failed: {}", session_.peer_text(), failure.what());
    close(beast::websocket::internal_error, "Internal error.");
  }
  flush();
  if (worker().draining()) drain();
  read_or_pause();
}

void WebSocket::read() {
  ++pending_;
  connection_->stream.async_read(connection_->message,
                                 [this](const error_code& error, std::size_t) { on_read(error.failed()); });
}

void WebSocket::on_read(bool failed) {
  --pending_;
  if (failed || over_) return operation_ended();
  deliver();
  beast::flat_buffer& message = connection_->message;
  message.clear();
  received_ = 0;
  receiving_.resize(0);
  if (message.capacity() > kKeptBuffer) message.shrink_to_fit();
  flush();
  read_or_pause();
}

void WebSocket::deliver() {
  const auto bytes = connection_->message.cdata();
  const std::string_view payload(static_cast<const char*>(bytes.data()), bytes.size());
  const bool binary = connection_->stream.got_binary();
  // Beast misses an incomplete code point before an empty last fragment.
  if (!binary && !base::utf8_length(payload)) return close(beast::websocket::bad_payload, "");
  try {
    handler_->received(payload, binary);
  } catch (const std::exception& failure) {
    failed(failure);
  }
}

void WebSocket::failed(const std::exception& failure) {
  base::log_error("http", "a message from {} failed: {}", session_.peer_text(), failure.what());
  close(beast::websocket::internal_error, "Internal error.");
}

// A message, or a part of one, has been handled. The next step goes through the worker's queue, so that others have
// their turn.
void WebSocket::read_or_pause() {
  if (over_ || closing_) return;
  paused_ = much_waits();
  if (paused_) return;
  if (!rest_) return read();
  ++pending_;
  boost::asio::post(worker().io(), [this] { go_on(); });
}

void WebSocket::go_on() {
  --pending_;
  if (over_) return session_.operation_completed();
  if (closing_) return;
  try {
    std::exchange(rest_, nullptr)();
  } catch (const std::exception& failure) {
    failed(failure);
  }
  flush();
  read_or_pause();
}

bool WebSocket::send(MessagePtr message) {
  if (over_ || closing_) return false;
  queue(std::move(message));
  return !over_;
}

bool WebSocket::send(BodySource source) {
  if (over_ || closing_) return false;
  try {
    queue_.push(std::move(source));
  } catch (const std::exception& failure) {
    return broken(failure), false;
  }
  cut_if_slow();
  return !over_;
}

// The message cannot be completed, so that the client cannot be told why.
void WebSocket::broken(const std::exception& failure) {
  base::log_error("http", "a message to {} failed: {}", session_.peer_text(), failure.what());
  cut();
}

void WebSocket::queue(MessagePtr message) {
  if (over_) return;
  queue_.push(std::move(message));
  cut_if_slow();
}

// Too much to add answers to, but far from the limit at which the client is cut.
bool WebSocket::much_waits() const {
  return queue_.bytes() > kPauseBytes || queue_.size() > worker().options().limits.websocket_high / 2;
}

bool WebSocket::within_limits() const {
  const Limits& limits = worker().options().limits;
  return queue_.size() <= limits.stream_frames && queue_.bytes_after_front() <= limits.stream_bytes;
}

bool WebSocket::cut_if_slow() {
  if (within_limits()) return false;
  // Bytes that the kernel accepts now do not count as waiting.
  flush();
  if (over_ || within_limits()) return over_;
  base::log_warning("http", "cutting a WebSocket of {}: it reads too slowly, {} messages wait", session_.peer_text(),
                    queue_.size());
  cut();
  return true;
}

void WebSocket::when_drained(std::function<void()> callback) {
  if (queue_.bytes() <= kPauseBytes) return callback();
  drained_.push_back(std::move(callback));
}

void WebSocket::flush() {
  while (!over_ && !queue_.empty() && session_.writable()) {
    const std::string_view piece = queue_.next(coalescing_, worker().scratch());
    const std::size_t sent = session_.write_some(piece);
    if (over_) return;
    const bool full = sent < piece.size();
    try {
      queue_.sent(sent);
    } catch (const std::exception& failure) {
      return broken(failure);
    }
    if (full) session_.wait_writable();
  }
  if (over_) return;
  if (queue_.size() <= worker().options().limits.websocket_high) high_since_.reset();
  if (queue_.empty() && ended_) return linger();
  if (!drained_.empty() && queue_.bytes() <= kPauseBytes) {
    for (const auto& callback : std::exchange(drained_, {})) callback();
    if (over_) return;
  }
  if (paused_ && !much_waits()) read_or_pause();
}

void WebSocket::on_writable() {
  alive_ = true;
  flush();
}

void WebSocket::admit() {
  session_.admit();
  connection_->stream.read_message_max(worker().options().limits.websocket_message_bytes);
  if (!closing_) deadline_ = Time::max();
}

bool WebSocket::count_received(std::size_t bytes) {
  received_ += bytes;
  if (received_ <= kUncounted || receiving_.resize(received_)) return true;
  dismiss(beast::websocket::try_again_later, "The hub is receiving too much at once.");
  return false;
}

// Closes with a reason but without the close handshake, during which the rest of the message would have to be kept.
void WebSocket::dismiss(std::uint16_t code, std::string_view reason) {
  if (over_ || closing_) return;
  begin_closing();
  std::string frame{'\x88', static_cast<char>(reason.size() + 2), static_cast<char>(code >> 8),
                    static_cast<char>(code)};
  queue(Message::raw(frame.append(reason)));
  ended_ = true;
  flush();
}

void WebSocket::sweep() {
  const Limits& limits = worker().options().limits;
  const Time now = worker().now();
  if (now > deadline_) return cut();
  const bool inside_message = connection_->message.size() > 0;
  if (inside_message && now > received_at_ + limits.stall_time) return cut();
  if (queue_.size() > limits.websocket_high) {
    if (!high_since_) high_since_ = now;
    if (now >= *high_since_ + limits.websocket_high_time) {
      base::log_warning("http", "cutting a WebSocket of {}: it reads too slowly, {} messages have waited for long",
                        session_.peer_text(), queue_.size());
      return cut();
    }
  }
  if (now >= next_ping_ && !closing_) ping();
}

void WebSocket::ping() {
  if (!alive_) {
    base::log_info("http", "cutting a WebSocket of {}: it has not answered a ping", session_.peer_text());
    return cut();
  }
  alive_ = false;
  next_ping_ = worker().now() + worker().options().limits.websocket_ping_time;
  ++pending_;
  connection_->stream.async_ping({}, [this](const error_code&) {
    --pending_;
    if (over_) session_.operation_completed();
  });
}

void WebSocket::close(std::uint16_t code, std::string_view reason) {
  if (over_ || closing_) return;
  begin_closing();
  beast::websocket::close_reason why(code);
  const std::string text =
      reason.size() > kMaxReason ? base::utf8_excerpt(reason, kMaxReason - 3) : std::string(reason);
  why.reason.assign(text.data(), text.size());
  ++pending_;
  connection_->stream.async_close(why, [this](const error_code&) {
    --pending_;
    operation_ended();
  });
}

void WebSocket::begin_closing() {
  closing_ = true;
  deadline_ = worker().now() + worker().options().limits.websocket_close_time;
}

void WebSocket::cut() {
  if (!over_) session_.close();
}

void WebSocket::drain() {
  if (!open_) return;  // it will notice by itself
  close(beast::websocket::going_away, "The server is shutting down.");
  deadline_ = std::min(deadline_, worker().now() + kDrainTime);
}

// Reading or closing has ended: by the close handshake, because the client broke the protocol and was told so, or
// because the connection broke.
void WebSocket::operation_ended() {
  if (over_) return session_.operation_completed();
  if (!shaken_) return session_.close();
  ended_ = true;
  flush();
}

void WebSocket::linger() {
  if (std::exchange(lingering_, true)) return;
  session_.linger();
}

}  // namespace hearth::http
