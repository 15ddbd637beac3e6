// SPDX-License-Identifier: Apache-2.0
// How a session answers: serialises answers and sends them.
#include <fmt/compile.h>

#include <boost/asio/post.hpp>
#include <cerrno>

#include "base/log/log.h"
#include "base/text/text.h"
#include "http/messages/compression.h"
#include "http/session.h"
#include "http/websocket/upgrade.h"
#include "http/worker.h"

namespace hearth::http {
namespace {

using std::string_view_literals::operator""sv;

constexpr std::size_t kPiece = 64 * 1024;
constexpr std::size_t kKeptOut = 1024 * 1024;
constexpr std::string_view kSecurity =
    "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nX-Frame-Options: SAMEORIGIN\r\n"
    "Cache-Control: ";  // its value comes next

// The rest of an existing body: it is not copied for a client that reads slowly.
std::function<bool(std::string&)> rest_of(std::shared_ptr<const void> owner, std::string_view body) {
  return [owner = std::move(owner), rest = body.substr(kPiece)](std::string& out) mutable {
    out += rest.substr(0, kPiece);
    rest.remove_prefix(std::min(kPiece, rest.size()));
    return !rest.empty();
  };
}

}  // namespace

// A requested piece. Its maker may fail and forget the session, which has no deadline while it waits: if dropped
// without an answer, it answers that there is no piece.
class Session::AskedPiece {
 public:
  AskedPiece(Worker& worker, std::uint64_t session, std::uint64_t request)
      : worker_(worker), io_(worker.weak_io()), session_(session), request_(request) {}
  AskedPiece(const AskedPiece&) = delete;
  AskedPiece& operator=(const AskedPiece&) = delete;
  ~AskedPiece() {
    if (answered_) return;
    try {
      answer({});
    } catch (const std::exception& failure) {
      base::log_error("http", "a connection waits for ever: {}", failure.what());
    }
  }

  // Any thread; once.
  void answer(std::optional<PieceSource::Piece> piece) {
    answered_ = true;
    const auto io = io_.lock();
    if (!io) return;
    boost::asio::post(*io, [&worker = worker_, session = session_, request = request_,
                            shared = std::make_shared<decltype(piece)>(std::move(piece))] {
      if (Session* const found = worker.find(session)) found->take_piece(request, std::move(*shared));
    });
  }

