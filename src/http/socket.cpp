// SPDX-License-Identifier: Apache-2.0
#include "http/socket.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/sendfile.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "http/poller.h"

namespace hearth::http {

Socket::Socket(Poller& poller, FileDescriptor descriptor, Owner& owner, const TlsContext* tls)
    : descriptor_(std::move(descriptor)),
      tls_(tls ? std::make_unique<TlsChannel>(*tls, descriptor_.number()) : nullptr),
      poller_(poller),
      owner_(owner) {}

bool Socket::start() {
  started_ = poller_.add(*this);
  return started_;
}

void Socket::close() {
  waits_readable_ = waits_writable_ = false;
  if (std::exchange(started_, false)) poller_.remove(*this);
  if (tls_) tls_->close_notify();
  tls_.reset();
  descriptor_.close();
}

void Socket::wait_readable() {
  if (!descriptor_) return;
  waits_readable_ = true;
  if (readable_) poller_.queue(*this);
}

void Socket::wait_writable() {
  if (!descriptor_) return;
  waits_writable_ = true;
  if (writable_) poller_.queue(*this);
}

// Less than asked for means that the buffer is empty: later bytes are a new event.
::ssize_t Socket::receive(char* buffer, std::size_t size) {
  const ::ssize_t received =
      tls_ ? tls_->receive(buffer, size) : ::recv(descriptor_.number(), buffer, size, MSG_DONTWAIT);
  const int error = errno;
  const bool ended = ended_ || (tls_ && tls_->has_ended());
  if (received >= 0 ? static_cast<std::size_t>(received) < size && !ended : error == EAGAIN) readable_ = false;
  if (tls_ && tls_->has_unsent()) writable_ = false;
  errno = error;
  return received;
}

::ssize_t Socket::send(std::string_view bytes) {
  if (tls_) {
    const ::ssize_t taken = tls_->send(bytes);
    if (tls_->has_unsent()) writable_ = false;
    return taken;
  }
  const ::ssize_t sent = ::send(descriptor_.number(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (sent >= 0 ? static_cast<std::size_t>(sent) < bytes.size() : errno == EAGAIN) writable_ = false;
  return sent;
}

// May send less than fits.
::ssize_t Socket::send_file(int file, ::off_t& offset, std::size_t size) {
  if (tls_) return send_file_encrypted(file, offset, size);
  const ::ssize_t sent = ::sendfile(descriptor_.number(), file, &offset, size);
  if (sent < 0 && errno == EAGAIN) writable_ = false;
  return sent;
}

::ssize_t Socket::send_file_encrypted(int file, ::off_t& offset, std::size_t size) {
  char piece[16 * 1024];
  ::ssize_t all = 0;
  while (size > 0) {
    const ::ssize_t read = ::pread(file, piece, std::min(size, sizeof piece), offset);
    if (read <= 0) return all > 0 ? all : read;
    const ::ssize_t sent = send({piece, static_cast<std::size_t>(read)});
    if (sent < 0) return all > 0 ? all : sent;
    offset += sent;
    all += sent;
    size -= static_cast<std::size_t>(sent);
    if (sent < read) break;
  }
  return all;
}

// Encrypted bytes that wait are no owner's any more.
void Socket::flush_encrypted() {
  if (!tls_->flush()) {
    writable_ = false;
  } else if (std::exchange(shuts_down_, false)) {
    ::shutdown(descriptor_.number(), SHUT_WR);
  }
}

void Socket::shutdown_send() {
  if (tls_) {
    tls_->close_notify();
    shuts_down_ = true;
    return flush_encrypted();
  }
  ::shutdown(descriptor_.number(), SHUT_WR);
}

void Socket::acknowledge() {
  const int yes = 1;
  ::setsockopt(descriptor_.number(), IPPROTO_TCP, TCP_QUICKACK, &yes, sizeof yes);
}

void Socket::note(std::uint32_t events) {
  if (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) ended_ = true;
  if (ended_ || (events & EPOLLIN)) readable_ = true;
  if (events & (EPOLLOUT | EPOLLHUP | EPOLLERR)) writable_ = true;
  if (tls_ && writable_ && tls_->has_unsent()) flush_encrypted();
}

void Socket::call_owner() {
  if (waits_writable_ && writable_) {
    waits_writable_ = false;
    owner_.on_writable();
  }
  if (waits_readable_ && readable_) {
    waits_readable_ = false;
    owner_.on_readable();
  }
}

}  // namespace hearth::http
