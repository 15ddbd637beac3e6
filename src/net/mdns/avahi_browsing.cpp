// SPDX-License-Identifier: Apache-2.0
#include "net/mdns/avahi_browsing.h"

#include <avahi-common/error.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/log/guarded.h"
#include "base/log/log.h"

namespace hearth::net {
namespace {

constexpr std::string_view kBrowsingLog = "mdns";
constexpr std::size_t kMaxName = 63, kMaxHost = 253;

InstanceTable::Time steady_now() {
  return std::chrono::steady_clock::now();
}

// An interface and the family by which it has the instance.
int place_of(AvahiIfIndex interface, AvahiProtocol protocol) {
  return interface * 2 + (protocol == AVAHI_PROTO_INET6 ? 1 : 0);
}

InstanceTable::Key key_of(const char* name, const char* type) {
  return {type, clean_text(name, kMaxName)};
}

std::size_t weight_of(const MdnsChange& change) {
  std::size_t weight = sizeof change + change.instance.name.size() + change.instance.host.size();
  for (const auto& [key, value] : change.instance.texts) weight += key.size() + value.size() + 64;
  return weight;
}

// A callback of the library must not throw.
template <class Work>
void guarded(Work work) {
  base::run_guarded(kBrowsingLog, "what the network says", work);
}

}  // namespace

void AvahiBrowsing::add(std::uint64_t id, Subscriber subscriber) {
  Waiting& added = subscribers_.emplace(id, Waiting{std::move(subscriber)}).first->second;
  for (const std::string& type : added.subscriber.types) {
    for (MdnsInstance& each : table_.told(type)) tell(added, {std::move(each), false});
  }
  browse_types();
  look_soon();
}

void AvahiBrowsing::remove(std::uint64_t id) {
  subscribers_.erase(id);
  std::set<std::string> wanted;
  for (const auto& [_, each] : subscribers_) wanted.insert(each.subscriber.types.begin(), each.subscriber.types.end());
  std::erase_if(browsers_, [&](const auto& each) { return !wanted.contains(each.first); });
  for (auto at = resolvers_.begin(); at != resolvers_.end();) {
    const auto& [name, type, place] = at->first;
    if (wanted.contains(type)) {
      ++at;
      continue;
    }
    table_.disappeared(key_of(name.c_str(), type.c_str()), place, steady_now());
    at = resolvers_.erase(at);
  }
  look_soon();
}

void AvahiBrowsing::attach(AvahiServer* server) {
  server_ = server;
  browse_types();
}

void AvahiBrowsing::detach() {
  server_ = nullptr;
  resolvers_.clear();
  browsers_.clear();
  answered_.clear();
  for (Question& each : questions_) each.answer.set_value(std::move(each.found));
  questions_.clear();
  table_.clear(steady_now());
  if (!subscribers_.empty()) look_soon();
}

void AvahiBrowsing::browse_types() {
  if (!server_) return;
  for (const auto& [_, each] : subscribers_) {
    for (const std::string& type : each.subscriber.types) {
      if (browsers_.contains(type)) continue;
      AvahiServiceBrowserOwner browser(avahi_s_service_browser_new(
          server_, AVAHI_IF_UNSPEC, AVAHI_PROTO_UNSPEC, type.c_str(), nullptr, AvahiLookupFlags(),
          [](AvahiSServiceBrowser*, AvahiIfIndex interface, AvahiProtocol protocol, AvahiBrowserEvent event,
             const char* name, const char* found, const char*, AvahiLookupResultFlags flags, void* self) {
            guarded(
                [&] { static_cast<AvahiBrowsing*>(self)->browsed(interface, protocol, event, name, found, flags); });
          },
          this));
      if (browser)
        browsers_.emplace(type, std::move(browser));
      else
        base::log_warning(kBrowsingLog, "{} is not looked for: {}", type, avahi_strerror(avahi_server_errno(server_)));
    }
  }
}

void AvahiBrowsing::browsed(AvahiIfIndex interface, AvahiProtocol protocol, AvahiBrowserEvent event, const char* name,
                            const char* type, AvahiLookupResultFlags flags) {
  if ((event != AVAHI_BROWSER_NEW && event != AVAHI_BROWSER_REMOVE) || (flags & AVAHI_LOOKUP_RESULT_LOCAL)) return;
  const int place = place_of(interface, protocol);
  const Resolving resolving{name, type, place};
  if (event == AVAHI_BROWSER_REMOVE) {
    resolvers_.erase(resolving);
    table_.disappeared(key_of(name, type), place, steady_now());
    return look_soon();
  }
  if (!table_.appeared(key_of(name, type), place)) {
    if (table_.ignored() > 0 && std::exchange(told_ignored_, table_.ignored()) == 0)
      base::log_warning(kBrowsingLog, "the network announces more than {} services: others are ignored",
                        InstanceTable::kMaxInstances);
    return;
  }
  AvahiServiceResolverOwner resolver(avahi_s_service_resolver_new(
      server_, interface, protocol, name, type, "local", protocol, AvahiLookupFlags(),
      [](AvahiSServiceResolver*, AvahiIfIndex on, AvahiProtocol by, AvahiResolverEvent, const char* of,
         const char* found, const char*, const char* host, const AvahiAddress* address, std::uint16_t port,
         AvahiStringList* texts, AvahiLookupResultFlags, void* self) {
        guarded([&] { static_cast<AvahiBrowsing*>(self)->resolved(on, by, of, found, host, address, port, texts); });
      },
      this));
  if (resolver) resolvers_.insert_or_assign(resolving, std::move(resolver));
}

// `address` is null if nobody has answered, perhaps not yet.
void AvahiBrowsing::resolved(AvahiIfIndex interface, AvahiProtocol protocol, const char* name, const char* type,
                             const char* host, const AvahiAddress* address, std::uint16_t port,
                             AvahiStringList* texts) {
  MdnsInstance found;
  if (host) found.host = clean_text(host, kMaxHost);
  found.port = port;
  const std::vector<std::string_view> entries = avahi_entries(texts);
  found.texts = parse_txt(entries);
  const auto at = address ? std::optional(avahi_address(*address, interface)) : std::nullopt;
  table_.resolved(key_of(name, type), place_of(interface, protocol), protocol == AVAHI_PROTO_INET6, std::move(found),
                  at, steady_now());
  look_soon();
}

void AvahiBrowsing::look_soon() {
  if (std::exchange(looks_soon_, true)) return;
  look_timer_.start(
      poll_, kSettling, [](AvahiTimeout*, void* self) { guarded([&] { static_cast<AvahiBrowsing*>(self)->look(); }); },
      this);
}

void AvahiBrowsing::look() {
  looks_soon_ = false;
  answered_.clear();
  for (const MdnsChange& change : table_.take(steady_now())) {
    for (auto& [_, each] : subscribers_) {
      const auto& types = each.subscriber.types;
      if (std::ranges::find(types, change.instance.type) != types.end()) tell(each, change);
    }
  }
  if (const auto next = table_.next()) {
    look_timer_.start(
        poll_, std::chrono::ceil<std::chrono::milliseconds>(*next - steady_now()),
        [](AvahiTimeout*, void* self) { guarded([&] { static_cast<AvahiBrowsing*>(self)->look(); }); }, this);
  }
  post();
}

void AvahiBrowsing::tell(Waiting& to, const MdnsChange& change) {
  to.changes.insert_or_assign({change.instance.type, change.instance.name}, change);
}

void AvahiBrowsing::post() {
  bool is_full = false;
  for (auto& [_, each] : subscribers_) {
    if (each.changes.empty()) continue;
    auto batch = std::make_shared<std::vector<MdnsChange>>();
    std::size_t weight = 0;
    for (const auto& [key, change] : each.changes) {
      weight += weight_of(change);
      batch->push_back(change);
    }
    const bool posted = each.subscriber.post(
        weight, [receiver = each.subscriber.receiver, batch = std::shared_ptr<const std::vector<MdnsChange>>(batch)] {
          if (const auto to = receiver.lock()) to->changed(*batch);
        });
    if (posted) each.changes.clear();
    is_full = is_full || !posted;
  }
  if (!is_full) return;
  post_timer_.start(
      poll_, kBetweenTries,
      [](AvahiTimeout*, void* self) { guarded([&] { static_cast<AvahiBrowsing*>(self)->post(); }); }, this);
}

void AvahiBrowsing::ask(const std::string& host, Answer answer) {
  if (!server_ || questions_.size() >= kMaxQuestions) return answer.set_value({});
  Question& question = questions_.emplace_back(this, std::move(answer));
  const auto resolver = [&](AvahiProtocol family) {
    AvahiHostResolverOwner made(avahi_s_host_name_resolver_new(
        server_, AVAHI_IF_UNSPEC, AVAHI_PROTO_UNSPEC, host.c_str(), family, AvahiLookupFlags(),
        [](AvahiSHostNameResolver*, AvahiIfIndex on, AvahiProtocol, AvahiResolverEvent, const char*,
           const AvahiAddress* address, AvahiLookupResultFlags, void* asked) {
          auto* const about = static_cast<Question*>(asked);
          guarded([&] { about->owner->host_found(*about, on, address); });
        },
        &question));
    question.open += made ? 1 : 0;
    return made;
  };
  question.v4 = resolver(AVAHI_PROTO_INET);
  question.v6 = resolver(AVAHI_PROTO_INET6);
  if (question.open > 0) return;
  question.answer.set_value({});
  questions_.pop_back();
}

// A host of both families answers for both within milliseconds; one without IPv6 leaves that question open for seconds.
void AvahiBrowsing::host_found(Question& question, AvahiIfIndex interface, const AvahiAddress* address) {
  const auto at = std::ranges::find_if(questions_, [&](const Question& each) { return &each == &question; });
  if (at == questions_.end()) return;  // it is answered
  --question.open;
  if (address) {
    const Address found = avahi_address(*address, interface);
    if (is_reachable(found)) question.found.push_back(found);
  }
  if (question.found.empty() && question.open > 0) return;
  question.answer.set_value(std::move(question.found));
  // Its resolvers end later, not within a call of one.
  answered_.splice(answered_.end(), questions_, at);
  look_soon();
}

}  // namespace hearth::net
