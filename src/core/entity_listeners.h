// SPDX-License-Identifier: Apache-2.0
// Who listens to single entities. All of them together are one listener of the bus, and a change of state reaches only
// those who named its entity, however many others there are.
//
// They hear the changes of state that the hub itself reports, those that a client makes by writing a state included; an
// event that a client fires under that name is none. Callbacks are called on the bus thread, prompt, in the order in
// which they began to listen, and may begin and end listenings, their own included. What one throws is logged, and the
// next is called.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <source_location>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "core/event_bus.h"

namespace hearth::core {

class EntityListeners final : private EventListener {
  struct Entry;

 public:
  using Callback = std::function<void(const StateChange& change, const Event& event)>;

  // Ends the listening when destroyed; afterwards the callback is not called. Destroyed on another thread than the
  // bus's, it waits for a call that is under way, so hold no lock that the callback takes. Move-only.
  class Listening {
   public:
    Listening() = default;
    Listening(Listening&& other) noexcept { *this = std::move(other); }
    Listening& operator=(Listening&& other) noexcept;
    ~Listening();

    explicit operator bool() const { return entry_ != nullptr; }

   private:
    friend class EntityListeners;
    EntityListeners* listeners_ = nullptr;
    std::shared_ptr<Entry> entry_;
  };

  // The bus must outlive it; it must outlive the listenings.
  explicit EntityListeners(EventBus& bus) : bus_(bus) {}
  EntityListeners(const EntityListeners&) = delete;
  EntityListeners& operator=(const EntityListeners&) = delete;

  // Any thread. Of what happens from now on to these entities, whether or not they exist yet. `where` is who holds the
  // bus while the callback runs.
  [[nodiscard]] Listening listen(std::vector<std::string> entity_ids, Callback callback,
                                 const std::source_location& where = std::source_location::current());

 private:
  using EntryPtr = std::shared_ptr<Entry>;

  void on_event(const EventPtr& event) override;
  std::vector<EntryPtr> find(std::string_view entity_id);
  void call(const Entry& entry, const StateChange& change, const Event& event);
  void end(Entry& entry);

  EventBus& bus_;
  base::Mutex mutex_;
  base::ConditionVariable call_ended_;
  std::map<std::string, std::vector<EntryPtr>, std::less<>> by_entity_ __attribute__((guarded_by(mutex_)));
  const Entry* calling_ __attribute__((guarded_by(mutex_))) = nullptr;
  std::uint64_t calls_ __attribute__((guarded_by(mutex_))) = 0;
  // Last, and from the first listening on: a home in which nobody listens wakes the bus thread for nobody.
  Subscription subscription_ __attribute__((guarded_by(mutex_)));
};

}  // namespace hearth::core
