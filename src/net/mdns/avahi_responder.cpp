// SPDX-License-Identifier: Apache-2.0
#include "net/mdns/avahi_responder.h"

#include <avahi-common/alternative.h>
#include <avahi-common/error.h>
#include <avahi-common/malloc.h>
#include <avahi-common/timeval.h>
#include <avahi-core/log.h>
#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <utility>

#include "base/log/guarded.h"
#include "base/log/log.h"

namespace hearth::net {
namespace {

constexpr std::string_view kComponent = "mdns";
constexpr std::chrono::milliseconds kSettling{300};  // one change of a network is several of its addresses
constexpr std::chrono::milliseconds kFirstPause{1'000}, kLongestPause{60'000};
constexpr char kLoopback[] = "lo";

// Others on the network can make the library warn as often as they like.
void log_avahi(AvahiLogLevel level, const char* text) {
  if (level == AVAHI_LOG_ERROR)
    base::log_warning(kComponent, "{}", text);
  else
    base::log_debug(kComponent, "{}", text);
}

// Takes the library's text.
std::string own_text(char* text) {
  const std::unique_ptr<char, decltype(&avahi_free)> owned(text, &avahi_free);
  return text ? text : "";
}

}  // namespace

Mdns::Responder::Responder(const MdnsOptions& options)
    : options_(options), wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), thread_([this] { run(); }) {}

Mdns::Responder::~Responder() {
  stopping_ = true;
  wake();
  thread_.join();
  ::close(wake_);
}

void Mdns::Responder::wake() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(wake_, &one, sizeof one);  // full means: it is awake
}

bool Mdns::Responder::order(Order order) {
  {
    const base::MutexLock lock(mutex_);
    if (ended_) return false;
    orders_.push_back(std::move(order));
  }
  wake();
  return true;
}

void Mdns::Responder::carry_out_orders() {
  std::vector<Order> orders;
  {
    const base::MutexLock lock(mutex_);
    orders.swap(orders_);
  }
  for (Order& each : orders) base::run_guarded(kComponent, "an order to mDNS", [&] { each(*this); });
}

void Mdns::Responder::run() {
  pthread_setname_np(pthread_self(), "mdns");
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  base::run_guarded(kComponent, "mDNS", [this] { serve(); });
  browsing_.reset();
  server_.reset();
  std::vector<Order> left;
  const base::MutexLock lock(mutex_);
  ended_ = true;
  left.swap(orders_);  // destroyed after the lock
}

void Mdns::Responder::serve() {
  avahi_set_log_function(log_avahi);
  poll_.reset(avahi_simple_poll_new());
  if (!poll_ || wake_ < 0) return base::log_warning(kComponent, "no memory or descriptors are left to begin with");
  browsing_.emplace(api());
  watch(wake_, [](AvahiWatch*, int descriptor, AvahiWatchEvent, void* responder) {
    std::uint64_t count = 0;
    [[maybe_unused]] const auto read = ::read(descriptor, &count, sizeof count);
    static_cast<Responder*>(responder)->carry_out_orders();
  });
  if (changes_.descriptor() >= 0) {
    watch(changes_.descriptor(), [](AvahiWatch*, int, AvahiWatchEvent, void* self) {
      auto* const responder = static_cast<Responder*>(self);
      // The library has lost some, too, and does not notice.
      if (!responder->changes_.drain()) responder->failure_ = "changes of the network were lost";
      responder->look_soon();
    });
  }
  open();
  do {
    if (failure_) fail(*std::exchange(failure_, {}));
  } while (!stopping_ && avahi_simple_poll_iterate(poll_.get(), -1) == 0);
  if (!stopping_) base::log_warning(kComponent, "mDNS has ended: poll has failed");
}

void Mdns::Responder::watch(int descriptor, AvahiWatchCallback callback) {
  if (!api()->watch_new(api(), descriptor, AVAHI_WATCH_IN, callback, this))
    base::log_warning(kComponent, "no memory is left to watch the network");
}

