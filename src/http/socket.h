// SPDX-License-Identifier: Apache-2.0
// A connection's socket: never blocks, and remembers what its poller has told of it. Worker thread only.
//
// The poller tells once when it becomes readable or writable. It is taken to be so until a call finds the kernel's
// buffer empty, or full; whoever waits for what is so already hears of it soon, too.
#pragma once

#include <sys/types.h>

#include <boost/intrusive/list.hpp>
#include <cstdint>
#include <string_view>

#include "http/file_descriptor.h"

namespace hearth::http {

class Poller;

class Socket {
 public:
  // Each call is the answer to one `wait_…`, never made inside of it.
  class Owner {
   public:
    virtual void on_readable() = 0;  // or at its end, or broken: receiving tells
    virtual void on_writable() = 0;

   protected:
    ~Owner() = default;
  };

  // The descriptor does not block (O_NONBLOCK). The owner and the poller outlive the socket.
  Socket(Poller& poller, FileDescriptor descriptor, Owner& owner);
  ~Socket() { close(); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  // To be called once, before the rest. False where the system has no room for one more.
  bool start();
  // Nobody is called any more.
  void close();

  void wait_readable();
  void wait_writable();
  bool waits_writable() const { return waits_writable_; }

  // As recv(2), send(2), sendfile(2): -1 with errno; EAGAIN where there is nothing now, or no room.
  ::ssize_t receive(char* buffer, std::size_t size);
  ::ssize_t send(std::string_view bytes);
  ::ssize_t send_file(int file, ::off_t& offset, std::size_t size);
  void shutdown_send();
  // Tells the peer now, not in 40 ms, what has been received: one that waits for that before it sends the rest (Nagle's
  // algorithm) goes on at once.
  void acknowledge();

 private:
  friend class Poller;
  using Place = boost::intrusive::list_member_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;

  void note(std::uint32_t events);
  bool due() const { return (waits_readable_ && readable_) || (waits_writable_ && writable_); }
  void call_owner();

  FileDescriptor descriptor_;
  bool started_ = false;
  bool readable_ = false;
  bool writable_ = true;
  bool ended_ = false;  // the peer has finished, or is gone: an end is told only once, but may be received much later
  bool waits_readable_ = false;
  bool waits_writable_ = false;
  Poller& poller_;
  Owner& owner_;
  Place place_;  // in the poller's queue, which it leaves by itself
};

}  // namespace hearth::http
