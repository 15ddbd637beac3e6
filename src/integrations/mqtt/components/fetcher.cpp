// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/components/fetcher.h"

#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <list>
#include <system_error>

#include "base/log/guarded.h"

namespace hearth::integrations::mqtt {
namespace {

using base::ErrorCode;

// REQUIRES: it is there, as Fetcher::create checks.
const base::CurlLibrary& curl() {
  return *base::curl_library();
}

struct MultiDeleter {
  void operator()(CURLM* handle) const { curl().multi_cleanup(handle); }
};

}  // namespace

struct Fetcher::Transfer {
  base::OutwardRequest request;
  Done done = {};

  explicit Transfer(std::uint16_t own_port)
      : request(curl(), own_port, {.time = kTime, .redirections = kMaxRedirections, .bytes = kMaxBytes}) {}
};

struct Fetcher::Multi {
  std::unique_ptr<CURLM, MultiDeleter> handle{curl().multi_init()};
  std::list<Transfer> transfers;

  ~Multi() {
    for (const Transfer& each : transfers) curl().multi_remove_handle(handle.get(), each.request.handle());
  }
};

Fetcher::Fetcher(domains::IntegrationBus& bus, std::uint16_t own_port)
    : bus_(bus), own_port_(own_port), multi_(std::make_unique<Multi>()) {}

base::Result<std::unique_ptr<Fetcher>> Fetcher::create(domains::IntegrationBus& bus, std::uint16_t own_port) {
  if (!base::curl_library()) return base::fail(ErrorCode::unavailable, "libcurl is not installed");
  std::unique_ptr<Fetcher> fetcher(new Fetcher(bus, own_port));
  if (!fetcher->multi_->handle) return base::fail(ErrorCode::unavailable, "there is not enough memory");
  try {
    fetcher->thread_ = std::thread([made = fetcher.get()] { made->run(); });
  } catch (const std::system_error& error) {
    return base::fail(ErrorCode::unavailable, error.what());
  }
  return fetcher;
}

Fetcher::~Fetcher() {
  stopping_ = true;
  if (!thread_.joinable()) return;
  curl().multi_wakeup(multi_->handle.get());
  thread_.join();
}

base::Result<void> Fetcher::fetch(std::string url, Done done) {
  if (auto good = base::OutwardRequest::check(url); !good) return good;
  {
    base::MutexLock lock(mutex_);
    if (waiting_.size() >= kMaxWaiting)
      return base::fail(ErrorCode::unavailable, fmt::format("{} other pictures wait to be fetched", kMaxWaiting));
    waiting_.push_back({std::move(url), std::move(done)});
  }
  curl().multi_wakeup(multi_->handle.get());
  return {};
}

void Fetcher::run() {
  pthread_setname_np(pthread_self(), "mqtt-pictures");
  // A broken connection is an error of write, not a signal.
  sigset_t broken_pipe;
  sigemptyset(&broken_pipe);
  sigaddset(&broken_pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &broken_pipe, nullptr);
  while (!stopping_) {
    const bool done = base::run_guarded("mqtt", "fetching pictures", [this] {
      begin_waiting();
      int running = 0;
      curl().multi_perform(multi_->handle.get(), &running);
      end_finished();
    });
    if (!done) base::run_guarded("mqtt", "giving up pictures", [this] { give_up(); });
    curl().multi_poll(multi_->handle.get(), nullptr, 0, 1'000, nullptr);
  }
  multi_->transfers.remove_if([this](const Transfer& each) {
    curl().multi_remove_handle(multi_->handle.get(), each.request.handle());
    return true;
  });
}

void Fetcher::begin_waiting() {
  while (multi_->transfers.size() < kAtOnce) {
    {
      base::MutexLock lock(mutex_);
      if (waiting_.empty()) return;
    }
    // Before the request is taken, so that nobody waits in vain if there is no memory for it.
    Transfer& transfer = multi_->transfers.emplace_back(own_port_);
    Request request;
    {
      base::MutexLock lock(mutex_);
      request = std::move(waiting_.front());
      waiting_.pop_front();
    }
    transfer.done = std::move(request.done);
    if (transfer.request.prepare(request.url) &&
        curl().multi_add_handle(multi_->handle.get(), transfer.request.handle()) == CURLM_OK)
      continue;
    answer(std::move(transfer.done), base::fail(ErrorCode::unavailable, "there is not enough memory"));
    multi_->transfers.pop_back();
  }
}

void Fetcher::end_finished() {
  int left = 0;
  while (const CURLMsg* const message = curl().multi_info_read(multi_->handle.get(), &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    const auto transfer = std::ranges::find(multi_->transfers, message->easy_handle,
                                            [](const Transfer& each) { return each.request.handle(); });
    answer(std::move(transfer->done), transfer->request.result(message->data.result));
    curl().multi_remove_handle(multi_->handle.get(), transfer->request.handle());
    multi_->transfers.erase(transfer);
    // The next one may begin at once.
    curl().multi_wakeup(multi_->handle.get());
  }
}

void Fetcher::give_up() {
  while (!multi_->transfers.empty()) {
    Transfer& transfer = multi_->transfers.front();
    curl().multi_remove_handle(multi_->handle.get(), transfer.request.handle());
    Done done = std::move(transfer.done);
    multi_->transfers.pop_front();
    if (done) answer(std::move(done), base::fail(ErrorCode::unavailable, "there is not enough memory"));
  }
}

void Fetcher::answer(Done done, base::Result<Answer> result) {
  auto shared = std::make_shared<base::Result<Answer>>(std::move(result));
  bus_.post_past_bound([done = std::move(done), shared] { done(std::move(*shared)); });
}

}  // namespace hearth::integrations::mqtt
