// SPDX-License-Identifier: Apache-2.0
// Passes state changes to the listeners of single entities. Together they are one listener of the bus; a change reaches
// only those of its entity, however many others there are, and does not wake the bus thread if there are none.
//
// They get the state changes that the hub reports, including those that a client makes by writing a state, but not
// events that a client fires under that name. Callbacks run on the bus thread, prompt, in the order of subscription,
// and may add and remove listeners, including themselves. An exception is logged, and the next callback runs.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "core/bus/event_bus.h"

namespace hearth::core {

class EntityListeners final : private EventListener {
  struct Entry;

 public:
  using Callback = std::function<void(const StateChange& change, const Event& event)>;

  // Unsubscribes when destroyed; the callback is not called afterwards. On any thread except the bus's, destruction
  // waits for a running call, so hold no lock that the callback takes. Move-only.
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

  // The bus must outlive it; it must outlive its listeners.
  explicit EntityListeners(EventBus& bus) : bus_(bus) {}
  EntityListeners(const EntityListeners&) = delete;
  EntityListeners& operator=(const EntityListeners&) = delete;

  // Any thread. Delivers later changes of these entities, whether or not they exist yet. `where` is named if the
  // callback holds the bus too long.
  [[nodiscard]] Listening listen(std::vector<std::string> entity_ids, Callback callback,
                                 const std::source_location& where = std::source_location::current());
  // Bus thread only. As above, and delivers what waits in the bus, too: all changes after event number `since` that
  // have not been delivered yet.
  [[nodiscard]] Listening listen_since(std::uint64_t since, std::vector<std::string> entity_ids, Callback callback,
                                       const std::source_location& where = std::source_location::current());

 private:
  using EntryPtr = std::shared_ptr<Entry>;

  Listening add(std::optional<std::uint64_t> since, std::vector<std::string> entity_ids, Callback callback,
                const std::source_location& where);
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
  // Bus thread only. Events up to this number may concern a listener that came after they were fired.
  std::uint64_t unnamed_until_ = 0;
  // Last. Created with the first listener. Relaxed: the bus delivers changes of named entities at once anyway.
  Subscription subscription_ __attribute__((guarded_by(mutex_)));
};

}  // namespace hearth::core
