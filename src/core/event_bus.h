// SPDX-License-Identifier: Apache-2.0
// The one total order of events, and the one thread that reacts to them.
//
// Any thread fires; the bus thread hands each event to its listeners, one event at a time, in the order of firing. The
// same thread runs posted tasks and timers between events, so whoever lives there (integrations, services, automations)
// needs no lock. Nothing on the bus thread may block.
//
// Queue: at most kMaxQueued entries, or kMaxQueuedBytes of events, wait. At the bound whoever fires or posts from
// another thread waits until there is room; the bus thread itself may always add, since it is the one that makes room.
#pragma once

#include <atomic>
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
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
  EventBus* bus_ = nullptr;
  TimerQueue::Key key_;
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

  explicit EventBus(const base::Clock& clock);
  ~EventBus();
  EventBus(const EventBus&) = delete;
  EventBus& operator=(const EventBus&) = delete;

  // The right to write next: holds the lock of the total order. Taken for microseconds, by the state machine and the
  // registry around reading the clock, publishing and firing; inside it nothing else is locked or awaited.
  class Turn {
   public:
    explicit Turn(EventBus& bus) __attribute__((no_thread_safety_analysis));
    ~Turn() __attribute__((no_thread_safety_analysis));
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

    base::Timestamp now() const { return now_; }
    std::uint64_t next_sequence() const __attribute__((no_thread_safety_analysis)) { return bus_.last_sequence_ + 1; }
    // Enqueues the event under next_sequence(). What one turn fires beyond its first event may pass the bounds.
    void fire(std::shared_ptr<Event> event) __attribute__((no_thread_safety_analysis));

   private:
    EventBus& bus_;
    base::Timestamp now_;
    boost::container::small_vector<EventPtr, 2> forgotten_;  // what left the ring for this event, freed after the turn
    bool wake_ = false;
  };

  // Any thread. Returns the event's sequence number; when it returns, the event is queued for every listener.
  std::uint64_t fire(std::string_view type, std::string data_json, Origin origin, const Context& context,
                     FiredBy by = FiredBy::hub);

  // Any thread. `listener` must outlive the subscription. One that listens several times is called once for an event.
  [[nodiscard]] Subscription listen(EventFilter filter, EventListener& listener, Pace pace = Pace::prompt);
  // As above with the function as the listener. It hears the hub's own events only, so that what obeys events does not
  // obey a client who fires one of the same type.
  [[nodiscard]] Subscription listen(std::string_view type, std::function<void(const Event&)> callback,
                                    Pace pace = Pace::prompt);

  // As listen, for one who comes back: `missed` gets the events after `last_seen` that the filter lets through and that
  // lie before the subscription. False, with no events, where the bus no longer has (or never had) all of them.
  struct Resumed {
    Subscription subscription;
    std::vector<EventPtr> missed;
    bool complete;
  };
  [[nodiscard]] Resumed resume(EventFilter filter, EventListener& listener, std::uint64_t last_seen);

  struct ListenerCount {
    std::string type;  // `*` for listeners of all
    std::size_t count;
  };
  // Sorted by type.
  std::vector<ListenerCount> listener_counts() const;
  // Whether anyone asked for state_reported by name. A hint: a listener that comes meanwhile may miss the event under
  // way.
  bool wants_reported() const { return reported_listeners_.load(std::memory_order_relaxed) > 0; }

  // Any thread. Runs the task on the bus thread, after what is queued already.
  void post(Task task);
  // Any thread. Runs the task on the bus thread once the time has passed, behind what is queued then.
  [[nodiscard]] Timer schedule(base::Duration delay, Task task);

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
    EventPtr event;  // or, where null, the task
    Task task;
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
    bool active = false;  // in a group; until an event behind its start comes up it is only in starting_
  };
  // What several registrations listen for, added up.
  class Interest {
   public:
    void add(const EventFilter& filter);
    void remove(const EventFilter& filter);
    bool wants(const std::string& type) {
      if (type != last_type_) {
        last_type_ = type;
        wants_last_ = (all_ > 0 && !event_type::only_by_name(type)) || types_.contains(type);
      }
      return wants_last_;
    }

   private:
    std::size_t all_ = 0;
    std::unordered_map<std::string, std::size_t> types_;
    std::string last_type_;  // asked for, as one event is mostly like the one before it
    bool wants_last_ = false;
  };
  // All active registrations of one listener.
  struct Group {
    EventListener* listener;
    std::size_t registrations = 0;
    Interest interest = {};
  };

  enum class Rest {
    awake,
    idle,
    lingering
  };  // of the bus thread: idle until anything comes, lingering until it is prompt

  Subscription add(EventFilter filter, EventListener& listener, std::unique_ptr<EventListener> owned, Pace pace)
      __attribute__((requires_capability(listeners_mutex_), requires_capability(mutex_)));
  void remove(std::uint64_t id);
  void join_group(Registration& registration) __attribute__((requires_capability(listeners_mutex_)));
  void leave_group(const Registration& registration) __attribute__((requires_capability(listeners_mutex_)));
  void activate_before(std::uint64_t sequence) __attribute__((requires_capability(listeners_mutex_)));
  std::vector<Group>::iterator find_group(const EventListener* listener)
      __attribute__((requires_capability(listeners_mutex_)));
  void cancel(TimerQueue::Key key);
  bool has_room() const __attribute__((requires_capability(mutex_))) {
    return queue_.size() < kMaxQueued && queued_bytes_ < kMaxQueuedBytes;
  }
  void wait_for_room() __attribute__((requires_capability(mutex_)));
  // Sets `wake` where the bus thread is to be notified.
  void enqueue(Item item, bool prompt, bool& wake) __attribute__((requires_capability(mutex_)));
  void rest() __attribute__((requires_capability(mutex_)));
  void run();
  // Runs what is queued and then one timer that is due; false where there was neither.
  bool run_batch(std::deque<Item>& batch);
  void dispatch(const EventPtr& event);
  void find_matching(const std::string& type) __attribute__((requires_capability(listeners_mutex_)));
  void run_guarded(const Task& task);

  const base::Clock& clock_;

  mutable base::Mutex mutex_;  // the total order: queue, sequence, recent events, timers
  base::ConditionVariable wake_;
  base::ConditionVariable room_;
  std::deque<Item> queue_ __attribute__((guarded_by(mutex_)));
  TimerQueue timers_ __attribute__((guarded_by(mutex_)));
  std::deque<Recent> recent_ __attribute__((guarded_by(mutex_)));
  std::uint64_t last_sequence_ __attribute__((guarded_by(mutex_))) = 0;
  std::size_t queued_bytes_ __attribute__((guarded_by(mutex_))) = 0;
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
  std::vector<EventListener*> matching_;    // bus thread only: who gets the event under way
  std::unique_ptr<EventListener> retired_;  // bus thread only: a callback that ended its own subscription
  std::thread thread_;
  std::atomic<std::thread::id> thread_id_;
};

}  // namespace hearth::core
