// SPDX-License-Identifier: Apache-2.0
#include "net/link/connector.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/post.hpp>
#include <utility>

#include "base/net/outward_request.h"
#include "base/text/utf8.h"

namespace hearth::net {
namespace {

using Wait = boost::asio::socket_base::wait_type;

// Asio's own would be inherited by the programs that the hub starts. If there is none, the attempt says so.
void open(Stream::Socket& socket, const Address& address) {
  const auto protocol = address.is_v6() ? boost::asio::ip::tcp::v6() : boost::asio::ip::tcp::v4();
  const int number = ::socket(protocol.family(), SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  boost::system::error_code error;
  if (number >= 0) socket.assign(protocol, number, error);
  if (number >= 0 && error) ::close(number);
}

}  // namespace

Connector::Connector(Reactor& reactor, Target target, Done done, std::chrono::milliseconds limit)
    : reactor_(reactor), target_(std::move(target)), done_(std::move(done)), limit_(reactor), next_(reactor) {
  limit_.start(limit, [this, limit] {
    const double seconds = std::chrono::duration<double>(limit).count();
    const std::string_view who = stream_ ? "does not agree on TLS" : "does not answer";
    end(std::unexpected(Failure{Reason::timeout, fmt::format("{} {} within {:g} s", target_.str(), who, seconds)}));
  });
  auto begun = [this](std::expected<Addresses, Failure> found) { guarded([&] { begin(std::move(found)); }); };
  if (target_.addresses.empty()) {
    lookup_ = reactor.resolver().resolve(target_.host, std::move(begun));
  } else {
    boost::asio::post(reactor.io(), life_.guard([this, begun] { begun(target_.addresses); }));
  }
}

template <class Work>
void Connector::guarded(Work work) {
  const Life::Watch watch = life_.watch();
  try {
    work();
  } catch (...) {
    if (watch.over()) throw;
    if (done_) end(std::unexpected(failure_of_exception(target_.str())));
  }
}

void Connector::begin(std::expected<Addresses, Failure> found) {
  if (!found) return end(std::unexpected(std::move(found.error())));
  if (found->empty()) return fail({Reason::invalid_host, fmt::format("the host {} has no address", target_.str())});
  for (const Address& each : in_order_of_attempts(*found)) {
    const bool is_private = target_.only_public && base::is_private(each);
    if (target_.foreign && (base::is_own_address(each) || base::is_link_local(each) || is_private)) {
      const std::string_view which = base::is_link_local(each) ? "which is link-local"
                                     : is_private              ? "which is of a private network"
                                                               : "which is this machine";
      first_failure_ =
          Failure{Reason::invalid_host, fmt::format("{} leads to {}, {}", target_.str(), each.to_string(), which)};
    } else if (waiting_.size() < kMostAddresses) {
      waiting_.push_back(each);
    }
  }
  try_next();
}

void Connector::try_next() {
  if (waiting_.empty()) {
    if (trying_.empty()) fail(*first_failure_);
    return;
  }
  const Address address = waiting_.front();
  waiting_.pop_front();
  const auto socket = trying_.emplace(trying_.end(), reactor_.io().get_executor());
  open(*socket, address);
  socket->async_connect({address, target_.port},
                        life_.guard([this, socket, address](const boost::system::error_code& error) {
                          guarded([&] { connected(socket, address, error); });
                        }));
  if (!waiting_.empty()) {
    next_.start(kNext, [this] { guarded([this] { try_next(); }); });
  }
}

void Connector::connected(Sockets::iterator socket, const Address& address, const boost::system::error_code& error) {
  if (stream_ || !done_) return;
  Stream::Socket tried = std::move(*socket);
  trying_.erase(socket);
  if (error) {
    const std::string where =
        parse_address(target_.host) ? target_.str() : fmt::format("{} ({})", target_.str(), address.to_string());
    if (!first_failure_)
      first_failure_ = Failure{error == boost::asio::error::timed_out ? Reason::timeout : Reason::cannot_connect,
                               fmt::format("cannot connect to {}: {}", where, error.message())};
    next_.cancel();
    return try_next();
  }
  next_.cancel();
  // Others that are being tried end here, but not within a callback of one.
  trying_.clear();
  waiting_.clear();
  stream_ = std::make_unique<Stream>(std::move(tried));
  if (!target_.tls) return end(std::move(stream_));
  auto session = reactor_.tls().session(*target_.tls, target_.host);
  if (!session) return end(std::unexpected(std::move(session.error())));
  stream_->secure(std::move(*session));
  shake_hands();
}

void Connector::shake_hands() {
  const auto outcome = stream_->shake_hands();
  switch (outcome.kind) {
    case Stream::Outcome::Kind::done:
      return end(std::move(stream_));
    case Stream::Outcome::Kind::later:
      return stream_->socket().async_wait(stream_->awaits_write() ? Wait::wait_write : Wait::wait_read,
                                          life_.guard([this](const boost::system::error_code& error) {
                                            if (!error) guarded([this] { shake_hands(); });
                                          }));
    case Stream::Outcome::Kind::closed:
      return fail(
          {Reason::unsupported, fmt::format("{} closes the connection instead of agreeing on TLS", target_.str())});
    case Stream::Outcome::Kind::failed:
      return fail({outcome.failure.reason, fmt::format("{}: {}", target_.str(), outcome.failure.message)});
  }
}

void Connector::fail(Failure failure) {
  end(std::unexpected(std::move(failure)));
}

void Connector::end(std::expected<std::unique_ptr<Stream>, Failure> result) {
  limit_.cancel();
  next_.cancel();
  trying_.clear();
  if (!result) stream_.reset();
  // The last step: it may destroy this.
  Done done = std::exchange(done_, nullptr);
  done(std::move(result));
}

}  // namespace hearth::net
