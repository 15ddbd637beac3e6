// SPDX-License-Identifier: Apache-2.0
// The body of `GET /api/states` for callers who may read every entity: plain, gzip and zstd, kept while the table of
// states stays the same. For others it is made each time, in pieces.
//
// The first caller who asks for a version of the table gets it in pieces, and nothing is kept; the body for the second
// one is kept. A compressed body is kept from the first, because compressing takes ten times as long. A body is dropped
// when a later version is asked for, or when nobody has asked for it for kKeptFor to twice that. At most kMaxKept bytes
// are kept, including former bodies that slow clients still read; beyond that nothing is. If the states are larger than
// that, the list is sent uncompressed, in pieces.
//
// Any thread.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/mutex.h"
#include "core/bus/event_bus.h"
#include "core/view.h"
#include "http/messages/response.h"

namespace hearth::api {

class StateList {
 public:
  static constexpr std::size_t kMaxKept = 16 * 1024 * 1024;
  static constexpr std::chrono::seconds kKeptFor{10};

  // `with_context`: each item has its context, too.
  StateList(core::EventBus& bus, const core::StateMachine& states, bool with_context = false)
      : bus_(bus), states_(states), with_context_(with_context) {}

  // One consistent snapshot of what the caller may read, in an encoding that the client accepts.
  http::Response response(const core::View& home, http::Encoding encoding);
  // The present list, and the parts of it that slow clients still read.
  std::size_t bytes() const;

 private:
  struct Kept {
    http::BodyFilePtr file;
    bool asked = false;
    bool being_made = false;
  };
  using Bodies = std::array<Kept, 3>;  // by Encoding

  // The kept body; or null, and whether the caller is to make it.
  struct Found {
    http::BodyFilePtr file;
    bool make = false;
  };
  Found find(std::uint64_t version, http::Encoding encoding);
  void keep(std::uint64_t version, http::Encoding encoding, http::BodyFilePtr file);
  bool has_room(std::size_t size) const;
  std::size_t bytes_now() const __attribute__((requires_capability(mutex_)));
  void clear(Bodies& former) __attribute__((requires_capability(mutex_)));
  void drop_unused();

  core::EventBus& bus_;
  const core::StateMachine& states_;
  const bool with_context_;

  mutable base::Mutex mutex_;  // taken before the bus's
  std::uint64_t version_ __attribute__((guarded_by(mutex_))) = 0;
  Bodies bodies_ __attribute__((guarded_by(mutex_)));
  std::vector<std::weak_ptr<const http::BodyFile>> former_ __attribute__((guarded_by(mutex_)));
  bool asked_ __attribute__((guarded_by(mutex_))) = false;
  bool watched_ __attribute__((guarded_by(mutex_))) = false;  // the timer runs
  core::Timer timer_ __attribute__((guarded_by(mutex_)));
};

}  // namespace hearth::api
