// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <charconv>

#include "base/log/guarded.h"
#include "base/mutex.h"
#include "fleet/nats/nats_session.h"

namespace hearth::fleet {
namespace {

using base::Result;

NatsMessage taken(const NatsLibrary& library, natsMsg* from) {
  NatsMessage message;
  message.subject = library.subject(from);
  if (const char* const reply = library.reply(from)) message.reply = reply;
  const int size = library.data_length(from);
  if (size > 0) message.payload.assign(library.data(from), static_cast<std::size_t>(size));
  const char* value = nullptr;
  if (size == 0 && library.header(from, "Status", &value) == NATS_OK && value) {
    const std::string_view digits = value;
    std::from_chars(digits.data(), digits.data() + digits.size(), message.status);
    if (library.header(from, "Description", &value) == NATS_OK && value) message.description = value;
  }
  return message;
}

}  // namespace

// The library calls a subscription's functions from a thread of its own, also after the subscription was destroyed.
// Delivery is what they know: it lives as long as either side needs it.
struct NatsSubscription::Delivery {
  Delivery(const NatsLibrary& used, Heard to_hear, Ended to_end)
      : library(used), heard(std::move(to_hear)), ended(std::move(to_end)) {}

  // False once the subscription is gone.
  bool enter() {
    base::MutexLock lock(mutex);
    running += live ? 1 : 0;
    return live;
  }
  void leave() {
    base::MutexLock lock(mutex);
    --running;
    left.notify_all();
  }
  void end() {
    base::MutexLock lock(mutex);
    live = false;
    while (running > 0) left.wait(mutex);
  }
  // Its exceptions must not reach the library.
  void run(const auto& work) noexcept {
    if (!enter()) return;
    base::run_guarded("fleet", "a message of NATS", work);
    leave();
  }

  // `closure` is a pointer to a shared one.
  static Delivery& of(void* closure) { return **static_cast<std::shared_ptr<Delivery>*>(closure); }
  static void deliver(natsConnection*, natsSubscription*, natsMsg* message, void* closure) {
    Delivery& delivery = of(closure);
    delivery.run([&] { delivery.heard(taken(delivery.library, message)); });
    delivery.library.destroy_message(message);
  }
  static void complete(void* closure) {
    Delivery& delivery = of(closure);
    delivery.run([&] {
      if (delivery.ended) delivery.ended();
    });
    delete static_cast<std::shared_ptr<Delivery>*>(closure);
  }

  const NatsLibrary& library;
  const Heard heard;
  const Ended ended;
  base::Mutex mutex;
  base::ConditionVariable left;
  bool live __attribute__((guarded_by(mutex))) = true;
  int running __attribute__((guarded_by(mutex))) = 0;
};

NatsSubscription::NatsSubscription(std::shared_ptr<NatsSession> session, std::shared_ptr<Delivery> delivery,
                                   natsSubscription* subscription)
    : session_(std::move(session)), delivery_(std::move(delivery)), subscription_(subscription) {}

Result<std::unique_ptr<NatsSubscription>> NatsSubscription::create(std::shared_ptr<NatsSession> session,
                                                                   const std::string& subject, Heard heard,
                                                                   Ended ended) {
  const NatsLibrary& library = session->library_;
  auto delivery = std::make_shared<Delivery>(library, std::move(heard), std::move(ended));
  auto of_library = std::make_unique<std::shared_ptr<Delivery>>(delivery);
  natsSubscription* subscription = nullptr;
  natsStatus done =
      library.subscribe(&subscription, session->connection_, subject.c_str(), Delivery::deliver, of_library.get());
  if (done == NATS_OK) {
    done = library.set_on_complete(subscription, Delivery::complete, of_library.get());
    // From now on it belongs to the library. If the connection broke between the two calls nobody says when its thread
    // has ended: this one stays.
    auto* const stays = of_library.release();
    static_cast<void>(stays);
  }
  std::unique_ptr<NatsSubscription> made(new NatsSubscription(std::move(session), std::move(delivery), subscription));
  if (done == NATS_OK) return made;
  return base::fail(base::ErrorCode::unavailable,
                    fmt::format("The NATS server cannot be asked for {}: {}.", subject, library.status_text(done)));
}

NatsSubscription::~NatsSubscription() {
  if (subscription_) session_->library_.destroy_subscription(subscription_);
  delivery_->end();
}

}  // namespace hearth::fleet
