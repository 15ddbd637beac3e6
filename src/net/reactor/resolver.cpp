// SPDX-License-Identifier: Apache-2.0
#include "net/reactor/resolver.h"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <csignal>
#include <cstring>
#include <deque>
#include <optional>
#include <thread>
#include <utility>

#include "base/log/guarded.h"
#include "base/mutex.h"

namespace hearth::net {
namespace {

namespace ip = boost::asio::ip;

std::optional<Address> address_of(const sockaddr* from) {
  if (from->sa_family == AF_INET) {
    sockaddr_in v4;
    std::memcpy(&v4, from, sizeof v4);
    return ip::address_v4(ntohl(v4.sin_addr.s_addr));
  }
  if (from->sa_family != AF_INET6) return {};
  sockaddr_in6 v6;
  std::memcpy(&v6, from, sizeof v6);
  ip::address_v6::bytes_type bytes;
  std::memcpy(bytes.data(), &v6.sin6_addr, bytes.size());
  return ip::address_v6(bytes, v6.sin6_scope_id);
}

}  // namespace

std::expected<Addresses, Failure> look_up(const std::string& host) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_ADDRCONFIG;
  addrinfo* first = nullptr;
  int error = ::getaddrinfo(host.c_str(), nullptr, &hints, &first);
  if (error == EAI_NONAME || error == EAI_ADDRFAMILY) {
    // A machine without a network has `localhost` all the same.
    hints.ai_flags = 0;
    error = ::getaddrinfo(host.c_str(), nullptr, &hints, &first);
  }
  if (error != 0) {
    const bool no_name = error == EAI_NONAME || error == EAI_NODATA || error == EAI_FAIL;
    return std::unexpected(
        Failure{no_name ? Reason::invalid_host : Reason::cannot_connect,
                no_name ? fmt::format("the host {} is not found", host)
                        : fmt::format("the host {} cannot be looked up: {}", host, ::gai_strerror(error))});
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(first, &::freeaddrinfo);
  Addresses found;
  for (const addrinfo* each = first; each; each = each->ai_next) {
    auto address = address_of(each->ai_addr);
    if (address && std::ranges::find(found, *address) == found.end()) found.push_back(std::move(*address));
  }
  if (found.empty())
    return std::unexpected(Failure{Reason::invalid_host, fmt::format("the host {} has no address", host)});
  return found;
}

std::optional<Address> parse_address(std::string_view host) {
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  boost::system::error_code error;
  auto address = ip::make_address(host, error);
  if (error) return {};
  return address;
}

Addresses in_order_of_attempts(const Addresses& found) {
  Addresses first, second, ordered;
  for (const Address& each : found) (each.is_v6() == found.front().is_v6() ? first : second).push_back(each);
  for (std::size_t i = 0; i < std::max(first.size(), second.size()); ++i) {
    if (i < first.size()) ordered.push_back(first[i]);
    if (i < second.size()) ordered.push_back(second[i]);
  }
  return ordered;
}

// Shared with its threads, which may outlive the resolver.
struct Resolver::Pool {
  Pool(const std::shared_ptr<boost::asio::io_context>& answers, Lookup function)
      : lookup(std::move(function)), io(answers) {}

  const Lookup lookup;
  const std::weak_ptr<boost::asio::io_context> io;

  base::Mutex mutex;
  base::ConditionVariable changed;
  std::deque<std::string> waiting __attribute__((guarded_by(mutex)));
  std::size_t threads __attribute__((guarded_by(mutex))) = 0;
  std::size_t idle __attribute__((guarded_by(mutex))) = 0;
  bool stopped __attribute__((guarded_by(mutex))) = false;

  // The next name; null if the thread is to end, which it must.
  std::optional<std::string> next() {
    const base::MutexLock lock(mutex);
    const auto end = std::chrono::steady_clock::now() + kIdle;
    ++idle;
    while (waiting.empty() && !stopped) {
      if (changed.wait_until(mutex, end) == std::cv_status::timeout) break;
    }
    --idle;
    if (waiting.empty() || stopped) {
      --threads;
      return {};
    }
    std::string host = std::move(waiting.front());
    waiting.pop_front();
    return host;
  }

  static void run(const std::shared_ptr<Pool>& pool, const std::weak_ptr<Questions>& questions) {
    pthread_setname_np(pthread_self(), "net-names");
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    while (auto host = pool->next()) {
      std::expected<Addresses, Failure> found;
      try {
        found = pool->lookup ? pool->lookup(*host) : look_up(*host);
      } catch (...) {
        found = std::unexpected(failure_of_exception(*host));
      }
      const auto io = pool->io.lock();
      if (!io) continue;
      base::run_guarded("net", "an answer of a name server", [&] {
        boost::asio::post(*io, [questions, host = std::move(*host), found = std::move(found)] {
          if (const auto asked = questions.lock()) answer(*asked, host, found);
        });
      });
    }
  }
};

Resolver::Resolver(std::shared_ptr<boost::asio::io_context> io, Lookup lookup)
    : io_(std::move(io)),
      pool_(std::make_shared<Pool>(io_, std::move(lookup))),
      questions_(std::make_shared<Questions>()) {}

Resolver::~Resolver() {
  const base::MutexLock lock(pool_->mutex);
  pool_->stopped = true;
  pool_->changed.notify_all();
}

base::Handle Resolver::resolve(const std::string& host, Done done) {
  const std::uint64_t id = ++questions_->last;
  questions_->open.emplace(id, std::move(done));
  base::Handle handle([weak = std::weak_ptr(questions_), id] {
    const auto questions = weak.lock();
    if (questions) questions->open.erase(id);
  });
  auto& askers = questions_->by_host[host];
  askers.push_back(id);
  if (const auto address = parse_address(host)) {
    answer_later(host, Addresses{*address});
  } else if (askers.size() == 1) {
    if (auto failure = ask_pool(host)) answer_later(host, std::unexpected(std::move(*failure)));
  }
  return handle;
}

std::optional<Failure> Resolver::ask_pool(const std::string& host) {
  const base::MutexLock lock(pool_->mutex);
  if (pool_->waiting.size() >= kMaxWaiting)
    return Failure{Reason::busy, fmt::format("the host {} is not looked up: too many wait", host)};
  pool_->waiting.push_back(host);
  pool_->changed.notify_one();
  if (pool_->idle >= pool_->waiting.size() || pool_->threads >= kThreads) return {};
  try {
    std::thread([pool = pool_, questions = std::weak_ptr(questions_)] { Pool::run(pool, questions); }).detach();
    ++pool_->threads;
  } catch (const std::system_error&) {
    if (pool_->threads > 0) return {};
    pool_->waiting.pop_back();
    return Failure{Reason::busy, fmt::format("the host {} is not looked up: no thread can be created", host)};
  }
  return {};
}

void Resolver::answer_later(const std::string& host, std::expected<Addresses, Failure> found) {
  boost::asio::post(*io_, [questions = std::weak_ptr(questions_), host, found = std::move(found)] {
    if (const auto left = questions.lock()) answer(*left, host, found);
  });
}

void Resolver::answer(Questions& questions, const std::string& host, const std::expected<Addresses, Failure>& found) {
  const auto askers = questions.by_host.extract(host);
  if (!askers) return;
  for (const std::uint64_t id : askers.mapped()) {
    auto one = questions.open.extract(id);
    if (one) base::run_guarded("net", "what waits for an address", [&] { one.mapped()(found); });
  }
}

}  // namespace hearth::net
