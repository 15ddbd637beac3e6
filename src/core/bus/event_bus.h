// SPDX-License-Identifier: Apache-2.0
// The total order of events, and the thread that delivers them.
//
// Any thread fires; the bus thread delivers each event to its listeners, one event at a time, in the order of firing.
// It also runs posted tasks and timers between events, so objects that live on it (integrations, services, automations)
// need no lock. Nothing on the bus thread may block.
//
// Queue: at most kMaxQueued entries, or kMaxQueuedBytes that events and tasks keep alive, wait or run. At the bound,
// other threads that fire or post wait for room, or fail with unavailable if they may not wait; the bus thread may
// always add, because it is the one that makes room.
//
// A callback that holds the bus too long is named: see bus_watch.h.
#pragma once

#include <atomic>
#include <boost/circular_buffer.hpp>
#include <boost/container/static_vector.hpp>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <source_location>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/result.h"
#include "base/text/text_map.h"
#include "core/bus/bus_watch.h"
#include "core/bus/event.h"
#include "core/bus/timer_queue.h"

namespace hearth::core {

// The events that a listener wants: all types except those delivered by name only, or the named ones.
struct EventFilter {
  std::set<std::string, std::less<>> types;  // empty means all

  bool all() const { return types.empty(); }
  bool matches(std::string_view type) const { return all() ? !event_type::only_by_name(type) : types.contains(type); }
  bool operator==(const EventFilter&) const = default;
};

// How soon a listener wants its events: at once, or within EventBus::kRelaxedDelay, so that the bus thread need not
// wake for each. The order is the same: a prompt event is delivered after all that wait before it.
enum class Pace { prompt, relaxed };

// A caller's way if the bus is full.
enum class IfFull {
  wait,  // until there is room
  fail,  // fail with unavailable at once: for threads that others wait for, such as HTTP workers
  pass,  // ignore the bound: to complete a change that was accepted
};

class EventListener {
 public:
  virtual ~EventListener() = default;
  // Bus thread. Must not block.
  virtual void on_event(const EventPtr& event) = 0;
};

class EventBus;

// Unsubscribes when destroyed; the listener is not called for it afterwards. Destruction on another thread waits for a
// running call, so hold no lock that the listener takes.
class Subscription {
 public:
  Subscription() = default;
  Subscription(Subscription&& other) noexcept { *this = std::move(other); }
  Subscription& operator=(Subscription&& other) noexcept;
  ~Subscription();

  explicit operator bool() const { return bus_ != nullptr; }
  // Delivers events with a greater sequence number only.
  std::uint64_t start() const { return start_; }

 private:
  friend class EventBus;
  EventBus* bus_ = nullptr;
  std::uint64_t id_ = 0;
  std::uint64_t start_ = 0;
};

// Cancels the task when destroyed: on the bus thread, it does not run afterwards; on another thread, destruction does
// not wait for a running task. Move-only.
class Timer {
 public:
  Timer() = default;
  Timer(Timer&& other) noexcept { *this = std::move(other); }
  Timer& operator=(Timer&& other) noexcept;
  ~Timer();

 private:
  friend class EventBus;
  using Key = std::variant<TimerQueue<base::SteadyTime>::Key, TimerQueue<base::Timestamp>::Key>;

  EventBus* bus_ = nullptr;
  Key key_;
};

class EventBus {
 public:
  using Task = std::function<void()>;
  static constexpr std::size_t kMaxQueued = 65'536;
  static constexpr std::size_t kMaxQueuedBytes = 64 * 1024 * 1024;
  // Events kept for listeners that resume: so many, and so many bytes.
  static constexpr std::size_t kMaxRecent = 2'048;
  static constexpr std::size_t kMaxRecentBytes = 4 * 1024 * 1024;
  static constexpr base::Duration kRelaxedDelay = std::chrono::milliseconds(5);
  // The weight of a task that keeps little alive.
  static constexpr std::size_t kSmallTask = 512;
  // At most so many due timers run before events and tasks have their turn.
  static constexpr std::size_t kMaxTimersAtOnce = 64;
  // How often the wall clock is read while a timer waits for it.
  static constexpr base::Duration kWallClockLook = std::chrono::seconds(1);

  explicit EventBus(const base::Clock& clock);
  ~EventBus();
  EventBus(const EventBus&) = delete;
  EventBus& operator=(const EventBus&) = delete;

