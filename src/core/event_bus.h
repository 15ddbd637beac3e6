// SPDX-License-Identifier: Apache-2.0
// The one total order of events, and the one thread that reacts to them.
//
// Any thread fires; the bus thread hands each event to its listeners, one event at a time, in the order of firing. The
// same thread runs posted tasks and timers between events, so whoever lives there (integrations, services, automations)
// needs no lock. Nothing on the bus thread may block.
//
// Queue: at most kMaxQueued entries, or kMaxQueuedBytes of what events and tasks keep alive, wait or are being run. At
// the bound whoever fires or posts from another thread waits until there is room, or fails with unavailable if it may
// not wait; the bus thread itself may always add, since it is the one that makes room.
//
// A callback that holds the bus for too long is named: see bus_watch.h.
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
#include "core/bus_watch.h"
#include "core/event.h"
#include "core/timer_queue.h"

namespace hearth::core {

// What a listener wants: all types but those that come only by name, or the named ones.
struct EventFilter {
  std::set<std::string, std::less<>> types;  // empty: all

  bool all() const { return types.empty(); }
  bool matches(std::string_view type) const { return all() ? !event_type::only_by_name(type) : types.contains(type); }
  bool operator==(const EventFilter&) const = default;
};

// How soon a listener wants its events: at once, or within EventBus::kRelaxedDelay, so that the bus thread need not
// wake for each. Either way they come in order, and whatever is prompt takes along what waits before it.
enum class Pace { prompt, relaxed };

// What somebody does who finds the bus full.
enum class IfFull {
  wait,  // until there is room
  fail,  // with unavailable, at once: for threads that others wait for, as the workers of HTTP
  pass,  // the bound: for what completes a change that was let in
};

class EventListener {
 public:
  virtual ~EventListener() = default;
  // Bus thread. Must not block.
  virtual void on_event(const EventPtr& event) = 0;
};

class EventBus;

// Ends the listening when destroyed; afterwards the listener is not called for it again. Destroying it from another
// thread waits for a call that is under way, so hold no lock that the listener takes.
class Subscription {
 public:
  Subscription() = default;
  Subscription(Subscription&& other) noexcept { *this = std::move(other); }
  Subscription& operator=(Subscription&& other) noexcept;
  ~Subscription();

  explicit operator bool() const { return bus_ != nullptr; }
  // Events with a greater sequence number are delivered, earlier ones are not.
  std::uint64_t start() const { return start_; }

 private:
  friend class EventBus;
  EventBus* bus_ = nullptr;
  std::uint64_t id_ = 0;
  std::uint64_t start_ = 0;
};

// Cancels the task when destroyed, unless it ran: destroyed on the bus thread, the task does not run afterwards.
// Move-only. Destroyed on another thread it does not wait for a task that is running.
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
  // Events kept for those who come back: so many, and so many bytes of them.
  static constexpr std::size_t kMaxRecent = 2'048;
  static constexpr std::size_t kMaxRecentBytes = 4 * 1024 * 1024;
  static constexpr base::Duration kRelaxedDelay = std::chrono::milliseconds(5);
  // What a task weighs that keeps little alive.
  static constexpr std::size_t kSmallTask = 512;
  // Timers that are due run one after the other, so many before events and tasks have their turn.
  static constexpr std::size_t kMaxTimersAtOnce = 64;
  // So often the wall clock is looked at while a timer waits for it.
  static constexpr base::Duration kWallClockLook = std::chrono::seconds(1);

  explicit EventBus(const base::Clock& clock);
  ~EventBus();
  EventBus(const EventBus&) = delete;
  EventBus& operator=(const EventBus&) = delete;

  // The right to write next: holds the lock of the total order. Taken for microseconds, by the state machine and the
  // registry around reading the clock, publishing and firing; inside it nothing else is locked or awaited.
  class Turn {
   public:
    // `events`: how many it may fire; the memory for them is taken now, so that nothing fails once something has been
    // published.
    explicit Turn(EventBus& bus, IfFull if_full = IfFull::wait, std::size_t events = 1)
        __attribute__((no_thread_safety_analysis));
    ~Turn() __attribute__((no_thread_safety_analysis));
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

    // False if the bus is full, with IfFull::fail: it is nobody's turn then, and `full` says so.
    explicit operator bool() const { return lock_.owns_lock(); }

    base::Timestamp now() const { return now_; }
    std::uint64_t next_sequence() const __attribute__((no_thread_safety_analysis)) { return bus_.last_sequence_ + 1; }
    // Enqueues the event under next_sequence(). What one turn fires beyond its first event may pass the bounds.
    // REQUIRES: it is one of `events`.
    void fire(std::shared_ptr<Event> event) noexcept __attribute__((no_thread_safety_analysis));

   private:
    // What leaves the ring for this event is freed after the turn; what is beyond that, within it.
    static constexpr std::size_t kMaxForgotten = 16;

