// SPDX-License-Identifier: Apache-2.0
#include "http/tls/tls_channel.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <new>

#include "http/tls/tls_context.h"

namespace hearth::http {
namespace {

constexpr std::size_t kRecord = SSL3_RT_MAX_PLAIN_LENGTH;
// Of one who asks, in the protocol itself, for answer after answer, and reads none.
constexpr std::size_t kMostUnsent = 4 * kRecord;

long control(::BIO*, int command, long, void*) {
  return command == BIO_CTRL_FLUSH ? 1 : 0;
}

}  // namespace

int TlsChannel::append(::BIO* bio, const char* bytes, int size) {
  static_cast<std::string*>(BIO_get_data(bio))->append(bytes, static_cast<std::size_t>(size));
  return size;
}

// A BIO that appends to a text: OpenSSL never waits for the kernel, and may not be given the same bytes again.
const ::BIO_METHOD* TlsChannel::unsent_bytes() {
  static ::BIO_METHOD* const method = [] {
    ::BIO_METHOD* const made = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "unsent bytes");
    if (!made) throw std::bad_alloc();
    BIO_meth_set_write(made, append);
    BIO_meth_set_ctrl(made, control);
    return made;
  }();
  return method;
}

TlsChannel::TlsChannel(const TlsContext& context, int socket) : ssl_(SSL_new(context.get())), socket_(socket) {
  ::BIO* const in = BIO_new_socket(socket, BIO_NOCLOSE);
  ::BIO* const out = BIO_new(unsent_bytes());
  if (!ssl_ || !in || !out) {
    SSL_free(ssl_);
    BIO_free(in);
    BIO_free(out);
    throw std::bad_alloc();
  }
  BIO_set_data(out, &unsent_);
  BIO_set_init(out, 1);
  SSL_set_bio(ssl_, in, out);
  SSL_set_accept_state(ssl_);
}

TlsChannel::~TlsChannel() {
  SSL_free(ssl_);
}

::ssize_t TlsChannel::receive(char* buffer, std::size_t size) {
  std::size_t received = 0;
  while (received < size && !has_ended_) {
    ERR_clear_error();
    errno = 0;
    std::size_t more = 0;
    if (SSL_read_ex(ssl_, buffer + received, size - received, &more) == 1) {
      received += more;
      continue;
    }
    const int why = SSL_get_error(ssl_, 0);
    if (why == SSL_ERROR_WANT_READ && unsent_.size() <= kMostUnsent) break;
    has_ended_ = true;
    error_ = why == SSL_ERROR_ZERO_RETURN ? 0 : why == SSL_ERROR_SYSCALL ? errno : EPROTO;
  }
  ERR_clear_error();
  flush();  // the handshake, or an alert
  if (received > 0) return static_cast<::ssize_t>(received);
  errno = has_ended_ ? error_ : EAGAIN;
  return errno == 0 ? 0 : -1;
}

::ssize_t TlsChannel::send(std::string_view bytes) {
  std::size_t taken = 0;
  while (taken < bytes.size()) {
    if (!flush()) break;
    ERR_clear_error();
    std::size_t written = 0;
    if (SSL_write_ex(ssl_, bytes.data() + taken, std::min(kRecord, bytes.size() - taken), &written) != 1) {
      ERR_clear_error();
      // Before the end of the handshake there is nothing to answer.
      return errno = EPROTO, -1;
    }
    taken += written;
  }
  flush();
  if (taken > 0 || bytes.empty()) return static_cast<::ssize_t>(taken);
  return errno = send_error_ != 0 ? send_error_ : EAGAIN, -1;
}

bool TlsChannel::flush() {
  while (has_unsent()) {
    const ::ssize_t sent = ::send(socket_, unsent_.data() + sent_, unsent_.size() - sent_, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno != EAGAIN) send_error_ = errno;
    if (sent < 0) return false;
    sent_ += static_cast<std::size_t>(sent);
  }
  std::string().swap(unsent_);
  sent_ = 0;
  return true;
}

void TlsChannel::close_notify() {
  ERR_clear_error();
  if (error_ == 0 && SSL_is_init_finished(ssl_)) SSL_shutdown(ssl_);
  ERR_clear_error();
  flush();
}

}  // namespace hearth::http
