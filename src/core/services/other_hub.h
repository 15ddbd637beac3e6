// SPDX-License-Identifier: Apache-2.0
// Another hub that has entities of this home, as clients ask it for more than states and services: pictures, streams,
// commands of the WebSocket API, the past. RegisteredEntity::provider names it, as it names the core::Provider of its
// services. Entities are named by their ids here.
#pragma once

#include <chrono>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/handle.h"
#include "base/json/json.h"
#include "base/mutex.h"
#include "base/result.h"

namespace hearth::core {

// Bus thread. Answers come later or at once, on the bus thread, once each.
class OtherHub {
 public:
  // Errors are in the words of the hub there: with failed_elsewhere if its answer is no good, with unreachable if
  // nobody answers, with unavailable if too much is asked for at a time.
  template <class T>
  using Done = std::function<void(base::Result<T>)>;

  struct Body {
    std::string content_type, bytes;
  };
  using BodyPtr = std::shared_ptr<const Body>;

  // The rest of a stream. Any thread, one at a time. Destroyed, it ends the stream; may outlive the hub.
  class Stream {
   public:
    virtual ~Stream() = default;
    // `ready` is called once, on any thread, with the next bytes; null: the stream is over.
    virtual void next(std::function<void(std::optional<std::string>)> ready) = 0;
  };
  struct OpenedStream {
    std::string content_type;
    std::string first;  // bytes, not empty
    std::unique_ptr<Stream> rest;
  };

  virtual ~OtherHub() = default;

  // Always the same: true if it is asked for what was before the records here.
  virtual bool tells_past() const { return false; }

  // `rest`: what follows the entity in the path, such as browse_media/album/7, and `query`, without a token; both are
  // empty for the picture itself.
  virtual void picture(std::string_view entity_id, std::string_view rest, std::string_view query,
                       Done<BodyPtr> done) = 0;
  virtual void stream(std::string_view entity_id, Done<OpenedStream> done) = 0;
  // A file of a video, at a path that OtherHubs::lend has got; `rest` and `query` follow it.
  virtual void file(std::string_view path, std::string_view rest, std::string_view query, Done<BodyPtr> done) = 0;
  // The events of a calendar between two times, as GET /api/calendars/{entity_id} of the hub there gives them.
  virtual void events(std::string_view entity_id, std::string_view start, std::string_view end,
                      Done<json::value> done) = 0;
  // A command of the WebSocket API, without `id`, about the entity that its `entity_id` or `media_content_id` names.
  // `controls`: it changes something there.
  virtual void ask(json::object command, bool controls, Done<json::value> done) = 0;
  // Likewise; `event` is called after the answer, until the end of the handle.
  [[nodiscard]] virtual base::Handle subscribe(json::object command, Done<json::value> done,
                                               std::function<void(json::value)> event) = 0;
  // A command that asks for the past of the entities that its `entity_ids` or `statistic_ids` name; they are the keys
  // of the answer.
  virtual void past(json::object command, Done<json::object> done) = 0;
};

// The other hubs of a home, by name, and the paths to videos that they have lent to clients: a path is the right to see
// it.
class OtherHubs {
 public:
  static constexpr std::chrono::hours kLent{1};
  static constexpr std::size_t kMostLent = 1'000;  // the oldest goes

  struct Lent {
    std::string name, path;  // of the hub, and there
    base::SteadyTime until;
  };

  // Bus thread, or while the bus does not run. The handle removes it; the hub must outlive the handle.
  // REQUIRES: none of that name is there.
  [[nodiscard]] base::Handle add(std::string name, OtherHub& hub);
  // Bus thread. Null if there is none.
  OtherHub* find(std::string_view name) const;

  // Any thread.
  bool has(std::string_view name) const { return find(name) != nullptr; }
  bool tells_past(std::string_view name) const;
  // Returns what stands for the path here; the same for the same path.
  std::string lend(std::string_view name, std::string_view path, base::SteadyTime now);
  std::optional<Lent> lent(std::string_view token, base::SteadyTime now) const;

 private:
  struct Entry {
    OtherHub* hub;
    bool tells_past;
  };
  mutable base::Mutex mutex_;
  std::map<std::string, Entry, std::less<>> by_name_ __attribute__((guarded_by(mutex_)));
  std::map<std::string, Lent, std::less<>> lent_ __attribute__((guarded_by(mutex_)));  // by token
  std::list<std::string> order_ __attribute__((guarded_by(mutex_)));                   // of them, the oldest first
};

// For core::Hub, which need not know them.
std::shared_ptr<OtherHubs> make_other_hubs();

}  // namespace hearth::core