    EventBus& bus_;
    base::Timestamp now_;
    boost::container::static_vector<EventPtr, kMaxForgotten> forgotten_;
    bool wake_ = false;
    std::unique_lock<base::Mutex> lock_;
  };
  // What those answer who could not wait.
  static std::unexpected<base::Error> full();

  // Any thread. Returns the event's sequence number; when it returns, the event is queued for every listener.
  std::uint64_t fire(std::string_view type, std::string data_json, Origin origin, const Context& context,
                     FiredBy by = FiredBy::hub) {
    return *fire(IfFull::wait, type, std::move(data_json), origin, context, by);
  }
  // As above; fails with unavailable if the bus is full and `if_full` says so.
  base::Result<std::uint64_t> fire(IfFull if_full, std::string_view type, std::string data_json, Origin origin,
                                   const Context& context, FiredBy by = FiredBy::hub);

  // Any thread. The number of the event that was fired last; 0 before the first.
  std::uint64_t last_sequence() const {
    base::MutexLock lock(mutex_);
    return last_sequence_;
  }

  // Any thread. `listener` must outlive the subscription. One that listens several times is called once for an event.
  // `where` is who holds the bus while the listener is called, as for posts and timers.
  [[nodiscard]] Subscription listen(EventFilter filter, EventListener& listener, Pace pace = Pace::prompt,
                                    const std::source_location& where = std::source_location::current());
  // As above with the function as the listener. It hears the hub's own events only, so that what obeys events does not
  // obey a client who fires one of the same type.
  [[nodiscard]] Subscription listen(std::string_view type, std::function<void(const Event&)> callback,
                                    Pace pace = Pace::prompt,
                                    const std::source_location& where = std::source_location::current());

  // As listen, for one who comes back: `missed` gets the events after `last_seen` that the filter lets through and that
  // lie before the subscription. False, with no events, where the bus no longer has (or never had) all of them.
  struct Resumed {
    Subscription subscription;
    std::vector<EventPtr> missed;
    bool complete;
  };
  [[nodiscard]] Resumed resume(EventFilter filter, EventListener& listener, std::uint64_t last_seen,
                               const std::source_location& where = std::source_location::current());

  struct ListenerCount {
    std::string type;  // `*` for listeners of all
    std::size_t count;
  };
  // Sorted by type.
  std::vector<ListenerCount> listener_counts() const;
  // Whether anyone asked for state_reported by name. A hint: a listener that comes meanwhile may miss the event under
  // way.
  bool wants_reported() const { return reported_listeners_.load(std::memory_order_relaxed) > 0; }

  // Any thread. Runs the task on the bus thread, after what is queued already. `weight`: about how many bytes it keeps
  // alive.
  void post(Task task, const std::source_location& where = std::source_location::current()) {
    post(kSmallTask, std::move(task), where);
  }
  void post(std::size_t weight, Task task, const std::source_location& where = std::source_location::current()) {
    static_cast<void>(post(IfFull::wait, weight, std::move(task), where));
  }
  // As above; fails with unavailable if the bus is full and `if_full` says so.
  base::Result<void> post(IfFull if_full, std::size_t weight, Task task,
                          const std::source_location& where = std::source_location::current());
  // Any thread. Runs the task on the bus thread once the time has passed, after what is queued then.
  [[nodiscard]] Timer schedule(base::Duration delay, Task task,
                               const std::source_location& where = std::source_location::current());
  // Any thread. As above once the wall clock shows that time, at once if it does already. The clock may jump, set by a
  // time server or because the machine slept: a jump back puts the task off, and after one past that time it runs
  // within kWallClockLook. It runs once, though the time comes twice.
  [[nodiscard]] Timer schedule_at(base::Timestamp time, Task task,
                                  const std::source_location& where = std::source_location::current());

  // Who holds the bus for too long.
  BusWatch& watch() { return watch_; }

  // Starts the bus thread, once; stop, from another thread, lets it finish what is queued (not the timers), and joins
  // it. Without start, as tests do, run_pending does on the calling thread what is queued and due, until nothing is.
  void start() {
    thread_ = std::thread([this] { run(); });
  }
  void stop();
  void run_pending();
  bool on_bus_thread() const { return std::this_thread::get_id() == thread_id_.load(std::memory_order_relaxed); }

 private:
  friend class Subscription;
  friend class Timer;

