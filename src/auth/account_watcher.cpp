// SPDX-License-Identifier: Apache-2.0
#include "auth/account_watcher.h"

#include <exception>

#include "base/log.h"

namespace hearth::auth {

AccountWatcher::AccountWatcher(AccountLoader loader, Authenticator& authenticator, const base::Clock& clock)
    : loader_(std::move(loader)),
      authenticator_(authenticator),
      clock_(clock),
      last_poll_(clock.now()),
      last_flush_(clock.steady_now()) {}

AccountWatcher::~AccountWatcher() {
  stop();
}

base::Result<std::unique_ptr<AccountWatcher>> AccountWatcher::open(const std::filesystem::path& file,
                                                                   Authenticator& authenticator,
                                                                   const base::Clock& clock) {
  auto loader = AccountLoader::open(file);
  if (!loader) return std::unexpected(std::move(loader.error()));
  return std::unique_ptr<AccountWatcher>(new AccountWatcher(std::move(*loader), authenticator, clock));
}

void AccountWatcher::on_change(std::function<void()> callback) {
  callbacks_.push_back(std::move(callback));
}

base::Result<void> AccountWatcher::start() {
  if (auto first = poll(); !first) return first;
  thread_ = std::thread([this] { run(); });
  return {};
}

void AccountWatcher::stop() {
  if (!thread_.joinable()) return;
  {
    base::MutexLock lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  thread_.join();
  if (auto flushed = flush_uses(); !flushed) base::log_error("auth", "{}", flushed.error().message);
}

base::Result<void> AccountWatcher::poll() {
  auto tokens = loader_.load_if_changed();
  const bool changed = tokens && tokens->has_value();
  if (changed) authenticator_.publish(std::move(**tokens));

  const base::Timestamp now = clock_.now();
  const bool expired = authenticator_.any_expired(last_poll_, now);
  last_poll_ = now;
  if (changed || expired) {
    for (const auto& callback : callbacks_) callback();
  }

  // Tokens expire even while the database cannot be read.
  if (!tokens) return std::unexpected(std::move(tokens.error()));
  if (clock_.steady_now() - last_flush_ < kFlushInterval) return {};
  last_flush_ = clock_.steady_now();
  return flush_uses();
}

base::Result<void> AccountWatcher::flush_uses() {
  auto uses = authenticator_.take_uses();
  if (uses.empty()) return {};
  auto written = loader_.note_uses(uses);
  if (!written) authenticator_.put_back_uses(std::move(uses));
  return written;
}

void AccountWatcher::run() {
  for (;;) {
    {
      base::MutexLock lock(mutex_);
      if (!stopping_) wake_.wait_for(lock, kInterval);
      if (stopping_) return;
    }
    poll_and_log();
  }
}

void AccountWatcher::poll_and_log() {
  std::string failure;
  try {
    if (auto done = poll(); !done) failure = done.error().message;
  } catch (const std::exception& thrown) {
    failure = thrown.what();
  }
  if (!failure.empty() && failure != last_failure_) base::log_error("auth", "{}", failure);
  last_failure_ = std::move(failure);
}

}  // namespace hearth::auth