  // The right to write next: holds the lock of the total order. Taken for microseconds, by the state machine and the
  // registry, to read the clock, publish and fire; nothing else is locked or awaited inside.
  class Turn {
   public:
    // `events`: how many it may fire; their memory is allocated now, so that nothing fails after something was
    // published.
    explicit Turn(EventBus& bus, IfFull if_full = IfFull::wait, std::size_t events = 1)
        __attribute__((no_thread_safety_analysis));
    ~Turn() __attribute__((no_thread_safety_analysis));
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

    // False if the bus is full, with IfFull::fail: then the lock is not held, and `full` is the error.
    explicit operator bool() const { return lock_.owns_lock(); }

    base::Timestamp now() const { return now_; }
    std::uint64_t next_sequence() const __attribute__((no_thread_safety_analysis)) { return bus_.last_sequence_ + 1; }
    // Queues the event as next_sequence(). After its first event, a turn may exceed the bounds. REQUIRES: it is one of
    // `events`.
    void fire(std::shared_ptr<Event> event) noexcept __attribute__((no_thread_safety_analysis));

   private:
    // Up to this many events that leave the ring are freed after the turn; further ones within it.
    static constexpr std::size_t kMaxForgotten = 16;

    EventBus& bus_;
    base::Timestamp now_;
    boost::container::static_vector<EventPtr, kMaxForgotten> forgotten_;
    bool wake_ = false;
    std::unique_lock<base::Mutex> lock_;
  };
  // The error of callers that could not wait.
  static std::unexpected<base::Error> full();

  // Any thread. Returns the event's sequence number; the event is then queued for every listener.
  std::uint64_t fire(std::string_view type, std::string data_json, Origin origin, const Context& context,
                     FiredBy by = FiredBy::hub) {
    return *fire(IfFull::wait, type, std::move(data_json), origin, context, by);
  }
  // As above; fails with unavailable if the bus is full, with IfFull::fail.
  base::Result<std::uint64_t> fire(IfFull if_full, std::string_view type, std::string data_json, Origin origin,
                                   const Context& context, FiredBy by = FiredBy::hub);

  std::uint64_t last_delivered() const { return last_delivered_; }  // bus thread only; later ones wait in the bus
  // Any thread. The sequence number of the last event fired; 0 before the first.
  std::uint64_t last_sequence() const {
    base::MutexLock lock(mutex_);
    return last_sequence_;
  }

  std::size_t pending() const;  // any thread: how many events and tasks wait or run
  // Any thread. `listener` must outlive the subscription. A listener with several subscriptions is called once for an
  // event. `where` is named if the listener holds the bus too long, as for posts and timers.
  [[nodiscard]] Subscription listen(EventFilter filter, EventListener& listener, Pace pace = Pace::prompt,
                                    const std::source_location& where = std::source_location::current());
  // Bus thread only. As above, with all events after number `since` that wait in the bus.
  [[nodiscard]] Subscription listen_since(std::uint64_t since, EventFilter filter, EventListener& listener,
                                          Pace pace = Pace::prompt,
                                          const std::source_location& where = std::source_location::current());
  // As the first with a function. It gets the hub's own events only, so that code that acts on events does not act on a
  // client's event of the same type.
  [[nodiscard]] Subscription listen(std::string_view type, std::function<void(const Event&)> callback,
                                    Pace pace = Pace::prompt,
                                    const std::source_location& where = std::source_location::current());

  // As listen, to resume: `missed` gets the events after `last_seen` that match the filter and precede the
  // subscription. False, with no events, if the bus no longer has (or never had) all of them.
  struct Resumed {
    Subscription subscription;
    std::vector<EventPtr> missed;
    bool complete;
  };
  [[nodiscard]] Resumed resume(EventFilter filter, EventListener& listener, std::uint64_t last_seen,
                               const std::source_location& where = std::source_location::current());

  struct ListenerCount {
    std::string type;  // `*` for listeners to all types
    std::size_t count;
  };
  // Sorted by type.
  std::vector<ListenerCount> listener_counts() const;
  // Any thread. From now on a change of one of these entities is delivered at once, and its event is marked as named.
  // Counted: undone by as many calls of unname_entities. Returns last_sequence().
  std::uint64_t name_entities(const std::set<std::string>& entity_ids);
  void unname_entities(const std::set<std::string>& entity_ids);
  // True if anyone listens to state_reported by name. A hint: a new listener may miss the event being fired.
  bool wants_reported() const { return reported_listeners_.load(std::memory_order_relaxed) > 0; }

