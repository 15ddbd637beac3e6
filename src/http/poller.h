// SPDX-License-Identifier: Apache-2.0
// Notifies the sockets of a worker when they become readable or writable. Worker thread only.
//
// Each socket is registered once, edge-triggered, in the worker's epoll instance (epoll(7)), which the io_context
// watches like any descriptor. So waiting costs no system call, and many sockets that become ready together cost one
// wake-up. Owners are called from one queue, in turn with the io_context's other work.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <boost/intrusive/list.hpp>

#include "http/socket.h"

namespace hearth::http {

class Poller {
 public:
  // Throws boost::system::system_error if the system has no descriptor left.
  explicit Poller(boost::asio::io_context& io);
  ~Poller();
  Poller(const Poller&) = delete;
  Poller& operator=(const Poller&) = delete;

 private:
  friend class Socket;
  using Descriptor = boost::asio::posix::basic_stream_descriptor<boost::asio::io_context::executor_type>;
  using Queue = boost::intrusive::list<Socket, boost::intrusive::member_hook<Socket, Socket::Place, &Socket::place_>,
                                       boost::intrusive::constant_time_size<false>>;

  bool add(Socket& socket);
  void remove(Socket& socket);
  void queue(Socket& socket);

  void wait();
  void fetch();
  void take_turn();
  void schedule_turn();

  boost::asio::io_context& io_;
  Descriptor epoll_;
  Queue queue_;    // sockets whose owners are to be called
  Queue in_turn_;  // those of them whose turn it is
  bool turn_scheduled_ = false;
};

}  // namespace hearth::http
