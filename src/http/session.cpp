// SPDX-License-Identifier: Apache-2.0
#include "http/session.h"

#include <fmt/format.h>

#include <boost/beast/http/error.hpp>
#include <cstring>

#include "base/log.h"
#include "http/client_address.h"
#include "http/compression.h"
#include "http/worker.h"

namespace hearth::http {
namespace {

constexpr auto kLingerTime = std::chrono::seconds(2);
constexpr int kRequestsAtOnce = 64;  // then the worker's other sessions have their turn
constexpr std::size_t kPiece = 64 * 1024;
constexpr std::size_t kKeptOut = 1024 * 1024;

using HttpError = boost::beast::http::error;

}  // namespace

Session::Session(Worker& worker, std::uint64_t id, Socket socket, boost::asio::ip::address peer)
    : worker_(worker), id_(id), socket_(std::move(socket)), peer_(std::move(peer)) {}

Session::~Session() {
  if (stream_) stream_->closed();
}

void Session::start() {
  // A connection that says nothing has as long as a request's head.
  deadline_ = worker_.now() + worker_.options().limits.header_time;
  wait_readable();
}

void Session::set_phase(Phase phase) {
  const Limits& limits = worker_.options().limits;
  phase_ = phase;
  switch (phase) {
    case Phase::idle: deadline_ = worker_.now() + limits.idle_time; break;
    case Phase::head: deadline_ = worker_.now() + limits.header_time; break;
    case Phase::body:
    case Phase::writing: deadline_ = worker_.now() + limits.stall_time; break;
    case Phase::lingering: deadline_ = worker_.now() + kLingerTime; break;
    case Phase::handling:
    case Phase::streaming: deadline_ = Time::max(); break;
  }
}

void Session::sweep() {
  if (!closed_ && worker_.now() > deadline_) close();
}

void Session::drain() {
  if (closed_) return;
  if (stream_) stream_->end();
  else if (phase_ == Phase::idle) close();
  else if (phase_ == Phase::writing) close_after_write_ = true;
}

void Session::close() {
  if (closed_) return;
  closed_ = true;
  boost::system::error_code ignored;
  socket_.close(ignored);
  if (stream_) stream_->closed();
  came_back();
}

// Once the last pending operation of a closed session has come back, nothing refers to it any more.
void Session::came_back() {
  if (closed_ && !waiting_read_ && !waiting_write_) worker_.retire(*this);
}

void Session::wait_readable() {
  if (closed_ || waiting_read_) return;
  waiting_read_ = true;
  socket_.async_wait(Socket::wait_read, [this](const boost::system::error_code&) {
    waiting_read_ = false;
    if (closed_) came_back();
    else on_readable();
  });
}

void Session::wait_writable() {
  if (closed_ || waiting_write_) return;
  waiting_write_ = true;
  socket_.async_wait(Socket::wait_write, [this](const boost::system::error_code&) {
    waiting_write_ = false;
    if (closed_) came_back();
    else on_writable();
  });
}

void Session::on_readable() {
  char* const buffer = worker_.read_buffer();
  const std::size_t before = unread_.size();  // less than a read buffer: a head is bounded, and a body is not kept here
  std::memcpy(buffer, unread_.data(), before);
  boost::system::error_code error;
  const std::size_t size =
      socket_.read_some(boost::asio::buffer(buffer + before, Worker::kReadBuffer - before), error);
  if (error == boost::asio::error::would_block) return wait_readable();
  if (error) return close();
  if (phase_ == Phase::streaming || phase_ == Phase::lingering) return wait_readable();  // nothing more is listened to
  if (unread_.capacity() > 0) std::string().swap(unread_);
  read_requests({buffer, before + size});
}

void Session::read_requests(std::string_view data) {
  reading_ = true;
  worker_.out().clear();
  int left = kRequestsAtOnce;
  while (!data.empty() && !closed_ && reads_requests() && left > 0) {
    if (!exchange_) {
      exchange_ = worker_.take_exchange();
      ++request_number_;
      set_phase(Phase::head);
      --left;
    }
    if (!advance(data)) break;
  }
  reading_ = false;
  if (closed_) return;
  unread_.assign(data);
  stalled_ = !unread_.empty() && (left == 0 || !reads_requests());
  flush();
}

// Parses on; false where more input is needed.
bool Session::advance(std::string_view& data) {
  RequestParser& parser = *exchange_->parser;
  boost::system::error_code error;
  const std::size_t used = parser.put(boost::asio::buffer(data.data(), data.size()), error);
  data.remove_prefix(used);
  if (error == HttpError::need_more) error.clear();
  if (error) return fail(error), true;
  if (!parser.is_header_done()) return false;
  if (!exchange_->head_checked) {
    exchange_->head_checked = true;
    parser.eager(true);
    check_head();
    if (!exchange_) return true;
    if (!parser.is_done()) {
      if (exchange_->request.headers.expects_continue && data.empty()) worker_.out() += "HTTP/1.1 100 Continue\r\n\r\n";
      set_phase(Phase::body);
      return true;
    }
  }
  if (!parser.is_done()) {
    if (used == 0) return false;
    deadline_ = worker_.now() + worker_.options().limits.stall_time;
    return true;
  }
  handle();
  return true;
}

void Session::check_head() {
  Request& request = exchange_->request;
  request.client = client_address(peer_, request.headers.x_forwarded_for, worker_.options().trusted_proxies);
  std::optional<Response> early;
  if (auto parsed = request.target.parse(request.target_text); !parsed) {
    early = Response::error(parsed.error());
  } else {
    try {
      early = worker_.handler().check(request);
    } catch (const std::exception& failure) {
      base::log_error("http", "{} {}: {}", request.method_text, request.target_text, failure.what());
      early = Response::message(500, "Internal error.");
    }
  }
  if (!early) return;
  // A short body is read all the same, so that the connection can go on; a long one is not.
  const RequestParser& parser = *exchange_->parser;
  const auto rest = parser.content_length_remaining();
  if (parser.is_done() || (rest && *rest <= kPiece && !request.headers.expects_continue)) {
    exchange_->early = std::move(early);
    return;
  }
  early->close = true;
  write_response(std::move(*early));
}

void Session::handle() {
  if (exchange_->early) return write_response(std::move(*exchange_->early));
  set_phase(Phase::handling);
  try {
    worker_.handler().handle(exchange_->request, Responder(worker_, id_, request_number_));
  } catch (const std::exception& failure) {
    // The responder, dropped on the way here, has answered 500.
    base::log_error("http", "a request from {} failed: {}", peer_text(), failure.what());
  }
}

void Session::fail(const boost::system::error_code& error) {
  Response response;
  if (error == HttpError::header_limit) {
    response = Response::message(431, "The request line and header fields are too long.");
  } else if (error == RequestError::too_many_fields) {
    response = Response::message(431, "The request has too many header fields.");
  } else if (error == HttpError::body_limit) {
    response = Response::message(
        413, fmt::format("The body is larger than {} bytes.", worker_.options().limits.body_bytes));
  } else {
    response = Response::message(400, fmt::format("Invalid HTTP request: {}.", error.message()));
  }
  response.close = true;
  write_response(std::move(response));
}

void Session::respond(std::uint64_t request, Response response) {
  if (closed_ || phase_ != Phase::handling || request != request_number_) return;
  if (reading_) return write_response(std::move(response));
  worker_.out().clear();
  write_response(std::move(response));
  flush();
}

EventStream* Session::open_stream(std::uint64_t request, Response head) {
  if (closed_ || phase_ != Phase::handling || request != request_number_) return nullptr;
  const bool chunked = !exchange_->request.http_1_0;
  write_head(head, chunked ? "Transfer-Encoding: chunked\r\n" : "Connection: close\r\n", false);
  worker_.give_back(std::move(exchange_));
  set_phase(Phase::streaming);
  stream_ = std::make_unique<EventStream>(*this, worker_.options().limits, chunked);
  return stream_.get();
}

void Session::write_response(Response response) {
  const Request& request = exchange_->request;
  const bool head_only = request.method == Verb::head;
  close_after_write_ = response.close || worker_.draining() || !exchange_->parser->keep_alive();

  // A body that comes in pieces and ends with the first is one like any other.
  std::string& piece = worker_.scratch();
  std::string_view body = response.body();
  if (response.source) {
    piece.clear();
    if (!response.source(piece)) response.source = nullptr;
    body = piece;
  }
  const bool compressible = response.source || body.size() >= kMinCompressed;
  const Encoding encoding = compressible ? choose_encoding(request.headers.accept_encoding) : Encoding::identity;
  std::optional<std::string> compressed;
  if (encoding != Encoding::identity) {
    while (response.source && response.source(piece)) {
    }
    response.source = nullptr;
    if (!response.owner && response.text.empty()) body = piece;
    compressed = compress(body, encoding);
    if (compressed) {
      body = *compressed;
      response.with_header("Content-Encoding", to_string(encoding));
    }
  }

  source_chunked_ = response.source && !request.http_1_0;
  if (response.source && !source_chunked_) close_after_write_ = true;  // only the connection's end tells the body's
  char framing[96];
  auto end = source_chunked_    ? fmt::format_to(framing, "Transfer-Encoding: chunked\r\n")
             : !response.source ? fmt::format_to(framing, "Content-Length: {}\r\n", body.size())
                                : framing;
  if (close_after_write_) end = fmt::format_to(end, "Connection: close\r\n");
  else if (request.http_1_0) end = fmt::format_to(end, "Connection: keep-alive\r\n");
  write_head(response, {framing, end}, compressible);

  std::string& out = worker_.out();
  if (!head_only) {
    if (source_chunked_) fmt::format_to(std::back_inserter(out), "{:x}\r\n{}\r\n", body.size(), body);
    else out += body;
    source_ = std::move(response.source);
  }
  if (piece.capacity() > kKeptOut) std::string().swap(piece);
  worker_.give_back(std::move(exchange_));
  set_phase(close_after_write_ || source_ || out.size() > kPiece ? Phase::writing : Phase::idle);
}

void Session::write_head(const Response& response, std::string_view framing, bool vary_encoding) {
  const RequestHeaders& headers = exchange_->request.headers;
  const ServerOptions& options = worker_.options();
  std::string& out = worker_.out();
  if (response.status == 200) {
    out += "HTTP/1.1 200 OK\r\n";
  } else {
    fmt::format_to(std::back_inserter(out), "HTTP/1.1 {} {}\r\n", response.status, reason_phrase(response.status));
  }
  out += worker_.date();
  out.append("Content-Type: ").append(response.content_type).append("\r\n");
  out += framing;
  out += "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nX-Frame-Options: SAMEORIGIN\r\n";
  if (vary_encoding) out += "Vary: Accept-Encoding\r\n";
  if (!options.cors_allowed_origins.empty()) {
    out += "Vary: Origin\r\n";
    if (headers.has_origin && options.allows_origin(headers.origin)) {
      out.append("Access-Control-Allow-Origin: ").append(headers.origin).append("\r\n");
    }
  }
  out += response.headers;
  out += "\r\n";
}

std::size_t Session::write_some(std::string_view bytes) {
  if (closed_ || bytes.empty()) return 0;
  boost::system::error_code error;
  const std::size_t sent = socket_.write_some(boost::asio::buffer(bytes), error);
  if (!error) return sent;
  if (error != boost::asio::error::would_block) close();
  return 0;
}

// Sends the answers in the worker's buffer; what the kernel does not take now waits in unsent_.
void Session::flush() {
  std::string& out = worker_.out();
  const std::size_t sent = write_some(out);
  if (closed_) return;
  unsent_.assign(out, sent);
  sent_ = 0;
  if (out.capacity() > kKeptOut) std::string().swap(out);
  if (!unsent_.empty()) {
    if (phase_ != Phase::handling && phase_ != Phase::streaming) set_phase(Phase::writing);
    return wait_writable();
  }
  send_source();
}

void Session::on_writable() {
  if (sent_ < unsent_.size()) {
    sent_ += write_some(std::string_view(unsent_).substr(sent_));
    if (closed_) return;
    if (phase_ == Phase::writing) set_phase(Phase::writing);
    if (sent_ < unsent_.size()) return wait_writable();
    std::string().swap(unsent_);
    sent_ = 0;
  }
  send_source();
}

// Sends a long answer piece by piece, for as long as the client reads as fast as we write.
void Session::send_source() {
  std::string& piece = worker_.scratch();
  while (source_) {
    constexpr std::string_view kSizeLine = "00000000\r\n";
    piece.assign(source_chunked_ ? kSizeLine : "");
    const std::size_t start = piece.size();
    const bool more = source_(piece);
    if (!more) source_ = nullptr;
    if (source_chunked_) {
      if (piece.size() == start) {
        piece.clear();
      } else {
        char digits[9];
        fmt::format_to(digits, "{:08x}", piece.size() - start);
        piece.replace(0, 8, digits, 8);
        piece += "\r\n";
      }
      if (!more) piece += "0\r\n\r\n";
    }
    const std::size_t sent = write_some(piece);
    if (closed_) return;
    if (sent < piece.size()) {
      unsent_.assign(piece, sent);
      sent_ = 0;
      set_phase(Phase::writing);
      return wait_writable();
    }
  }
  after_write();
}

// Everything said is with the kernel.
void Session::after_write() {
  if (phase_ == Phase::handling) return;  // the answer comes later
  if (phase_ == Phase::streaming) {
    stream_->flush();
    return wait_readable();
  }
  if (close_after_write_) return linger();
  if (phase_ == Phase::writing) set_phase(Phase::idle);
  if (!stalled_) return wait_readable();
  worker_.post([&worker = worker_, id = id_] {
    if (Session* session = worker.find(id)) session->continue_reading();
  });
}

void Session::continue_reading() {
  if (closed_ || !stalled_) return;
  const std::size_t size = unread_.size();
  std::memcpy(worker_.read_buffer(), unread_.data(), size);
  std::string().swap(unread_);
  read_requests({worker_.read_buffer(), size});
}

// Closing with unread input would reset the connection and might take our answer with it.
void Session::linger() {
  boost::system::error_code ignored;
  socket_.shutdown(Socket::shutdown_send, ignored);
  set_phase(Phase::lingering);
  wait_readable();
}

}  // namespace hearth::http
