// SPDX-License-Identifier: Apache-2.0
#include "net/link/stream.h"

#include <fmt/format.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <system_error>
#include <utility>

namespace hearth::net {
namespace {

using Kind = Stream::Outcome::Kind;

Stream::Outcome failed(int number) {
  return {Kind::failed, 0, {Reason::cannot_connect, std::generic_category().message(number)}};
}

Stream::Outcome without_tls(ssize_t moved, int number) {
  if (moved > 0) return {Kind::done, static_cast<std::size_t>(moved)};
  if (moved == 0 || number == ECONNRESET || number == EPIPE) return {Kind::closed};
  if (number == EAGAIN || number == EWOULDBLOCK || number == EINTR) return {Kind::later};
  return failed(number);
}

}  // namespace

Stream::Stream(Socket socket) : socket_(std::move(socket)) {
  boost::system::error_code error;  // neither is worth a connection
  socket_.set_option(boost::asio::ip::tcp::no_delay(true), error);
  socket_.set_option(boost::asio::socket_base::keep_alive(true), error);
  socket_.non_blocking(true);
}

void Stream::secure(TlsContexts::Session session) {
  tls_ = std::move(session);
  SSL_set_fd(tls_.get(), socket_.native_handle());
}

Stream::Outcome Stream::shake_hands() {
  ERR_clear_error();
  errno = 0;
  const int returned = SSL_do_handshake(tls_.get());
  if (returned == 1) return awaits_write_ = awaits_read_ = false, Outcome{Kind::done};
  Outcome outcome = tls_outcome(returned);
  const long verified = SSL_get_verify_result(tls_.get());
  if (outcome.kind == Kind::failed && verified != X509_V_OK) {
    outcome.failure = {Reason::cannot_connect,
                       fmt::format("its certificate is refused: {}", X509_verify_cert_error_string(verified))};
  }
  return outcome;
}

bool Stream::has_read_ahead() const {
  return tls_ && SSL_pending(tls_.get()) > 0;
}

Stream::Outcome Stream::tls_outcome(int returned) {
  const int number = errno;
  const int error = SSL_get_error(tls_.get(), returned);
  awaits_write_ = error == SSL_ERROR_WANT_WRITE;
  awaits_read_ = error == SSL_ERROR_WANT_READ;
  if (awaits_write_ || awaits_read_) return {Kind::later};
  if (error == SSL_ERROR_ZERO_RETURN) return {Kind::closed};
  const bool at_end = error == SSL_ERROR_SSL && ERR_GET_REASON(ERR_peek_error()) == SSL_R_UNEXPECTED_EOF_WHILE_READING;
  if (at_end || (error == SSL_ERROR_SYSCALL && (number == 0 || number == ECONNRESET || number == EPIPE))) {
    ERR_clear_error();
    return {Kind::closed};
  }
  if (error == SSL_ERROR_SYSCALL) return failed(number);
  return {Kind::failed, 0, {Reason::unsupported, "TLS fails: " + take_tls_error()}};
}

Stream::Outcome Stream::read(std::span<char> into) {
  errno = 0;
  if (!tls_) {
    const ssize_t got = ::recv(socket_.native_handle(), into.data(), into.size(), 0);
    return without_tls(got, errno);
  }
  std::size_t received = 0;
  while (received < into.size()) {
    ERR_clear_error();
    std::size_t more = 0;
    const int returned = SSL_read_ex(tls_.get(), into.data() + received, into.size() - received, &more);
    if (returned != 1) {
      if (received > 0) break;  // the next call meets it again
      return tls_outcome(returned);
    }
    received += more;
    if (SSL_pending(tls_.get()) == 0) break;
  }
  awaits_write_ = awaits_read_ = false;
  return {Kind::done, received};
}

Stream::Outcome Stream::write(std::string_view bytes) {
  errno = 0;
  if (!tls_) {
    const ssize_t put = ::send(socket_.native_handle(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    return without_tls(put, errno);
  }
  ERR_clear_error();
  std::size_t put = 0;
  const int returned = SSL_write_ex(tls_.get(), bytes.data(), bytes.size(), &put);
  if (returned != 1) return tls_outcome(returned);
  awaits_write_ = awaits_read_ = false;
  return {Kind::done, put};
}

void Stream::say_goodbye() {
  if (!tls_ || !SSL_is_init_finished(tls_.get())) return;
  ERR_clear_error();
  SSL_shutdown(tls_.get());
  ERR_clear_error();
}

}  // namespace hearth::net
