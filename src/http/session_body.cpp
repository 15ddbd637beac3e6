// SPDX-License-Identifier: Apache-2.0
// How a session receives a body: into memory, or through a sink.
#include <boost/asio/post.hpp>
#include <utility>

#include "base/log/log.h"
#include "http/session.h"
#include "http/worker.h"

namespace hearth::http {

// A piece that the sink has. Its owner may fail and forget the session, which has no deadline while it waits.
class Session::GivenPiece {
 public:
  GivenPiece(Worker& worker, std::uint64_t session, std::uint64_t request)
      : worker_(&worker), io_(worker.weak_io()), session_(session), request_(request) {}
  GivenPiece(GivenPiece&& other) noexcept
      : worker_(std::exchange(other.worker_, nullptr)),
        io_(std::move(other.io_)),
        session_(other.session_),
        request_(other.request_) {}
  GivenPiece& operator=(GivenPiece&&) = delete;
  ~GivenPiece() {
    if (!worker_) return;
    try {
      answer(false);
    } catch (const std::exception& failure) {
      base::log_error("http", "a connection waits for ever: {}", failure.what());
    }
  }

  // Any thread; once.
  void answer(bool wants_more) {
    Worker* const worker = std::exchange(worker_, nullptr);
    const auto io = io_.lock();
    if (!io) return;
    boost::asio::post(*io, [worker, session = session_, request = request_, wants_more] {
      if (Session* const found = worker->find(session)) found->go_on_receiving(request, wants_more);
    });
  }

 private:
  Worker* worker_;                             // null after the answer
  std::weak_ptr<boost::asio::io_context> io_;  // the worker's; expired after the worker has gone
  std::uint64_t session_, request_;
};

void Session::take_body_part() {
  if (!count_body()) return;
  deadline_ = worker_.now() + worker_.options().limits.stall_time;
  const Request& request = exchange_->request;
  if (request.sink && request.body.size() >= BodySink::kPiece) give_piece();
}

// A body that arrived whole is not counted: it lives for less than one turn.
bool Session::count_body() {
  if (receiving_.resize(exchange_->request.body.size())) return true;
  Response response = Response::message(503, "The hub is receiving too much at once (http: limits: receiving_size).");
  response.with_header("Retry-After", "1").close = true;
  write_response(std::move(response));
  return false;
}

void Session::give_piece() {
  Request& request = exchange_->request;
  set_phase(Phase::storing);
  storing_since_ = worker_.now();
  given_ += request.body.size();
  std::string piece = std::exchange(request.body, {});
  request.sink->write(std::move(piece), [given = GivenPiece(worker_, id_, request_number_)](bool wants_more) mutable {
    given.answer(wants_more);
  });
}

void Session::go_on_receiving(std::uint64_t request, bool wants_more) {
  if (closed_ || phase_ != Phase::storing || request != request_number_) return;
  receiving_.resize(0);
  body_since_ += worker_.now() - storing_since_;  // the client was not the slow one
  set_phase(Phase::body);
  if (wants_more && !exchange_->parser->is_done()) return stalled_ ? continue_reading() : wait_readable();
  worker_.out().clear();
  {
    const Worker::Reading reading(worker_, *this);
    handle();
  }
  if (!closed_ && phase_ != Phase::streaming && phase_ != Phase::websocket) flush();
}

}  // namespace hearth::http
