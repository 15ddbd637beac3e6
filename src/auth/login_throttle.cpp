// SPDX-License-Identifier: Apache-2.0
#include "auth/login_throttle.h"

#include <algorithm>
#include <utility>

#include "auth/name.h"

namespace hearth::auth {
namespace {

constexpr FailureRule rule(std::size_t capacity) {
  return {LoginThrottle::kWindow, LoginThrottle::kFirstBan, LoginThrottle::kLongestBan, LoginThrottle::kMemory,
          capacity};
}

std::chrono::seconds in_seconds(base::Duration time) {
  return std::chrono::ceil<std::chrono::seconds>(time);
}

base::Duration hold_after(std::size_t failures) {
  base::Duration hold = LoginThrottle::kFirstHold;
  if (failures <= LoginThrottle::kFreeFailures) return base::Duration(0);
  for (std::size_t i = LoginThrottle::kFreeFailures + 1; i < failures && hold < LoginThrottle::kLongestHold; ++i) {
    hold *= 2;
  }
  return std::min<base::Duration>(hold, LoginThrottle::kLongestHold);
}

// Empty for a name that no account can have.
std::string account_key(std::string_view name) {
  return check_name("A user name", name) ? fold_case(name) : std::string();
}

}  // namespace

LoginThrottle::LoginThrottle(const base::Clock& clock, std::function<bool(const Address&)> exempt)
    : clock_(clock), exempt_(std::move(exempt)), prefixes_(rule(kMaxPrefixes)), accounts_(rule(kMaxAccounts)) {}

bool LoginThrottle::exempt(const Address& address) const {
  const Address plain = unmapped(address);
  return plain.is_loopback() || (exempt_ && exempt_(plain));
}

std::chrono::seconds LoginThrottle::retry_after(const Address& address) const {
  if (size_.load(std::memory_order_relaxed) == 0) return std::chrono::seconds(0);
  const AddressPrefix prefix(address);
  const base::SteadyTime now = clock_.steady_now();
  base::MutexLock lock(mutex_);
  return in_seconds(prefixes_.ban_left(prefix, now));
}

void LoginThrottle::failed(const Address& address, LoginPurpose purpose) {
  failures_.note(address, {}, purpose, clock_.now());
  on_failure_(address, {}, purpose);
  if (exempt(address)) return;
  base::MutexLock lock(mutex_);
  count_prefix_failure(address);
}

void LoginThrottle::succeeded(const Address& address) {
  if (size_.load(std::memory_order_relaxed) == 0) return;
  base::MutexLock lock(mutex_);
  count_prefix_success(address);
}

void LoginThrottle::count_prefix_failure(const Address& address) {
  prefixes_.failed(AddressPrefix(address), clock_.steady_now(), clock_.now());
  size_.store(prefixes_.size(), std::memory_order_relaxed);
}

void LoginThrottle::count_prefix_success(const Address& address) {
  prefixes_.succeeded(AddressPrefix(address), clock_.steady_now());
  size_.store(prefixes_.size(), std::memory_order_relaxed);
}

std::expected<LoginThrottle::Attempt, std::chrono::seconds> LoginThrottle::begin(const Address& address,
                                                                                 std::string_view account,
                                                                                 LoginPurpose purpose) {
  std::string key = account_key(account);
  if (!exempt(address)) {
    const AddressPrefix prefix(address);
    const base::SteadyTime now = clock_.steady_now();
    base::MutexLock lock(mutex_);
    if (const auto left = prefixes_.ban_left(prefix, now); left.count() > 0) return std::unexpected(in_seconds(left));
    const auto closed = accounts_.ban_left(key, now);
    if (closed.count() > 0 && !knows(key, prefix)) return std::unexpected(in_seconds(closed));
    const auto others = running_.find(prefix);
    const std::size_t running = others == running_.end() ? 0 : others->second;
    if (running + prefixes_.recent(prefix, now) >= kMaxFailures) return std::unexpected(std::chrono::seconds(1));
    ++running_[prefix];
  }
  return Attempt(*this, address, std::move(key), purpose);
}

void LoginThrottle::end(const Address& address) {
  const auto found = running_.find(AddressPrefix(address));
  if (found != running_.end() && --found->second == 0) running_.erase(found);
}

bool LoginThrottle::knows(std::string_view account, const AddressPrefix& prefix) const {
  const auto found = known_.find(account);
  return found != known_.end() && std::ranges::find(found->second, prefix) != found->second.end();
}

bool LoginThrottle::was_used(std::string_view account) const {
  base::MutexLock lock(mutex_);
  return known_.contains(account);
}

void LoginThrottle::remember(std::string_view account, const AddressPrefix& prefix) {
  auto& known = known_[std::string(account)];
  std::erase(known, prefix);
  known.push_back(prefix);
  if (known.size() > kKnownPrefixes) known.pop_front();
}

void LoginThrottle::know(std::string_view account, const Address& address) {
  const std::string key = account_key(account);
  if (key.empty()) return;
  base::MutexLock lock(mutex_);
  remember(key, AddressPrefix(address));
}

LoginThrottle::Attempt::Attempt(LoginThrottle& throttle, const Address& address, std::string account,
                                LoginPurpose purpose)
    : throttle_(&throttle), address_(address), account_(std::move(account)), purpose_(purpose) {}

LoginThrottle::Attempt::Attempt(Attempt&& other) noexcept
    : throttle_(std::exchange(other.throttle_, nullptr)),
      address_(other.address_),
      account_(std::move(other.account_)),
      purpose_(other.purpose_) {}

LoginThrottle::Attempt::~Attempt() {
  if (!throttle_ || throttle_->exempt(address_)) return;
  base::MutexLock lock(throttle_->mutex_);
  throttle_->end(address_);
}

base::Duration LoginThrottle::Attempt::failed() {
  LoginThrottle& throttle = *std::exchange(throttle_, nullptr);
  const base::SteadyTime now = throttle.clock_.steady_now();
  const AddressPrefix prefix(address_);
  const bool exempt = throttle.exempt(address_);
  throttle.failures_.note(address_, account_, purpose_, throttle.clock_.now());
  throttle.on_failure_(address_, throttle.was_used(account_) ? account_ : std::string(), purpose_);
  base::MutexLock lock(throttle.mutex_);
  if (!exempt) throttle.end(address_);
  // Counted before it is recorded, so that the last failure before a ban is slow, too.
  const std::size_t failures =
      1 + std::max(throttle.prefixes_.recent(prefix, now), throttle.accounts_.recent(account_, now));
  if (!exempt) throttle.count_prefix_failure(address_);
  if (!account_.empty()) throttle.accounts_.failed(account_, now, throttle.clock_.now());
  return hold_after(failures);
}

void LoginThrottle::Attempt::succeeded() {
  LoginThrottle& throttle = *std::exchange(throttle_, nullptr);
  const bool exempt = throttle.exempt(address_);
  base::MutexLock lock(throttle.mutex_);
  if (!exempt) throttle.end(address_);
  throttle.count_prefix_success(address_);
  throttle.accounts_.succeeded(account_, throttle.clock_.steady_now());
  throttle.remember(account_, AddressPrefix(address_));
}

std::vector<LoginThrottle::Record> LoginThrottle::list() const {
  const base::SteadyTime now = clock_.steady_now();
  const base::Timestamp wall_now = clock_.now();
  std::vector<Record> list;
  const auto add = [&](std::string subject, bool is_account, const auto& record) {
    const auto left = record.banned_until() - now;
    list.push_back({std::move(subject), is_account, record.failures(),
                    left.count() > 0 ? std::optional<base::Timestamp>(wall_now + left) : std::nullopt,
                    record.last_failure()});
  };
  base::MutexLock lock(mutex_);
  for (const auto& [prefix, record] : prefixes_.records()) add(prefix.str(), false, record);
  for (const auto& [account, record] : accounts_.records()) add(account, true, record);
  return list;
}

bool LoginThrottle::clear_address(std::string_view prefix) {
  boost::system::error_code error;
  const Address address = boost::asio::ip::make_address(prefix.substr(0, prefix.find('/')), error);
  if (error) return false;
  base::MutexLock lock(mutex_);
  const bool cleared = prefixes_.clear(AddressPrefix(address));
  size_.store(prefixes_.size(), std::memory_order_relaxed);
  return cleared;
}

bool LoginThrottle::clear_account(std::string_view name) {
  const std::string key = account_key(name);
  base::MutexLock lock(mutex_);
  return accounts_.clear(key);
}

}  // namespace hearth::auth
