// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/protocol/stream.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <system_error>

#include "base/text/utf8.h"

namespace hearth::integrations::mqtt {
namespace {

constexpr char kSystemAuthorities[] = "/etc/ssl/certs";

std::string system_error(int number) {
  return std::generic_category().message(number);
}

// The first error of the library, for people.
std::string tls_error() {
  const unsigned long code = ERR_get_error();
  const char* const text = code == 0 ? nullptr : ERR_reason_error_string(code);
  ERR_clear_error();
  return text ? text : "unknown error";
}

std::unexpected<base::Error> tls_failure(const std::string& why) {
  return base::fail(base::ErrorCode::unavailable, "TLS fails: " + base::utf8_excerpt(base::utf8_repaired(why), 300));
}

std::unexpected<base::Error> unusable(const std::string& file) {
  return base::fail(base::ErrorCode::invalid, fmt::format("TLS: {} cannot be used: {}", file, tls_error()));
}

bool wait_for(int socket, short events, std::chrono::steady_clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
  pollfd watched{socket, events, 0};
  return left.count() > 0 && ::poll(&watched, 1, static_cast<int>(left.count())) > 0;
}

// A connected socket, or an error number as a negative one.
int connect_to(const addrinfo& address) {
  const int socket = ::socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket < 0) return -errno;
  const int on = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  int error = ::connect(socket, address.ai_addr, address.ai_addrlen) == 0 ? 0 : errno;
  if (error == EINPROGRESS) {
    socklen_t size = sizeof error;
    error = ETIMEDOUT;
    if (wait_for(socket, POLLOUT, std::chrono::steady_clock::now() + Stream::kConnectTime))
      ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size);
  }
  if (error == 0) return socket;
  ::close(socket);
  return -error;
}

using TlsSettings = std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)>;

base::Result<TlsSettings> tls_settings(const Options& options) {
  const bool system = options.certificate == "auto";
  for (const std::string& file : {options.certificate, options.client_certificate, options.client_key}) {
    if (file.empty() || (system && file == options.certificate) || ::access(file.c_str(), R_OK) == 0) continue;
    return base::fail(base::ErrorCode::invalid, fmt::format("{} cannot be read: {}", file, system_error(errno)));
  }
  ERR_clear_error();
  TlsSettings settings(SSL_CTX_new(TLS_client_method()), SSL_CTX_free);
  if (!settings) return tls_failure(tls_error());
  SSL_CTX* const made = settings.get();
  SSL_CTX_set_verify(made, SSL_VERIFY_PEER, nullptr);
  SSL_CTX_set_options(made, SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_mode(made, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  // An encrypted key would otherwise ask for its password in the terminal.
  SSL_CTX_set_default_passwd_cb(made, [](char*, int, int, void*) { return 0; });
  if (system ? SSL_CTX_load_verify_dir(made, kSystemAuthorities) != 1
             : SSL_CTX_load_verify_file(made, options.certificate.c_str()) != 1)
    return unusable(system ? kSystemAuthorities : options.certificate);
  if (options.client_certificate.empty()) return settings;
  if (SSL_CTX_use_certificate_chain_file(made, options.client_certificate.c_str()) != 1)
    return unusable(options.client_certificate);
  if (SSL_CTX_use_PrivateKey_file(made, options.client_key.c_str(), SSL_FILETYPE_PEM) != 1 ||
      SSL_CTX_check_private_key(made) != 1)
    return unusable(options.client_key);
  return settings;
}

bool is_address(const std::string& host) {
  in6_addr parsed;
  return ::inet_pton(AF_INET, host.c_str(), &parsed) == 1 || ::inet_pton(AF_INET6, host.c_str(), &parsed) == 1;
}

// Old certificates have an address as the name of their owner.
bool is_for_host(const X509* certificate, const std::string& host) {
  auto* const read = const_cast<X509*>(certificate);
  return (is_address(host) && X509_check_ip_asc(read, host.c_str(), 0) == 1) ||
         X509_check_host(read, host.data(), host.size(), 0, nullptr) == 1;
}

}  // namespace

base::Result<std::unique_ptr<Stream>> Stream::connect(const Options& options) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (::getaddrinfo(options.broker.c_str(), std::to_string(options.port).c_str(), &hints, &found) != 0)
    return base::fail(base::ErrorCode::unavailable, fmt::format("the host {} is not found", options.broker));
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> addresses(found, ::freeaddrinfo);
  int connected = -EHOSTUNREACH;
  for (const addrinfo* address = found; address && connected < 0; address = address->ai_next)
    connected = connect_to(*address);
  if (connected < 0) return base::fail(base::ErrorCode::unavailable, system_error(-connected));
  std::unique_ptr<Stream> stream(new Stream(connected));
  if (options.secure()) {
    if (auto secured = stream->secure(options); !secured) return std::unexpected(std::move(secured.error()));
  }
  return stream;
}