void Mdns::Responder::open() {
  if (announcement_) look_up_announced();
  AvahiServerConfig config;
  avahi_server_config_init(&config);
  avahi_free(std::exchange(config.host_name, avahi_strdup(options_.host.c_str())));
  config.deny_interfaces = avahi_string_list_new(kLoopback, nullptr);
  for (const std::string& each : options_.interfaces)
    config.allow_interfaces = avahi_string_list_add(config.allow_interfaces, each.c_str());
  // Addresses are published here, without names for them: another responder of this machine has those.
  config.publish_addresses = config.publish_hinfo = config.publish_workstation = config.publish_domain = 0;
  config.enable_wide_area = 0;
  int error = 0;
  server_.reset(avahi_server_new(
      api(), &config,
      [](AvahiServer* server, AvahiServerState state, void* responder) {
        static_cast<Responder*>(responder)->server_changed(server, state);
      },
      this, &error));
  avahi_server_config_free(&config);
  if (!server_) fail(avahi_strerror(error));
}

void Mdns::Responder::announce(MdnsAnnouncement announcement) {
  announcement_ = std::move(announcement);
  look_up_announced();
  if (!server_runs()) return;
  publish_addresses(server_.get());
  publish_service(server_.get());
}

void Mdns::Responder::look_up_announced() {
  addresses_ = machine_addresses(announcement_->addresses);
  service_ = announcement_->service();
  name_ = service_.name;
}

void Mdns::Responder::withdraw() {
  if (server_ && address_group_) avahi_s_entry_group_free(address_group_);
  if (server_ && service_group_) avahi_s_entry_group_free(service_group_);
  address_group_ = service_group_ = nullptr;
  announcement_.reset();
  announced_.clear();
}

void Mdns::Responder::fail(std::string_view why) {
  browsing_->detach();
  server_.reset();
  address_group_ = service_group_ = nullptr;
  const auto level = pause_.count() == 0 ? base::LogLevel::warning : base::LogLevel::debug;  // once, not each time
  pause_ = std::clamp(pause_ * 2, kFirstPause, kLongestPause);
  base::log(level, kComponent, "mDNS does not work, which is tried again: {}", why);
  announced_.clear();
  retry_timer_.start(
      api(), pause_,
      [](AvahiTimeout*, void* self) {
        auto* const responder = static_cast<Responder*>(self);
        if (!responder->server_) responder->open();
      },
      this);
}

void Mdns::Responder::look_soon() {
  look_timer_.start(api(), kSettling, [](AvahiTimeout*, void* self) { static_cast<Responder*>(self)->look(); }, this);
}

void Mdns::Responder::look() {
  if (!announcement_ || !server_runs()) return;
  auto addresses = machine_addresses(announcement_->addresses);
  if (addresses != addresses_) {
    addresses_ = std::move(addresses);
    publish_addresses(server_.get());
  }
  MdnsService service = announcement_->service();
  if (service == service_) return;
  MdnsService with_those_texts = service_;
  with_those_texts.texts = service.texts;
  const bool only_texts = service == with_those_texts && service_group_;
  if (service.name != service_.name) name_ = service.name;
  service_ = std::move(service);
  if (!only_texts) return publish_service(server_.get());
  const int error = avahi_server_update_service_txt_strlst(server_.get(), service_group_, AVAHI_IF_UNSPEC,
                                                           AVAHI_PROTO_UNSPEC, AvahiPublishFlags(), name_.c_str(),
                                                           service_.type.c_str(), nullptr, texts().get());
  if (error < 0) failure_ = avahi_strerror(error);
}

void Mdns::Responder::server_changed(AvahiServer* server, AvahiServerState state) {
  switch (state) {
    case AVAHI_SERVER_RUNNING:
      if (announcement_) {
        publish_addresses(server);
        publish_service(server);
      } else {
        pause_ = {};
      }
      return browsing_->attach(server);
    case AVAHI_SERVER_COLLISION:
      return rename_host(server);
    case AVAHI_SERVER_FAILURE:
      failure_ = avahi_strerror(avahi_server_errno(server));
      return;
    case AVAHI_SERVER_INVALID:
    case AVAHI_SERVER_REGISTERING:
      return;
  }
}

