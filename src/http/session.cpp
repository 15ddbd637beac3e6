// SPDX-License-Identifier: Apache-2.0
#include "http/session.h"

#include <fmt/format.h>

#include <boost/beast/http/error.hpp>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "base/log/log.h"
#include "base/net/address_prefix.h"
#include "http/messages/client_address.h"
#include "http/worker.h"

namespace hearth::http {
namespace {

constexpr auto kLingerTime = std::chrono::seconds(2);
constexpr int kRequestsAtOnce = 128;  // then the worker's other sessions have their turn
constexpr std::size_t kReadAtOnce = 64 * 1024;

using HttpError = boost::beast::http::error;

// A connection keeps what it needs of it.
std::shared_ptr<const TlsContext> current_tls(Worker& worker) {
  auto context = worker.commons().tls.get();
  if (!context) throw std::runtime_error("there is no certificate");
  return context;
}

}  // namespace

Session::Session(Worker& worker, std::uint64_t id, FileDescriptor socket, boost::asio::ip::address peer,
                 ConnectionTable::Place place, Port port)
    : worker_(worker),
      socket_(worker.poller(), std::move(socket), *this, port == Port::tls ? current_tls(worker).get() : nullptr),
      id_(id),
      peer_(std::move(peer)),
      place_(std::move(place)),
      port_(port),
      receiving_(worker.commons().receiving) {}

Session::~Session() {
  if (stream_) stream_->closed();
}

void Session::start() {
  // A silent connection has as long as a request's head.
  opened_at_ = worker_.now();
  deadline_ = opened_at_ + worker_.options().limits.header_time;
  if (!socket_.start()) return close();
  wait_readable();
}

void Session::set_phase(Phase phase) {
  const Limits& limits = worker_.options().limits;
  phase_ = phase;
  switch (phase) {
    case Phase::idle:
      deadline_ = worker_.now() + limits.idle_time;
      break;
    case Phase::head:
      deadline_ = worker_.now() + limits.header_time;
      break;
    case Phase::body:
    case Phase::writing:
      deadline_ = worker_.now() + limits.stall_time;
      break;
    case Phase::lingering:
      deadline_ = worker_.now() + kLingerTime;
      break;
    case Phase::storing:
    case Phase::handling:
    case Phase::streaming:
    case Phase::websocket:
      deadline_ = Time::max();
      break;
  }
}

void Session::drain() {
  if (closed_) return;
  if (stream_)
    stream_->end();
  else if (phase_ == Phase::websocket)
    websocket_->drain();
  else if (phase_ == Phase::idle)
    receive();  // closes, unless a request has arrived
  else if (phase_ == Phase::writing)
    close_after_write_ = true;
}

void Session::close() {
  if (closed_) return;
  closed_ = true;
  socket_.close();
  if (stream_) {
    stream_->closed();
    worker_.count_stream(-1);
  }
  if (websocket_) {
    websocket_->closed();
    worker_.count_websocket(-1);
  }
  operation_completed();
}

// After the last pending operation of a closed session has completed, nothing refers to it any more.
void Session::operation_completed() {
  if (closed_ && !(websocket_ && websocket_->has_pending())) worker_.retire(*this);
}

void Session::attempt(void (Session::*step)()) {
  try {
    (this->*step)();
  } catch (const std::exception& failure) {
    close();
    worker_.report_lost_connection(failure.what());
  }
}

void Session::on_readable() {
  attempt(&Session::go_on_reading);
}

void Session::on_writable() {
  attempt(&Session::go_on_writing);
}

void Session::go_on_reading() {
  if (phase_ == Phase::websocket)
    websocket_->on_readable();
  else
    receive();
}

void Session::receive() {
  char* const buffer = worker_.read_buffer();
  const std::size_t before = unread_.size();  // less than a read buffer: heads are bounded, bodies kept elsewhere
  std::memcpy(buffer, unread_.data(), before);
  const std::size_t size = read_some(buffer + before, Worker::kReadBuffer - before);
  if (closed_) return;
  if (size == 0 && worker_.draining() && phase_ == Phase::idle) return close();
  const bool listens = phase_ != Phase::streaming && phase_ != Phase::lingering;
  if (size == 0 || !listens) return wait_readable();
  if (before > 0) std::string().swap(unread_);
  read_requests({buffer, before + size});
}

std::size_t Session::read_some(char* buffer, std::size_t size) {
  if (closed_) return 0;
  const ::ssize_t received = socket_.receive(buffer, size);
  if (received > 0) return static_cast<std::size_t>(received);
  if (received == 0 || errno != EAGAIN) close();
  return 0;
}

void Session::read_requests(std::string_view data) {
  worker_.out().clear();
  worker_.look_at_clock();
  int left = kRequestsAtOnce;
  bool starved = false;
  std::optional<Worker::Reading> reading(std::in_place, worker_, *this);
  while (!data.empty() && !closed_ && reads_requests() && left > 0) {
    if (!exchange_) {
      exchange_ = worker_.take_exchange();
      ++request_number_;
      began_ = worker_.latest();
      set_phase(Phase::head);
      --left;
    }
    starved = !advance(data);
    if (starved) break;
  }
  // After a head, the parser leaves only lines of chunk sizes and trailers unparsed.
  if (starved && data.size() > worker_.options().limits.header_bytes) fail(HttpError::header_limit);
  reading.reset();
  if (closed_ || phase_ == Phase::streaming) return;
  if (phase_ == Phase::websocket) return websocket_->take_early(data);
  if (!data.empty()) unread_.assign(data);
  stalled_ = !unread_.empty() && (left == 0 || !reads_requests());
  flush();
}

// Parses on; false if it needs more input.
bool Session::advance(std::string_view& data) {
  RequestParser& parser = *exchange_->parser;
  boost::system::error_code error;
  const std::size_t used = parser.parse(data, error);
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
      const Request& request = exchange_->request;
      if (request.headers.expects_continue && !request.http_1_0 && data.empty()) {
        worker_.out() += "HTTP/1.1 100 Continue\r\n\r\n";
      }
      set_phase(Phase::body);
      body_since_ = worker_.now();
      return true;
    }
  }
  if (!parser.is_done()) {
    if (used == 0) return false;
    take_body_part();
    return true;
  }
  if (exchange_->request.sink && !exchange_->request.body.empty())
    give_piece();
  else
    handle();
  return true;
}

