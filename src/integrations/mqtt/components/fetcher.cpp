// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/components/fetcher.h"

#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>

#include <list>
#include <system_error>

#include "base/log/guarded.h"
#include "base/net/outward_request.h"

namespace hearth::integrations::mqtt {
namespace {

using base::ErrorCode;

// REQUIRES: it is there, as Fetcher::create checks.
const base::CurlLibrary& curl() {
  return *base::curl_library();
}

struct EasyDeleter {
  void operator()(CURL* handle) const { curl().easy_cleanup(handle); }
};
struct MultiDeleter {
  void operator()(CURLM* handle) const { curl().multi_cleanup(handle); }
};

std::string media_type(const char* header) {
  std::string type = header ? header : "";
  type = type.substr(0, type.find(';'));
  while (!type.empty() && type.back() == ' ') type.pop_back();
  for (char& c : type) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return type;
}

}  // namespace

struct Fetcher::Transfer {
  base::OutwardRequest request;
  std::unique_ptr<CURL, EasyDeleter> handle{curl().easy_init()};
  Done done;
  std::string bytes;
  bool too_large = false;

  explicit Transfer(std::uint16_t own_port) : request(own_port, {.time = kTime, .redirections = kMaxRedirections}) {}

  static std::size_t take(const char* data, std::size_t size, std::size_t count, void* context);
  bool prepare(const std::string& url);
  base::Result<Answer> result(CURLcode code);
};

struct Fetcher::Multi {
  std::unique_ptr<CURLM, MultiDeleter> handle{curl().multi_init()};
  std::list<Transfer> transfers;

  ~Multi() {
    for (const Transfer& each : transfers) curl().multi_remove_handle(handle.get(), each.handle.get());
  }
};

std::size_t Fetcher::Transfer::take(const char* data, std::size_t size, std::size_t count, void* context) {
  auto& transfer = *static_cast<Transfer*>(context);
  const std::size_t length = size * count;
  transfer.too_large = transfer.bytes.size() + length > kMaxBytes;
  if (transfer.too_large) return 0;
  // An exception must not pass through libcurl.
  const bool taken = base::run_guarded("mqtt", "a part of a picture", [&] { transfer.bytes.append(data, length); });
  return taken ? length : 0;
}

bool Fetcher::Transfer::prepare(const std::string& url) {
  CURL* const easy = handle.get();
  if (!easy) return false;
  bool good = request.prepare(curl(), easy, url);
  const auto set = [&](CURLoption option, auto value) {
    good = good && curl().easy_setopt(easy, option, value) == CURLE_OK;
  };
  set(CURLOPT_MAXFILESIZE_LARGE, static_cast<curl_off_t>(kMaxBytes));
  set(CURLOPT_PRIVATE, static_cast<void*>(this));
  set(CURLOPT_WRITEDATA, static_cast<void*>(this));
  good = good && curl().easy_setopt(easy, CURLOPT_WRITEFUNCTION, &Transfer::take) == CURLE_OK;
  return good;
}

base::Result<Fetcher::Answer> Fetcher::Transfer::result(CURLcode code) {
  if (too_large || code == CURLE_FILESIZE_EXCEEDED)
    return base::fail(ErrorCode::invalid, fmt::format("expected at most {} MiB", kMaxBytes / 1024 / 1024));
  if (auto good = request.result(curl(), handle.get(), code); !good) return std::unexpected(good.error());
  const char* type = nullptr;
  curl().easy_getinfo(handle.get(), CURLINFO_CONTENT_TYPE, &type);
  return Answer{media_type(type), std::move(bytes)};
}

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
    curl().multi_remove_handle(multi_->handle.get(), each.handle.get());
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
    if (transfer.prepare(request.url) &&
        curl().multi_add_handle(multi_->handle.get(), transfer.handle.get()) == CURLM_OK)
      continue;
    answer(std::move(transfer.done), base::fail(ErrorCode::unavailable, "there is not enough memory"));
    multi_->transfers.pop_back();
  }
}

void Fetcher::end_finished() {
  int left = 0;
  while (const CURLMsg* const message = curl().multi_info_read(multi_->handle.get(), &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    void* context = nullptr;
    curl().easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &context);
    auto* const transfer = static_cast<Transfer*>(context);
    answer(std::move(transfer->done), transfer->result(message->data.result));
    curl().multi_remove_handle(multi_->handle.get(), transfer->handle.get());
    multi_->transfers.remove_if([transfer](const Transfer& each) { return &each == transfer; });
    // The next one may begin at once.
    curl().multi_wakeup(multi_->handle.get());
  }
}

void Fetcher::give_up() {
  while (!multi_->transfers.empty()) {
    Transfer& transfer = multi_->transfers.front();
    curl().multi_remove_handle(multi_->handle.get(), transfer.handle.get());
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