Stream::~Stream() {
  tls_.reset();
  ::close(socket_);
}

base::Result<void> Stream::secure(const Options& options) {
  auto settings = tls_settings(options);
  if (!settings) return std::unexpected(std::move(settings.error()));
  tls_ = {SSL_new(settings->get()), SSL_free};
  if (!tls_ || SSL_set_fd(tls_.get(), socket_) != 1) return tls_failure(tls_error());
  if (!is_address(options.broker)) SSL_set_tlsext_host_name(tls_.get(), options.broker.c_str());
  return agree(options);
}

base::Result<void> Stream::agree(const Options& options) {
  const auto deadline = std::chrono::steady_clock::now() + kConnectTime;
  for (;;) {
    ERR_clear_error();
    errno = 0;
    const int returned = SSL_connect(tls_.get());
    if (returned == 1) break;
    Outcome outcome = tls_outcome(returned);
    if (outcome.kind == Outcome::Kind::closed)
      return base::fail(base::ErrorCode::unavailable, "the broker closes the connection before it answers");
    if (outcome.kind == Outcome::Kind::failed) {
      const long verified = SSL_get_verify_result(tls_.get());
      if (verified != X509_V_OK) outcome.error += fmt::format(": {}", X509_verify_cert_error_string(verified));
      return base::fail(base::ErrorCode::unavailable, std::move(outcome.error));
    }
    if (!wait_for(socket_, awaited_ != 0 ? awaited_ : POLLIN, deadline))
      return base::fail(base::ErrorCode::unavailable, "the broker does not answer");
  }
  awaited_ = 0;
  const std::unique_ptr<X509, void (*)(X509*)> certificate(SSL_get1_peer_certificate(tls_.get()), X509_free);
  if (options.tls_insecure || (certificate && is_for_host(certificate.get(), options.broker))) return {};
  return tls_failure(
      fmt::format("host name verification failed: the certificate is for another host than {}", options.broker));
}

bool Stream::has_read_ahead() const {
  return tls_ && SSL_pending(tls_.get()) > 0;
}

Stream::Outcome Stream::tls_outcome(int returned) {
  const int number = errno;
  const int error = SSL_get_error(tls_.get(), returned);
  awaited_ = error == SSL_ERROR_WANT_WRITE ? POLLOUT : 0;
  if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE) return {Outcome::Kind::later};
  if (error == SSL_ERROR_ZERO_RETURN) return {Outcome::Kind::closed};
  const bool at_end = error == SSL_ERROR_SSL && ERR_GET_REASON(ERR_peek_error()) == SSL_R_UNEXPECTED_EOF_WHILE_READING;
  if (at_end || (error == SSL_ERROR_SYSCALL && (number == 0 || number == ECONNRESET || number == EPIPE))) {
    ERR_clear_error();
    return {Outcome::Kind::closed};
  }
  if (error == SSL_ERROR_SYSCALL) return {Outcome::Kind::failed, 0, system_error(number)};
  return {Outcome::Kind::failed, 0, tls_failure(tls_error()).error().message};
}

Stream::Outcome Stream::read(std::span<char> into) {
  errno = 0;
  if (tls_) {
    ERR_clear_error();
    const int got = SSL_read(tls_.get(), into.data(), static_cast<int>(std::min<std::size_t>(into.size(), INT_MAX)));
    if (got <= 0) return tls_outcome(got);
    awaited_ = 0;
    return {Outcome::Kind::done, static_cast<std::size_t>(got)};
  }
  const ssize_t got = ::recv(socket_, into.data(), into.size(), 0);
  if (got > 0) return {Outcome::Kind::done, static_cast<std::size_t>(got)};
  if (got == 0 || errno == ECONNRESET) return {Outcome::Kind::closed};
  if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) return {Outcome::Kind::later};
  return {Outcome::Kind::failed, 0, system_error(errno)};
}

Stream::Outcome Stream::write(std::string_view bytes) {
  errno = 0;
  if (tls_) {
    ERR_clear_error();
    const int put = SSL_write(tls_.get(), bytes.data(), static_cast<int>(std::min<std::size_t>(bytes.size(), INT_MAX)));
    if (put <= 0) return tls_outcome(put);
    awaited_ = 0;
    return {Outcome::Kind::done, static_cast<std::size_t>(put)};
  }
  const ssize_t put = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (put > 0) return {Outcome::Kind::done, static_cast<std::size_t>(put)};
  if (errno == ECONNRESET || errno == EPIPE) return {Outcome::Kind::closed};
  if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) return {Outcome::Kind::later};
  return {Outcome::Kind::failed, 0, system_error(errno)};
}

}  // namespace hearth::integrations::mqtt
