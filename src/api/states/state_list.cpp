// SPDX-License-Identifier: Apache-2.0
#include "api/states/state_list.h"

#include <algorithm>
#include <utility>

#include "api/states/state_pieces.h"

namespace hearth::api {
namespace {

using http::Encoding;
using Snapshot = core::StateMachine::Snapshot;

// Lists so short that they are one piece are made and sent at once.
constexpr std::size_t kShort = 200;

http::BodySource pieces(core::ReadableStates states, bool with_context) {
  const auto append = [with_context](std::string& out, const core::State& state) {
    out += with_context ? state.json() : state.list_json_open();
    if (!with_context) out += '}';
    return true;
  };
  return state_pieces(std::move(states), "[", append, "]");
}

std::size_t length(const core::StateTable& table, bool with_context) {
  std::size_t bytes = 2;
  table.for_each(
      [&](const core::State& state) { bytes += (with_context ? state.json().size() : state.list_json_size()) + 1; });
  return bytes;
}

http::Response in_pieces(core::ReadableStates states, bool with_context) {
  http::Response response;
  response.source = pieces(std::move(states), with_context);
  return response;
}

}  // namespace

http::Response StateList::response(const core::View& home, Encoding encoding) {
  if (!home.rights().reads_all()) return in_pieces(home.states(), with_context_);
  const Snapshot table = states_.snapshot();
  const core::ReadableStates all(table);
  if (table->size() <= kShort) return in_pieces(all, with_context_);
  if (states_.bytes() > kMaxKept) {
    // Compressed, all of it would have to be in memory.
    http::Response large = in_pieces(all, with_context_);
    large.negotiated = true;
    return large;
  }
  auto [file, make] = find(table->version(), encoding);
  if (!file && make && (encoding != Encoding::identity || has_room(length(*table, with_context_)))) {
    http::BodySource source = pieces(all, with_context_);
    if (encoding != Encoding::identity) source = http::compress(std::move(source), encoding);
    file = http::BodyFile::create(std::move(source));
    if (file) keep(table->version(), encoding, file);
  }
  return file ? http::Response::kept(std::move(file), encoding) : in_pieces(all, with_context_);
}

StateList::Found StateList::find(std::uint64_t version, Encoding encoding) {
  Bodies former;  // freed outside the lock
  base::MutexLock lock(mutex_);
  if (version < version_) return {};
  if (version > version_) {
    clear(former);
    version_ = version;
  }
  asked_ = true;
  Kept& kept = bodies_[static_cast<std::size_t>(encoding)];
  if (kept.file) return {kept.file, false};
  const bool again = std::exchange(kept.asked, true);
  const bool make = (again || encoding != Encoding::identity) && !kept.being_made;
  kept.being_made = kept.being_made || make;
  return {nullptr, make};
}

void StateList::keep(std::uint64_t version, Encoding encoding, http::BodyFilePtr file) {
  base::MutexLock lock(mutex_);
  if (version != version_ || bytes_now() + file->size() > kMaxKept) return;
  bodies_[static_cast<std::size_t>(encoding)].file = std::move(file);
  if (std::exchange(watched_, true)) return;
  timer_ = bus_.schedule(kKeptFor, [this] { drop_unused(); });
}

void StateList::drop_unused() {
  Bodies former;
  base::MutexLock lock(mutex_);
  if (std::exchange(asked_, false)) {
    timer_ = bus_.schedule(kKeptFor, [this] { drop_unused(); });
  } else {
    clear(former);
    watched_ = false;
  }
}

void StateList::clear(Bodies& former) {
  std::erase_if(former_, [](const auto& file) { return file.expired(); });
  for (const Kept& kept : bodies_) {
    if (kept.file) former_.emplace_back(kept.file);
  }
  former.swap(bodies_);
}

bool StateList::has_room(std::size_t size) const {
  return bytes() + size <= kMaxKept;
}

std::size_t StateList::bytes() const {
  base::MutexLock lock(mutex_);
  return bytes_now();
}

std::size_t StateList::bytes_now() const {
  std::size_t bytes = 0;
  for (const Kept& kept : bodies_) bytes += kept.file ? kept.file->size() : 0;
  for (const auto& former : former_) {
    if (const auto file = former.lock()) bytes += file->size();
  }
  return bytes;
}

}  // namespace hearth::api