void Session::release_exchange() {
  receiving_.resize(0);
  worker_.release(std::move(exchange_));
}

// Finds the client. A proxy that is not trusted is refused: all its clients would be one address, and as trusted as
// loopback if the proxy runs on the hub's machine.
std::optional<Response> Session::find_client(Request& request) {
  const auto client = client_address(peer_, request.headers, worker_.options().trusted_proxies);
  if (client) {
    request.client = *client;
    request.over_tls = port_ == Port::tls || came_over_tls(peer_, request.headers, worker_.options().trusted_proxies);
    request.leads_to_https = port_ == Port::to_https;
    return {};
  }
  request.client = base::unmapped(peer_);
  if (client.error() == ForwardingError::unreadable) {
    return Response::message(400, "X-Forwarded-For and Forwarded must be lists of addresses.");
  }
  if (worker_.commons().about_proxies.is_new(peer_)) {
    base::log_warning("http",
                      "refusing requests from {} that have X-Forwarded-For or Forwarded: if this is a reverse proxy of "
                      "yours, list it in http: trusted_proxies of configuration.yaml",
                      request.client.to_string());
  }
  return Response::message(
      400,
      "X-Forwarded-For and Forwarded are taken from trusted proxies only: http: trusted_proxies of "
      "configuration.yaml lists them.");
}

// The answer, if the head alone decides it.
std::optional<Response> Session::answer_early(Request& request) {
  if (auto refused = find_client(request)) return refused;
  if (auto parsed = request.target.parse(request.target_text); !parsed) return Response::error(parsed.error());
  // RFC 9112 §3.2.2: the target's authority overrides Host.
  if (!request.target.authority().empty()) request.headers.host = request.target.authority();
  try {
    return worker_.handler().check(request);
  } catch (const std::exception& failure) {
    // Without the query, which may contain a signature.
    base::log_error("http", "{} {}: {}", request.method_text,
                    std::string_view(request.target_text).substr(0, request.target_text.find('?')), failure.what());
    return Response::message(500, "Internal error.");
  }
}

void Session::check_head() {
  Request& request = exchange_->request;
  request.body_limit = worker_.options().limits.body_bytes;
  std::optional<Response> early = answer_early(request);
  admitted_ = request.principal != nullptr;
  RequestParser& body = *exchange_->parser;
  const std::uint64_t announced = body.content_length().value_or(0);
  given_ = 0;
  if (early && announced > worker_.options().limits.body_bytes && !request.large) {
    request.body_limit = worker_.options().limits.body_bytes;
    return fail(HttpError::body_limit);
  }
  if (!early) {
    body.body_limit(request.body_limit);
    if (announced > request.body_limit) fail(HttpError::body_limit);
    return;
  }
  // A short body is read anyway, so that the connection can continue; a long one is not.
  const RequestParser& parser = *exchange_->parser;
  const auto rest = parser.content_length_remaining();
  if (parser.is_done() || (rest && *rest <= kReadAtOnce && !request.headers.expects_continue)) {
    exchange_->early = std::move(early);
    return;
  }
  early->close = true;
  write_response(std::move(*early));
}

void Session::handle() {
  if (exchange_->early) {
    Response early = std::move(*exchange_->early);  // the exchange is released before the answer is sent
    return write_response(std::move(early));
  }
  set_phase(Phase::handling);
  try {
    worker_.handler().handle(exchange_->request, Responder(worker_, id_, request_number_));
  } catch (const std::exception& failure) {
    // The responder was dropped by the exception and has answered 500.
    base::log_error("http", "a request from {} failed: {}", peer_text(), failure.what());
  }
  if (!exchange_ || receiving_.size() == 0) return;
  // The answer comes later: a long body is not needed any more.
  std::string().swap(exchange_->request.body);
  receiving_.resize(0);
}

void Session::fail(const boost::system::error_code& error) {
  Response response;
  if (error == HttpError::header_limit) {
    response = Response::message(431, "The request line and header fields are too long.");
  } else if (error == RequestError::too_many_fields) {
    response = Response::message(431, "The request has too many header fields.");
  } else if (error == HttpError::body_limit) {
    response = Response::message(413, fmt::format("The body is larger than {} bytes.", exchange_->request.body_limit));
  } else {
    response = Response::message(400, fmt::format("Invalid HTTP request: {}.", error.message()));
  }
  response.close = true;
  write_response(std::move(response));
}

void Session::continue_reading() {
  if (closed_ || !stalled_) return;
  const std::size_t size = unread_.size();
  std::memcpy(worker_.read_buffer(), unread_.data(), size);
  std::string().swap(unread_);
  read_requests({worker_.read_buffer(), size});
}

// Closing with unread input would reset the connection, and the client might lose our answer.
void Session::linger() {
  socket_.shutdown_send();
  std::string().swap(unread_);
  stalled_ = false;
  set_phase(Phase::lingering);
  wait_readable();
}

}  // namespace hearth::http
