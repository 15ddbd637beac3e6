// SPDX-License-Identifier: Apache-2.0
// Objects of libavahi-core as values that own them, and its texts and addresses as ours.
#pragma once

#include <avahi-common/malloc.h>
#include <avahi-common/simple-watch.h>
#include <avahi-common/strlst.h>
#include <avahi-common/timeval.h>
#include <avahi-core/core.h>
#include <avahi-core/lookup.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "net/reactor/resolver.h"

namespace hearth::net {

template <auto Free>
struct AvahiFreed {
  void operator()(auto* object) const { Free(object); }
};
using AvahiTexts = std::unique_ptr<AvahiStringList, AvahiFreed<&avahi_string_list_free>>;
using AvahiServiceBrowserOwner = std::unique_ptr<AvahiSServiceBrowser, AvahiFreed<&avahi_s_service_browser_free>>;
using AvahiServiceResolverOwner = std::unique_ptr<AvahiSServiceResolver, AvahiFreed<&avahi_s_service_resolver_free>>;
using AvahiHostResolverOwner = std::unique_ptr<AvahiSHostNameResolver, AvahiFreed<&avahi_s_host_name_resolver_free>>;

// A timer of a poll, which must outlive it. Starts anew with each call.
class AvahiTimer {
 public:
  AvahiTimer() = default;
  AvahiTimer(const AvahiTimer&) = delete;
  AvahiTimer& operator=(const AvahiTimer&) = delete;

  void start(const AvahiPoll* poll, std::chrono::milliseconds time, AvahiTimeoutCallback callback, void* context) {
    timeval at{};
    avahi_elapse_time(&at, static_cast<unsigned>(std::max<long long>(time.count(), 0)), 0);
    if (timer_)
      poll->timeout_update(timer_, &at);
    else
      timer_ = poll->timeout_new(poll, &at, callback, context);
  }

 private:
  AvahiTimeout* timer_ = nullptr;  // freed with the poll
};

// `zone`: the interface's index, for link-local addresses.
inline Address avahi_address(const AvahiAddress& from, AvahiIfIndex zone) {
  if (from.proto == AVAHI_PROTO_INET) {
    boost::asio::ip::address_v4::bytes_type bytes;
    std::copy_n(from.data.data, bytes.size(), bytes.begin());
    return boost::asio::ip::address_v4(bytes);
  }
  boost::asio::ip::address_v6::bytes_type bytes;
  std::copy_n(from.data.ipv6.address, bytes.size(), bytes.begin());
  boost::asio::ip::address_v6 address(bytes);
  if (address.is_link_local()) address.scope_id(static_cast<unsigned long>(std::max(zone, 0)));
  return address;
}

inline std::vector<std::string_view> avahi_entries(AvahiStringList* list) {
  std::vector<std::string_view> entries;
  for (; list; list = avahi_string_list_get_next(list)) {
    entries.emplace_back(reinterpret_cast<const char*>(avahi_string_list_get_text(list)),
                         avahi_string_list_get_size(list));
  }
  return entries;
}

}  // namespace hearth::net
