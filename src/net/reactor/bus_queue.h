// SPDX-License-Identifier: Apache-2.0
// Brings what arrives from the thread `net` to the bus, in order and in batches: one task of the bus for all that has
// come until it runs. Neither thread waits for the other; a full bus is tried again each kRetry.
//
// Made and destroyed on the bus thread; after the end nothing is delivered. The reactor must outlive it. The other end,
// BusSender, belongs to something on the thread `net`, and may outlive the queue.
//
// Bound: when kMaxItems or kMaxBytes wait, put returns false, and the sender must stop reading its peer until it is
// told that there is room. What it puts nevertheless is taken up to `reserve` times the bounds; then it is lost, and
// the batch says so.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "net/reactor/timer.h"

namespace hearth::net {

// Runs the task on the bus thread, where it counts for so many bytes. False if the bus is full. Any thread.
using PostToBus = std::function<bool(std::size_t bytes, std::function<void()> task)>;

template <class Item>
class BusSender;

template <class Item>
class BusQueue {
 public:
  static constexpr std::size_t kMaxItems = 4'096;
  static constexpr std::size_t kMaxBytes = 1024 * 1024;
  static constexpr std::chrono::milliseconds kRetry{10};

  struct Batch {
    std::vector<Item> items;
    bool lost = false;  // more came after these
  };
  // On the bus thread. It may destroy the queue.
  using Deliver = std::function<void(Batch batch)>;

  BusQueue(PostToBus post, Deliver deliver, std::size_t reserve = 4)
      : shared_(std::make_shared<Shared>(std::move(post), reserve)),
        receiver_(std::make_shared<Receiver>(std::move(deliver))) {
    shared_->receiver = receiver_;
  }
  BusQueue(const BusQueue&) = delete;
  BusQueue& operator=(const BusQueue&) = delete;

  // Bus thread. For one sender, to be moved to the thread `net`.
  BusSender<Item> sender() const { return BusSender<Item>(shared_); }

 private:
  friend class BusSender<Item>;

  struct Receiver {
    explicit Receiver(Deliver function) : deliver(std::move(function)) {}
    const Deliver deliver;
  };
  struct Shared {
    Shared(PostToBus function, std::size_t times) : post(std::move(function)), reserve(times) {}

    const PostToBus post;
    const std::size_t reserve;
    std::weak_ptr<Receiver> receiver;  // set once; alive while the queue is, which only the bus thread looks at

    base::Mutex mutex;
    Batch batch __attribute__((guarded_by(mutex)));
    std::size_t bytes __attribute__((guarded_by(mutex))) = 0;
    bool posted __attribute__((guarded_by(mutex))) = false;
    bool full __attribute__((guarded_by(mutex))) = false;  // the sender waits for room
    std::function<void()> on_room;                         // any thread; set before the first put

    bool holds(std::size_t times) const __attribute__((requires_capability(mutex))) {
      return batch.items.size() >= times * kMaxItems || bytes >= times * kMaxBytes;
    }
  };

  // Bus thread.
  static void drain(const std::shared_ptr<Shared>& shared) {
    Batch batch;
    bool had_been_full = false;
    {
      const base::MutexLock lock(shared->mutex);
      batch = std::exchange(shared->batch, {});
      shared->bytes = 0;
      shared->posted = false;
      had_been_full = std::exchange(shared->full, false);
    }
    const auto receiver = shared->receiver.lock();
    if (!receiver) return;
    if (had_been_full && shared->on_room) shared->on_room();
    receiver->deliver(std::move(batch));
  }

  const std::shared_ptr<Shared> shared_;
  const std::shared_ptr<Receiver> receiver_;
};

// Thread `net` only, except that it may be made, moved and destroyed elsewhere before its first use.
template <class Item>
class BusSender {
 public:
  BusSender(BusSender&&) noexcept = default;
  BusSender& operator=(BusSender&&) noexcept = default;

  // Once, before the first put. `room` is called on the thread `net` after a put that returned false, when there is
  // room again.
  void start(Reactor& reactor, std::function<void()> room) {
    net_ = std::make_unique<Net>(reactor, std::move(room));
    shared_->on_room = [&reactor, told = std::weak_ptr(net_->told)] {
      static_cast<void>(reactor.post([told] {
        if (const auto to = told.lock(); to && *to) (*to)();
      }));
    };
  }

  // `bytes`: about how many the item keeps alive. False if no more should come until there is room.
  bool put(Item item, std::size_t bytes) {
    bool post = false, room = false;
    {
      const base::MutexLock lock(shared_->mutex);
      shared_->batch.lost = shared_->batch.lost || shared_->holds(shared_->reserve);
      if (!shared_->batch.lost) {
        shared_->batch.items.push_back(std::move(item));
        shared_->bytes += bytes;
      }
      room = !shared_->holds(1);
      shared_->full = shared_->full || !room;
      post = !std::exchange(shared_->posted, true);
    }
    if (post) try_post();
    return room;
  }

 private:
  friend class BusQueue<Item>;
  using Queue = BusQueue<Item>;
  using Shared = typename Queue::Shared;
  struct Net {
    Net(Reactor& reactor, std::function<void()> room)
        : retry(reactor), told(std::make_shared<const std::function<void()>>(std::move(room))) {}
    Timer retry;
    const std::shared_ptr<const std::function<void()>> told;
  };

  explicit BusSender(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}

  void try_post() {
    std::size_t bytes = 0;
    {
      const base::MutexLock lock(shared_->mutex);
      bytes = shared_->bytes;
    }
    bool posted = false;
    try {
      posted = shared_->post(bytes, [shared = shared_] { Queue::drain(shared); });
    } catch (const std::bad_alloc&) {  // as a full bus
    }
    if (!posted) net_->retry.start(Queue::kRetry, [this] { try_post(); });
  }

  std::shared_ptr<Shared> shared_;
  std::unique_ptr<Net> net_;
};

}  // namespace hearth::net