  struct Item {
    EventPtr event;  // or, if null, the task
    Task task;
    std::size_t weight;
    std::source_location where;  // the task's
  };
  struct Recent {
    EventPtr event;
    std::size_t weight;  // noted, as asking an old event waits for memory
  };
  struct Registration {
    EventFilter filter;
    EventListener* listener;
    std::unique_ptr<EventListener> owned;  // for callbacks
    std::uint64_t start;
    Pace pace;
    std::source_location where;
    bool active = false;  // in a group; until an event behind its start comes up it is only in starting_
  };
  // What several registrations listen for, added up.
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
    std::string last_type_;  // asked for, as one event is mostly like the one before it
    bool wants_last_ = false;
  };
  // All active registrations of one listener.
  struct Group {
    EventListener* listener;
    std::source_location where;  // its first registration's
    std::size_t registrations = 0;
    Interest interest = {};
  };

  enum class Rest {
    awake,
    idle,
    lingering
  };  // of the bus thread: idle until anything comes, lingering until it is prompt

  Subscription add(EventFilter filter, EventListener& listener, std::unique_ptr<EventListener> owned, Pace pace,
                   const std::source_location& where)
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
  // Until the next timer is due, or the wall clock is to be looked at; nothing if there is no timer.
  std::optional<base::Duration> time_to_timer() const __attribute__((requires_capability(mutex_)));
  bool has_room() const __attribute__((requires_capability(mutex_))) {
    return pending_ < kMaxQueued && pending_bytes_ < kMaxQueuedBytes;
  }
  // False if there is none and `if_full` is to fail.
  bool await_room(IfFull if_full) __attribute__((requires_capability(mutex_)));
  // Takes the memory for so many events to come.
  void reserve(std::size_t events) __attribute__((requires_capability(mutex_)));
  // Sets `wake` if the bus thread is to be notified.
  void enqueue(Item item, bool prompt, bool& wake) __attribute__((requires_capability(mutex_)));
  // What has been run makes room.
  void release(std::size_t count, std::size_t bytes) __attribute__((requires_capability(mutex_)));
  void rest() __attribute__((requires_capability(mutex_)));
  void run();
  // Runs what is queued and then the timers that are due; false if there was neither.
  bool run_batch(std::vector<Item>& batch);
  void run(Item& item);
  // `count` items of `bytes` have been run before.
  bool run_timers(std::size_t count, std::size_t bytes);
  void dispatch(const EventPtr& event);
  void find_matching(const std::string& type) __attribute__((requires_capability(listeners_mutex_)));
  void run_guarded(Task task, const std::source_location& where);

  const base::Clock& clock_;
  BusWatch watch_;

  mutable base::Mutex mutex_;  // the total order: queue, sequence, recent events, timers
  base::ConditionVariable wake_;
  base::ConditionVariable room_;
  std::vector<Item> queue_ __attribute__((guarded_by(mutex_)));
  TimerQueue<base::SteadyTime> timers_ __attribute__((guarded_by(mutex_)));
  TimerQueue<base::Timestamp> wall_timers_ __attribute__((guarded_by(mutex_)));
  boost::circular_buffer<Recent> recent_ __attribute__((guarded_by(mutex_))){kMaxRecent + 1};
  std::uint64_t last_sequence_ __attribute__((guarded_by(mutex_))) = 0;
  std::size_t pending_ __attribute__((guarded_by(mutex_))) = 0;  // items that are queued or in the batch in hand
  std::size_t pending_bytes_ __attribute__((guarded_by(mutex_))) = 0;
  std::size_t recent_bytes_ __attribute__((guarded_by(mutex_))) = 0;
  bool forgot_ __attribute__((guarded_by(mutex_))) = false;  // something has left recent_
  Interest prompt_interest_ __attribute__((guarded_by(mutex_)));
  bool prompt_ __attribute__((guarded_by(mutex_))) = false;  // something in the queue is
  Rest rest_ __attribute__((guarded_by(mutex_))) = Rest::awake;
  bool stopping_ __attribute__((guarded_by(mutex_))) = false;
  std::size_t waiting_for_room_ __attribute__((guarded_by(mutex_))) = 0;

  // Taken before mutex_ where both are needed.
  mutable base::Mutex listeners_mutex_;
  base::ConditionVariable call_ended_;
  std::unordered_map<std::uint64_t, Registration> registrations_ __attribute__((guarded_by(listeners_mutex_)));
  std::deque<std::uint64_t> starting_ __attribute__((guarded_by(listeners_mutex_)));  // not active yet, by their start
  std::vector<Group> groups_ __attribute__((guarded_by(listeners_mutex_)));
  std::uint64_t removals_ __attribute__((guarded_by(listeners_mutex_))) = 0;
  std::uint64_t last_registration_ __attribute__((guarded_by(listeners_mutex_))) = 0;
  EventListener* calling_ __attribute__((guarded_by(listeners_mutex_))) = nullptr;
  std::uint64_t calls_ __attribute__((guarded_by(listeners_mutex_))) = 0;
  std::atomic<std::size_t> reported_listeners_{0};

  // Of the last event's type, empty where listeners have come or gone since.
  std::optional<std::string> matching_type_ __attribute__((guarded_by(listeners_mutex_)));
  struct Matching {
    EventListener* listener;
    std::source_location where;
  };
  std::vector<Matching> matching_;          // bus thread only: who gets the event under way
  std::unique_ptr<EventListener> retired_;  // bus thread only: a callback that ended its own subscription
  std::thread thread_;
  std::atomic<std::thread::id> thread_id_;
};

}  // namespace hearth::core
