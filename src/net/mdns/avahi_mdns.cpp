// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <future>
#include <utility>

#include "base/text/text.h"
#include "net/mdns/avahi_responder.h"

namespace hearth::net {
namespace {

// `name` is below .local.
bool is_mdns_name(std::string_view name) {
  constexpr std::string_view kLocal = ".local";
  return name.size() > kLocal.size() && base::equals_ignoring_case(name.substr(name.size() - kLocal.size()), kLocal);
}

}  // namespace

struct Mdns::Door {
  explicit Door(MdnsOptions given) : options(std::move(given)) {}

  const MdnsOptions options;
  base::Mutex mutex;
  bool closed __attribute__((guarded_by(mutex))) = false;
  std::unique_ptr<Responder> responder __attribute__((guarded_by(mutex)));  // from its first use to the end

  // False if the thread does not run. `begins`: it begins with this order.
  bool order(Responder::Order order, bool begins) {
    const base::MutexLock lock(mutex);
    if (!responder && begins && !closed) responder = std::make_unique<Responder>(options);
    return responder && responder->order(std::move(order));
  }
};

bool has_mdns() {
  return true;
}

Mdns::Mdns(MdnsOptions options) : door_(std::make_shared<Door>(std::move(options))) {}

Mdns::~Mdns() {
  std::unique_ptr<Responder> last;  // ends after the lock
  const base::MutexLock lock(door_->mutex);
  door_->closed = true;
  last = std::move(door_->responder);
}

base::Handle Mdns::announce(MdnsAnnouncement announcement) {
  door_->order(
      [announcement = std::move(announcement)](Responder& it) mutable { it.announce(std::move(announcement)); }, true);
  return base::Handle([door = door_] {
    std::promise<void> withdrawn;  // broken if the thread has ended
    auto done = withdrawn.get_future();
    door->order(
        [promise = std::move(withdrawn)](Responder& it) mutable {
          it.withdraw();
          promise.set_value();
        },
        false);
    done.wait();
  });
}

void Mdns::refresh() {
  door_->order([](Responder& it) { it.look_soon(); }, false);
}

base::Handle Mdns::browse(std::vector<std::string> types, PostToBus post, Changed changed) {
  static std::atomic<std::uint64_t> last{0};
  const std::uint64_t id = ++last;
  auto receiver = std::make_shared<const AvahiBrowsing::Receiver>(std::move(changed));
  AvahiBrowsing::Subscriber subscriber{std::move(types), std::move(post), receiver};
  door_->order(
      [id, subscriber = std::move(subscriber)](Responder& it) mutable { it.browsing().add(id, std::move(subscriber)); },
      true);
  return base::Handle([door = door_, id, receiver = std::move(receiver)]() mutable {
    receiver.reset();
    door->order([id](Responder& it) { it.browsing().remove(id); }, false);
  });
}

Addresses Mdns::ask(const std::shared_ptr<Door>& door, const std::string& host) {
  AvahiBrowsing::Answer answer;
  auto come = answer.get_future();
  const bool asked = door->order(
      [host, answer = std::move(answer)](Responder& it) mutable { it.browsing().ask(host, std::move(answer)); }, false);
  try {
    if (asked && come.wait_for(kLookupTime) == std::future_status::ready) return come.get();
  } catch (const std::future_error&) {  // the thread has ended
  }
  return {};
}

Lookup Mdns::lookup() const {
  return [door = door_](const std::string& host) -> std::expected<Addresses, Failure> {
    const std::string name = host.ends_with('.') ? host.substr(0, host.size() - 1) : host;
    if (is_mdns_name(name)) {
      if (Addresses found = ask(door, name); !found.empty()) return found;
    }
    return look_up(host);
  };
}

}  // namespace hearth::net
