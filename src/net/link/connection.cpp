// SPDX-License-Identifier: Apache-2.0
#include "net/link/connection.h"

#include <fmt/format.h>

#include <boost/asio/post.hpp>
#include <utility>

#include "base/log/guarded.h"
#include "base/log/log.h"

namespace hearth::net {
namespace {

using Kind = Stream::Outcome::Kind;
using WaitFor = boost::asio::socket_base::wait_type;

}  // namespace

Connection::Connection(Reactor& reactor, std::unique_ptr<Stream> stream, Handler& handler)
    : reactor_(reactor), stream_(std::move(stream)), handler_(handler) {
  turn_soon();
}

Connection::~Connection() {
  if (ended_ || cut_) return;
  if (unsent() > 0) stream_->write(std::string_view(out_).substr(gone_));
  stream_->say_goodbye();
}

void Connection::write(std::string_view bytes) {
  if (ended_ || cut_ || bytes.empty()) return;
  if (unsent() + bytes.size() > kMaxUnsent) {
    cut_ = Failure{Reason::busy, fmt::format("it does not read what it is sent: {} KiB wait", kMaxUnsent / 1024)};
    out_.clear();
    gone_ = 0;
  } else {
    out_.append(bytes);
  }
  if (!waits_to_write_ || cut_) turn_soon();
}

void Connection::resume_reading() {
  if (!std::exchange(paused_, false)) return;
  if (!waits_to_read_) turn_soon();
}

void Connection::turn_soon() {
  if (ended_ || turn_waits_) return;
  boost::asio::post(reactor_.io(), life_.guard([this] {
    turn_waits_ = false;
    turn();
  }));
  turn_waits_ = true;
}

void Connection::turn() {
  if (ended_) return;
  const Life::Watch watch = life_.watch();
  try {
    if (cut_) return end(std::exchange(cut_, {}));
    if (!waits_to_read_ && !paused_) read();
    if (watch.over() || ended_) return;
    if (!waits_to_write_ && unsent() > 0) write_out();
  } catch (...) {
    if (watch.over()) throw;
    const Failure failure = failure_of_exception("what it sent cannot be handled");
    base::log_error("net", "a connection is cut: {}", failure.message);
    end(failure);
  }
}

void Connection::wait_to_read() {
  if (ended_ || waits_to_read_) return;
  const bool by_tls = stream_->awaits_write();
  stream_->socket().async_wait(by_tls ? WaitFor::wait_write : WaitFor::wait_read,
                               life_.guard([this](const boost::system::error_code&) {
                                 waits_to_read_ = false;
                                 turn();
                               }));
  waits_to_read_ = true;
}

void Connection::wait_to_write() {
  if (ended_ || waits_to_write_) return;
  const bool by_tls = stream_->awaits_read();
  stream_->socket().async_wait(by_tls ? WaitFor::wait_read : WaitFor::wait_write,
                               life_.guard([this](const boost::system::error_code&) {
                                 waits_to_write_ = false;
                                 turn();
                               }));
  waits_to_write_ = true;
}

void Connection::read() {
  const auto buffer = reactor_.read_buffer();
  auto outcome = stream_->read(buffer);
  switch (outcome.kind) {
    case Kind::later:
      return wait_to_read();
    case Kind::closed:
      return end({});
    case Kind::failed:
      return end(std::move(outcome.failure));
    case Kind::done:
      break;
  }
  const Life::Watch watch = life_.watch();
  handler_.on_bytes({buffer.data(), outcome.bytes});
  if (watch.over() || ended_ || paused_) return;
  // Others have their turn before more of a peer that sends without a pause.
  stream_->has_read_ahead() || outcome.bytes == buffer.size() ? turn_soon() : wait_to_read();
}

void Connection::write_out() {
  const auto outcome = stream_->write(std::string_view(out_).substr(gone_));
  if (outcome.kind == Kind::later) return wait_to_write();
  if (outcome.kind != Kind::done) {
    // The peer may have said why before it closed the connection.
    out_.clear();
    gone_ = 0;
    const Life::Watch watch = life_.watch();
    if (!paused_) read();
    if (watch.over() || ended_) return;
    return end(outcome.kind == Kind::failed ? std::optional(outcome.failure) : std::nullopt);
  }
  gone_ += outcome.bytes;
  if (unsent() == 0) {
    out_.clear();
    gone_ = 0;
    if (out_.capacity() > kKeptOut) std::string().swap(out_);
    return handler_.on_sent();
  }
  if (gone_ > out_.size() / 2) out_.erase(0, std::exchange(gone_, 0));
  wait_to_write();
}

void Connection::end(std::optional<Failure> why) {
  if (std::exchange(ended_, true)) return;
  boost::system::error_code ignored;
  stream_->socket().close(ignored);
  // The last step: it may destroy this.
  base::run_guarded("net", "the end of a connection", [&] { handler_.on_end(why); });
}

}  // namespace hearth::net
