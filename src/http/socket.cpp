// SPDX-License-Identifier: Apache-2.0
#include "http/socket.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/sendfile.h>
#include <sys/socket.h>

#include <cerrno>

#include "http/poller.h"

namespace hearth::http {

Socket::Socket(Poller& poller, FileDescriptor descriptor, Owner& owner)
    : descriptor_(std::move(descriptor)), poller_(poller), owner_(owner) {}

bool Socket::start() {
  started_ = poller_.add(*this);
  return started_;
}

void Socket::close() {
  waits_readable_ = waits_writable_ = false;
  if (std::exchange(started_, false)) poller_.remove(*this);
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
  const ::ssize_t received = ::recv(descriptor_.number(), buffer, size, MSG_DONTWAIT);
  if (received >= 0 ? static_cast<std::size_t>(received) < size && !ended_ : errno == EAGAIN) readable_ = false;
  return received;
}

::ssize_t Socket::send(std::string_view bytes) {
  const ::ssize_t sent = ::send(descriptor_.number(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (sent >= 0 ? static_cast<std::size_t>(sent) < bytes.size() : errno == EAGAIN) writable_ = false;
  return sent;
}

// May send less than fits.
::ssize_t Socket::send_file(int file, ::off_t& offset, std::size_t size) {
  const ::ssize_t sent = ::sendfile(descriptor_.number(), file, &offset, size);
  if (sent < 0 && errno == EAGAIN) writable_ = false;
  return sent;
}

void Socket::shutdown_send() {
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