  // Any thread. Runs the task on the bus thread, after what is already queued. `weight`: about how many bytes it keeps
  // alive.
  void post(Task task, const std::source_location& where = std::source_location::current()) {
    post(kSmallTask, std::move(task), where);
  }
  void post(std::size_t weight, Task task, const std::source_location& where = std::source_location::current()) {
    static_cast<void>(post(IfFull::wait, weight, std::move(task), where));
  }
  // As above; fails with unavailable if the bus is full, with IfFull::fail.
  base::Result<void> post(IfFull if_full, std::size_t weight, Task task,
                          const std::source_location& where = std::source_location::current());
  // Any thread. Runs the task on the bus thread after the delay, after what is queued then.
  [[nodiscard]] Timer schedule(base::Duration delay, Task task,
                               const std::source_location& where = std::source_location::current());
  // Any thread. As above, when the wall clock reaches that time, at once if it has. If the clock jumps, because it is
  // set or the machine slept, the task moves with it; after a jump past that time it runs within kWallClockLook. It
  // runs once, even if the time comes twice.
  [[nodiscard]] Timer schedule_at(base::Timestamp time, Task task,
                                  const std::source_location& where = std::source_location::current());

  // Notes the code that holds the bus too long.
  BusWatch& watch() { return watch_; }

  // Starts the bus thread, once; stop, on another thread, lets it finish what is queued, except timers, and joins it.
  // Without start, tests call run_pending, which runs on their thread what is queued and due, until nothing is left.
  void start() {
    thread_ = std::thread([this] { run(); });
  }
  void stop();
  void run_pending();
  // How long until the first timer is due, zero if it is; null if there is none. For who moves the clock by hand.
  std::optional<base::Duration> time_to_next_timer() const;
  bool on_bus_thread() const { return std::this_thread::get_id() == thread_id_.load(std::memory_order_relaxed); }

 private:
  friend class Subscription;
  friend class Timer;

  struct Item {
    EventPtr event;  // null for a task
    Task task;
    std::size_t weight;
    std::source_location where;  // of the task
  };
  struct Recent {
    EventPtr event;
    std::size_t weight;  // cached, because reading an old event would be a cache miss
  };
  struct Registration {
    EventFilter filter;
    EventListener* listener;
    std::unique_ptr<EventListener> owned;  // for callbacks
    std::uint64_t start;
    Pace pace;
    std::source_location where;
    bool active = false;  // in a group; until an event after its start is delivered it is only in starting_
  };
  // The events that several registrations listen to, summed up.
  class Interest {
   public:
    Interest() { last_type_.reserve(kRemembered); }
    void add(const EventFilter& filter);
    void remove(const EventFilter& filter);
    bool wants(const std::string& type) noexcept {
      if (type == last_type_) return wants_last_;
      const bool wanted = (all_ > 0 && !event_type::only_by_name(type)) || types_.contains(type);
      if (type.size() <= last_type_.capacity()) {
        last_type_.assign(type);
        wants_last_ = wanted;
      }
      return wanted;
    }

   private:
    static constexpr std::size_t kRemembered = 64;

    std::size_t all_ = 0;
    std::unordered_map<std::string, std::size_t> types_;
    std::string last_type_;  // last lookup: an event is usually of the same type as the one before
    bool wants_last_ = false;
  };
  // All active registrations of one listener.
  struct Group {
    EventListener* listener;
    std::source_location where;  // of its first registration
    std::size_t registrations = 0;
    Interest interest = {};
  };

  enum class Rest {
    awake,
    idle,
    lingering
  };  // of the bus thread: idle until something comes, lingering until something prompt does

