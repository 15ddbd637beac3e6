// SPDX-License-Identifier: Apache-2.0
// Owns an object that lives on the thread `net`: it is made there, called there and destroyed there, in the order of
// the calls of this. Nobody waits. Any thread, one at a time; the reactor must outlive it.
//
//   OnNet<Session> session(reactor, [&reactor, options] { return std::make_unique<Session>(reactor, options); });
//   session.call([bytes = std::move(bytes)](Session& it) { it.send(bytes); });
#pragma once

#include <memory>
#include <stdexcept>
#include <utility>

#include "net/reactor/reactor.h"

namespace hearth::net {

template <class T>
class OnNet {
 public:
  // `make`, on the thread, returns a unique_ptr<T>; if it throws, that is logged, and calls do nothing. Throws
  // std::runtime_error if the reactor takes no task.
  template <class Make>
  OnNet(Reactor& reactor, Make make) : reactor_(reactor), id_(reactor.next_resident()) {
    const bool posted = reactor.post(
        [&reactor, id = id_, make = std::move(make)]() mutable { reactor.keep(id, std::make_unique<Box>(make())); });
    if (!posted) throw std::runtime_error("the thread of outgoing links takes no more tasks");
  }
  ~OnNet() { reactor_.release(id_); }
  OnNet(const OnNet&) = delete;
  OnNet& operator=(const OnNet&) = delete;

  // Calls `function` with the object, later, on the thread. False if the reactor takes no task.
  template <class Function>
  bool call(Function function) {
    return reactor_.post([&reactor = reactor_, id = id_, function = std::move(function)]() mutable {
      if (auto* const box = static_cast<Box*>(reactor.find(id))) function(*box->object);
    });
  }

 private:
  struct Box final : Resident {
    explicit Box(std::unique_ptr<T> made) : object(std::move(made)) {}
    const std::unique_ptr<T> object;
  };

  Reactor& reactor_;
  const std::uint64_t id_;
};

}  // namespace hearth::net
