// SPDX-License-Identifier: Apache-2.0
#include "http/poller.h"

#include <sys/epoll.h>

#include <array>
#include <boost/asio/post.hpp>
#include <boost/system/system_error.hpp>
#include <cerrno>

namespace hearth::http {
namespace {

constexpr int kAtOnce = 128;  // then the io_context's other work has its turn

int create_epoll() {
  const int descriptor = ::epoll_create1(EPOLL_CLOEXEC);
  if (descriptor < 0) throw boost::system::system_error(errno, boost::system::system_category(), "epoll_create1");
  return descriptor;
}

}  // namespace

Poller::Poller(boost::asio::io_context& io) : io_(io), epoll_(io, create_epoll()) {
  wait();
}

Poller::~Poller() = default;

bool Poller::add(Socket& socket) {
  epoll_event event{};
  event.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
  event.data.ptr = &socket;
  return ::epoll_ctl(epoll_.native_handle(), EPOLL_CTL_ADD, socket.descriptor_.number(), &event) == 0;
}

// Closing alone would leave it registered as long as a forked child has it open.
void Poller::remove(Socket& socket) {
  ::epoll_ctl(epoll_.native_handle(), EPOLL_CTL_DEL, socket.descriptor_.number(), nullptr);
}

void Poller::wait() {
  epoll_.async_wait(Descriptor::wait_read, [this](const boost::system::error_code& error) {
    if (error) return;
    fetch();
    wait();  // first, because an owner may throw
    take_turn();
  });
}

// Calls no owner, so that no socket of the batch can be closed before its events are noted.
void Poller::fetch() {
  std::array<epoll_event, kAtOnce> events;
  const int count = ::epoll_wait(epoll_.native_handle(), events.data(), kAtOnce, 0);
  for (int i = 0; i < count; ++i) {
    Socket& socket = *static_cast<Socket*>(events[static_cast<std::size_t>(i)].data.ptr);
    socket.note(events[static_cast<std::size_t>(i)].events);
    if (socket.due() && !socket.place_.is_linked()) queue_.push_back(socket);
  }
}

void Poller::queue(Socket& socket) {
  if (socket.place_.is_linked()) return;
  queue_.push_back(socket);
  schedule_turn();
}

void Poller::schedule_turn() {
  if (std::exchange(turn_scheduled_, true)) return;
  boost::asio::post(io_, [this] {
    turn_scheduled_ = false;
    take_turn();
  });
}

// Sockets queued meanwhile wait for the next turn.
void Poller::take_turn() {
  struct Rest {  // even if an owner throws
    ~Rest() {
      if (!poller.in_turn_.empty()) poller.schedule_turn();
    }
    Poller& poller;
  } const rest{*this};
  in_turn_.splice(in_turn_.end(), queue_);
  for (int left = kAtOnce; left > 0 && !in_turn_.empty(); --left) {
    Socket& socket = in_turn_.front();
    in_turn_.pop_front();
    socket.call_owner();
  }
}

}  // namespace hearth::http