  Subscription add(EventFilter filter, EventListener& listener, std::unique_ptr<EventListener> owned,
                   std::uint64_t start, Pace pace, const std::source_location& where)
      __attribute__((requires_capability(listeners_mutex_), requires_capability(mutex_)));
  void remove(std::uint64_t id);
  void join_group(Registration& registration) __attribute__((requires_capability(listeners_mutex_)));
  void leave_group(const Registration& registration) __attribute__((requires_capability(listeners_mutex_)));
  void activate_before(std::uint64_t sequence) __attribute__((requires_capability(listeners_mutex_)));
  std::vector<Group>::iterator find_group(const EventListener* listener)
      __attribute__((requires_capability(listeners_mutex_)));
  void cancel(const Timer::Key& key);
  template <class Time>
  Timer add_timer(TimerQueue<Time> EventBus::* queue, Time due, Task task, const std::source_location& where);
  // Until the next timer is due, or the wall clock must be read; null if there is no timer.
  std::optional<base::Duration> time_to_timer() const __attribute__((requires_capability(mutex_)));
  bool has_room() const __attribute__((requires_capability(mutex_))) {
    return pending_ < kMaxQueued && pending_bytes_ < kMaxQueuedBytes;
  }
  // False if there is no room, with IfFull::fail.
  bool await_room(IfFull if_full) __attribute__((requires_capability(mutex_)));
  // Allocates memory for that many events.
  void reserve(std::size_t events) __attribute__((requires_capability(mutex_)));
  // Sets `wake` if the bus thread must be notified.
  void enqueue(Item item, bool prompt, bool& wake) __attribute__((requires_capability(mutex_)));
  // Makes room for what has run.
  void release(std::size_t count, std::size_t bytes) __attribute__((requires_capability(mutex_)));
  void rest() __attribute__((requires_capability(mutex_)));
  void run();
  // Runs what is queued and then the due timers; false if there was neither.
  bool run_batch(std::vector<Item>& batch);
  void run(Item& item);
  // `count` items of `bytes` ran before and still count.
  bool run_timers(std::size_t count, std::size_t bytes);
  void dispatch(const EventPtr& event);
  void find_matching(const std::string& type) __attribute__((requires_capability(listeners_mutex_)));
  void run_guarded(Task task, const std::source_location& where);

  const base::Clock& clock_;
  BusWatch watch_;

  mutable base::Mutex mutex_;  // guards the total order: queue, sequence, recent events, timers
  base::ConditionVariable wake_;
  base::ConditionVariable room_;
  std::vector<Item> queue_ __attribute__((guarded_by(mutex_)));
  TimerQueue<base::SteadyTime> timers_ __attribute__((guarded_by(mutex_)));
  TimerQueue<base::Timestamp> wall_timers_ __attribute__((guarded_by(mutex_)));
  boost::circular_buffer<Recent> recent_ __attribute__((guarded_by(mutex_))){kMaxRecent + 1};
  std::uint64_t last_sequence_ __attribute__((guarded_by(mutex_))) = 0;
  std::size_t pending_ __attribute__((guarded_by(mutex_))) = 0;  // items that are queued or in the running batch
  std::size_t pending_bytes_ __attribute__((guarded_by(mutex_))) = 0;
  std::size_t recent_bytes_ __attribute__((guarded_by(mutex_))) = 0;
  bool forgot_ __attribute__((guarded_by(mutex_))) = false;  // something has left recent_
  Interest prompt_interest_ __attribute__((guarded_by(mutex_)));
  // How many listen to an entity by name.
  base::TextMap<std::size_t> named_entities_ __attribute__((guarded_by(mutex_)));
  bool prompt_ __attribute__((guarded_by(mutex_))) = false;  // something in the queue is prompt
  Rest rest_ __attribute__((guarded_by(mutex_))) = Rest::awake;
  bool stopping_ __attribute__((guarded_by(mutex_))) = false;
  std::size_t waiting_for_room_ __attribute__((guarded_by(mutex_))) = 0;

  // If both are needed, taken before mutex_.
  mutable base::Mutex listeners_mutex_;
  base::ConditionVariable call_ended_;
  std::unordered_map<std::uint64_t, Registration> registrations_ __attribute__((guarded_by(listeners_mutex_)));
  std::deque<std::uint64_t> starting_ __attribute__((guarded_by(listeners_mutex_)));  // not yet active, by start
  std::vector<Group> groups_ __attribute__((guarded_by(listeners_mutex_)));
  std::uint64_t removals_ __attribute__((guarded_by(listeners_mutex_))) = 0;
  std::uint64_t last_registration_ __attribute__((guarded_by(listeners_mutex_))) = 0;
  EventListener* calling_ __attribute__((guarded_by(listeners_mutex_))) = nullptr;
  std::uint64_t calls_ __attribute__((guarded_by(listeners_mutex_))) = 0;
  std::atomic<std::size_t> reported_listeners_{0};

  // Of the last event's type; null if listeners have changed since.
  std::optional<std::string> matching_type_ __attribute__((guarded_by(listeners_mutex_)));
  struct Matching {
    EventListener* listener;
    std::source_location where;
  };
  std::uint64_t last_delivered_ = 0;        // bus thread only
  std::vector<Matching> matching_;          // bus thread only: who gets the current event
  std::unique_ptr<EventListener> retired_;  // bus thread only: a callback that ended its own subscription
  std::thread thread_;
  std::atomic<std::thread::id> thread_id_;
};

}  // namespace hearth::core