 private:
  Worker& worker_;
  const std::weak_ptr<boost::asio::io_context> io_;  // the worker's; expired after the worker has gone
  const std::uint64_t session_, request_;
  bool answered_ = false;
};

void Session::respond(std::uint64_t request, Response&& response) {
  if (closed_ || phase_ != Phase::handling || request != request_number_) return;
  const bool reading = worker_.reading() == this;
  if (!reading) worker_.out().clear();
  const std::size_t before = worker_.out().size();
  try {
    write_response(std::move(response));
  } catch (const std::exception& failure) {
    base::log_error("http", "an answer to {} failed: {}", peer_text(), failure.what());
    worker_.out().resize(before);
    write_response(Response::message(500, "Internal error."));
  }
  if (!reading) flush();
}

EventStream* Session::open_stream(std::uint64_t request, Response head) {
  if (closed_ || phase_ != Phase::handling || request != request_number_) return nullptr;
  if (worker_.draining()) {
    respond(request, Response::message(503, "The server is shutting down."));
    return nullptr;
  }
  const bool chunked = !exchange_->request.http_1_0;
  worker_.count_request(exchange_->request.route, 200, began_);
  write_head(head, chunked ? "Transfer-Encoding: chunked\r\n" : "Connection: close\r\n", false);
  release_exchange();
  set_phase(Phase::streaming);
  stream_ = std::make_unique<EventStream>(*this, worker_.options().limits, chunked);
  worker_.count_stream(1);
  flush();  // what is queued from now on comes after the head
  return closed_ ? nullptr : stream_.get();
}

void Session::open_websocket(std::uint64_t request, std::unique_ptr<WebSocketHandler> handler) {
  if (closed_ || phase_ != Phase::handling || request != request_number_) return;
  if (worker_.draining()) return respond(request, Response::message(503, "The server is shutting down."));
  if (auto refusal = refuse_upgrade(exchange_->request)) return respond(request, std::move(*refusal));
  const std::string key = std::move(exchange_->request.headers.sec_websocket_key);
  websocket_ = std::make_unique<WebSocket>(*this, exchange_->request.client, std::move(handler));
  worker_.count_websocket(1);
  worker_.count_request(exchange_->request.route, 101, began_);
  release_exchange();
  set_phase(Phase::websocket);
  stalled_ = false;  // unread input is the WebSocket's
  flush();           // the answers to earlier requests
  if (!closed_) websocket_->accept(key);
}

void Session::write_response(Response&& response) {
  const Request& request = exchange_->request;
  if (response.status == 403) worker_.handler().refused(request);
  const bool head_only = request.method == Verb::head;
  close_after_write_ =
      response.close || worker_.draining() || !exchange_->parser->is_done() || !exchange_->parser->keep_alive();

  // A body in pieces whose first piece is the last is sent like any other.
  std::string& piece = worker_.scratch();
  std::string_view body = response.body();
  if (response.source) {
    piece.clear();
    if (!response.source(piece)) response.source = nullptr;
    body = piece;
  }
  const bool compressible =
      !response.negotiated && !response.pieces && (response.source || body.size() >= kMinCompressed);
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

  const std::size_t length = response.part   ? response.part->length
                             : response.file ? response.file->size()
                                             : response.length.value_or(body.size());
  const bool goes_on = (response.source || response.pieces) && !response.length;
  source_chunked_ = goes_on && !request.http_1_0;
  if (goes_on && !source_chunked_) close_after_write_ = true;  // only the connection's end marks the body's end
  char framing[96];
  const bool has_length = !goes_on && response.status != 304;  // a 304 would have to give the length of the 200
  auto end = source_chunked_ ? fmt::format_to(framing, "Transfer-Encoding: chunked\r\n")
             : has_length    ? fmt::format_to(framing, FMT_COMPILE("Content-Length: {}\r\n"), length)
                             : framing;
  if (close_after_write_)
    end = fmt::format_to(end, "Connection: close\r\n");
  else if (request.http_1_0)
    end = fmt::format_to(end, "Connection: keep-alive\r\n");
  write_head(response, {framing, end}, compressible || response.negotiated);

  std::string& out = worker_.out();
  if (!head_only) {
    const bool shared = !compressed && response.owner && body.size() > kPiece;
    if (source_chunked_)
      fmt::format_to(std::back_inserter(out), "{:08x}\r\n{}\r\n", body.size(), body);
    else
      out += shared ? body.substr(0, kPiece) : body;
    source_ = shared ? rest_of(std::move(response.owner), body) : std::move(response.source);
    pieces_ = std::move(response.pieces);
    file_ = std::move(response.file);
    file_sent_ = response.part ? static_cast<::off_t>(response.part->first) : 0;
    file_end_ = file_sent_ + static_cast<::off_t>(length);
  }
  if (piece.capacity() > kKeptOut) std::string().swap(piece);
  worker_.count_request(request.route, static_cast<unsigned>(response.status), began_);
  release_exchange();
  set_phase(close_after_write_ || source_ || pieces_ || file_ || out.size() > kPiece ? Phase::writing : Phase::idle);
}

void Session::write_head(const Response& response, std::string_view framing, bool vary_encoding) {
  const RequestHeaders& headers = exchange_->request.headers;
  const ServerOptions& options = worker_.options();
  std::string& out = worker_.out();
  if (response.status == 200) {
    out += "HTTP/1.1 200 OK\r\n"sv;
  } else {
    fmt::format_to(std::back_inserter(out), "HTTP/1.1 {} {}\r\n", response.status, reason_phrase(response.status));
  }
  if (response.content_type.empty())
    base::append(out, worker_.date(), framing, kSecurity, response.cache_control, "\r\n");
  else
    base::append(out, worker_.date(), "Content-Type: ", response.content_type, "\r\n", framing, kSecurity,
                 response.cache_control, "\r\n");
  if (vary_encoding) out += "Vary: Accept-Encoding\r\n";
  if (!options.cors_allowed_origins.empty()) {
    out += "Vary: Origin\r\n";
    if (headers.has_origin && options.allows_origin(headers.origin)) {
      out.append("Access-Control-Allow-Origin: ").append(headers.origin).append("\r\n");
    }
  }
  if (port_ == Port::tls && options.hsts > 0)
    fmt::format_to(std::back_inserter(out), "Strict-Transport-Security: max-age={}\r\n", options.hsts);
  base::append(out, response.headers, "\r\n");
}

std::size_t Session::write_some(std::string_view bytes) {
  if (closed_ || bytes.empty()) return 0;
  const ::ssize_t sent = socket_.send(bytes);
  if (sent >= 0) return static_cast<std::size_t>(sent);
  if (errno != EAGAIN) close();
  return 0;
}

// Sends the answers in the worker's buffer; what the kernel does not accept waits in unsent_, after what waits already.
void Session::flush() {
  std::string& out = worker_.out();
  const std::size_t sent = unsent_.empty() ? write_some(out) : 0;
  if (closed_) return;
  unsent_.append(out, sent);
  if (out.capacity() > kKeptOut) std::string().swap(out);
  if (!unsent_.empty()) {
    const bool more_follows = phase_ == Phase::storing || phase_ == Phase::handling || phase_ == Phase::streaming ||
                              phase_ == Phase::websocket;
    if (!more_follows) set_phase(Phase::writing);
    return wait_writable();
  }
  if (source_ || file_ || pieces_) return send_rest();
  after_write();
}

void Session::go_on_writing() {
  if (sent_ < unsent_.size()) {
    sent_ += write_some(std::string_view(unsent_).substr(sent_));
    if (closed_) return;
    if (phase_ == Phase::writing) set_phase(Phase::writing);
    if (sent_ < unsent_.size()) return wait_writable();
    std::string().swap(unsent_);
    sent_ = 0;
  }
  send_rest();
}

// Sends a long answer as long as the client reads as fast as we write.
void Session::send_rest() {
  if (source_ && !send_source()) return;
  if (file_ && !send_file()) return;
  if (pieces_) return request_piece();
  after_write();
}

// False if the client has to read first, or the connection has ended.
bool Session::send_source() {
  std::string& piece = worker_.scratch();
  while (source_) {
    constexpr std::string_view kSizeLine = "00000000\r\n";
    piece.assign(source_chunked_ ? kSizeLine : "");
    const std::size_t start = piece.size();
    bool more;
    try {
      more = source_(piece);
    } catch (const std::exception& failure) {
      // The head is sent: only a missing end can tell the client.
      base::log_error("http", "an answer to {} failed: {}", peer_text(), failure.what());
      return close(), false;
    }
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
    if (closed_) return false;
    if (sent < piece.size()) {
      unsent_.assign(piece, sent);
      sent_ = 0;
      set_phase(Phase::writing);
      return wait_writable(), false;
    }
  }
  return true;
}

// As send_source.
bool Session::send_file() {
  while (file_sent_ < file_end_) {
    const auto rest = static_cast<std::size_t>(file_end_ - file_sent_);
    const ::ssize_t sent = socket_.send_file(file_->descriptor(), file_sent_, rest);
    if (sent > 0 && file_sent_ == file_end_) break;
    if (sent < 0 && errno == EINTR) continue;
    if (sent == 0 || (sent < 0 && errno != EAGAIN)) return close(), false;
    if (sent > 0) set_phase(Phase::writing);
    return wait_writable(), false;
  }
  file_ = nullptr;
  return true;
}

// The client has taken everything: request the next piece, however long it takes.
void Session::request_piece() {
  set_phase(Phase::writing);
  deadline_ = Time::max();
  const auto asked = std::make_shared<AskedPiece>(worker_, id_, request_number_);
  pieces_->next([asked](std::optional<PieceSource::Piece> piece) { asked->answer(std::move(piece)); });
}

void Session::take_piece(std::uint64_t request, std::optional<PieceSource::Piece> piece) {
  if (closed_ || request != request_number_ || !pieces_) return;
  if (!piece) return close();
  if (!piece->more) pieces_.reset();
  std::string& out = worker_.scratch();
  out.clear();
  if (source_chunked_ && !piece->bytes.empty())
    fmt::format_to(std::back_inserter(out), "{:x}\r\n{}\r\n", piece->bytes.size(), piece->bytes);
  else
    out += piece->bytes;
  if (source_chunked_ && !piece->more) out += "0\r\n\r\n";
  set_phase(Phase::writing);
  const std::size_t sent = write_some(out);
  if (closed_) return;
  const bool all = sent == out.size();
  if (!all) {
    unsent_.assign(out, sent);
    sent_ = 0;
  }
  if (out.capacity() > kKeptOut) std::string().swap(out);
  if (!all) return wait_writable();
  send_rest();
}

// The kernel has accepted everything.
void Session::after_write() {
  if (phase_ == Phase::handling || phase_ == Phase::storing) return;  // the answer comes later
  if (phase_ == Phase::streaming) {
    stream_->flush();
    return wait_readable();
  }
  if (phase_ == Phase::websocket) return websocket_->on_writable();
  if (close_after_write_) return linger();
  if (phase_ == Phase::writing) {
    set_phase(!exchange_ ? Phase::idle : exchange_->head_checked ? Phase::body : Phase::head);
  }
  if (!stalled_) {
    if (exchange_) socket_.acknowledge();  // many clients send body and head separately
    return wait_readable();
  }
  worker_.post([&worker = worker_, id = id_] {
    if (Session* session = worker.find(id)) session->continue_reading();
  });
}

}  // namespace hearth::http