void Mdns::Responder::rename_host(AvahiServer* server) {
  const std::string other = own_text(avahi_alternative_host_name(avahi_server_get_host_name(server)));
  base::log_info(kComponent, "another machine is {}.local; this one is {}.local now",
                 avahi_server_get_host_name(server), other);
  if (avahi_server_set_host_name(server, other.c_str()) < 0) failure_ = avahi_strerror(avahi_server_errno(server));
}

void Mdns::Responder::publish_addresses(AvahiServer* server) {
  if (!address_group_) {
    address_group_ = avahi_s_entry_group_new(
        server,
        [](AvahiServer*, AvahiSEntryGroup*, AvahiEntryGroupState state, void* responder) {
          static_cast<Responder*>(responder)->addresses_changed(state);
        },
        this);
  }
  if (!address_group_) {
    failure_ = avahi_strerror(avahi_server_errno(server));
    return;
  }
  avahi_s_entry_group_reset(address_group_);
  for (const MachineAddress& each : addresses_) {
    AvahiAddress address;
    if (!avahi_address_parse(each.address.c_str(), AVAHI_PROTO_UNSPEC, &address)) continue;
    const int error = avahi_server_add_address(server, address_group_, each.interface, AVAHI_PROTO_UNSPEC,
                                               AVAHI_PUBLISH_NO_REVERSE, nullptr, &address);
    if (error < 0) base::log_warning(kComponent, "{} is not announced: {}", each.address, avahi_strerror(error));
  }
  if (!avahi_s_entry_group_is_empty(address_group_)) avahi_s_entry_group_commit(address_group_);
}

void Mdns::Responder::addresses_changed(AvahiEntryGroupState state) {
  // The server says at once that it runs under the other name: then both groups are published again.
  if (state == AVAHI_ENTRY_GROUP_COLLISION && server_) rename_host(server_.get());
}

AvahiTexts Mdns::Responder::texts() const {
  AvahiStringList* list = nullptr;
  for (const auto& [key, value] : service_.texts) list = avahi_string_list_add(list, service_text(key, value).c_str());
  return AvahiTexts(list);
}

void Mdns::Responder::publish_service(AvahiServer* server) {
  if (!service_group_) {
    service_group_ = avahi_s_entry_group_new(
        server,
        [](AvahiServer*, AvahiSEntryGroup*, AvahiEntryGroupState state, void* responder) {
          static_cast<Responder*>(responder)->service_changed(state);
        },
        this);
  }
  if (!service_group_) {
    failure_ = avahi_strerror(avahi_server_errno(server));
    return;
  }
  avahi_s_entry_group_reset(service_group_);
  int error = avahi_server_add_service_strlst(server, service_group_, AVAHI_IF_UNSPEC, AVAHI_PROTO_UNSPEC,
                                              AvahiPublishFlags(), name_.c_str(), service_.type.c_str(), nullptr,
                                              nullptr, service_.port, texts().get());
  if (error >= 0) error = avahi_s_entry_group_commit(service_group_);
  if (error < 0) failure_ = avahi_strerror(error);
}

void Mdns::Responder::service_changed(AvahiEntryGroupState state) {
  if (state == AVAHI_ENTRY_GROUP_ESTABLISHED) {
    pause_ = {};
    if (announced_ == name_) return;
    announced_ = name_;
    base::log_info(kComponent, "announced in the network as {}", name_);
  } else if (state == AVAHI_ENTRY_GROUP_COLLISION && server_) {
    std::string other = own_text(avahi_alternative_service_name(name_.c_str()));
    base::log_info(kComponent, "the network has a {} already; this home is {} there", name_, other);
    name_ = std::move(other);
    publish_service(server_.get());
  } else if (state == AVAHI_ENTRY_GROUP_FAILURE && server_) {
    failure_ = avahi_strerror(avahi_server_errno(server_.get()));
  }
}

}  // namespace hearth::net
