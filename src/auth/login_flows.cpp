// SPDX-License-Identifier: Apache-2.0
#include "auth/login_flows.h"

#include <fmt/format.h>
#include <sodium.h>

#include <cstring>

namespace hearth::auth {
namespace {

constexpr std::size_t kMacBytes = crypto_auth_hmacsha256_BYTES;
constexpr std::size_t kMaxId = 16 * 1024;  // characters
constexpr int kVariant = sodium_base64_VARIANT_URLSAFE_NO_PADDING;

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

// Removes the next line from the text and returns it.
std::string_view take_line(std::string_view& text) {
  const auto end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

}  // namespace

LoginFlows::LoginFlows(const base::Clock& clock) : clock_(clock) {
  static_assert(sizeof key_ == crypto_auth_hmacsha256_KEYBYTES);
  randombytes_buf(key_.data(), key_.size());
}

// Consists of a MAC, the number, the expiry, and the flow's parts.
std::string LoginFlows::begin(const Flow& flow) const {
  Number number;
  randombytes_buf(number.data(), number.size());
  const std::string text =
      fmt::format("{}{}\n{}\n{}\n{}\n{}", std::string_view(reinterpret_cast<const char*>(number.data()), number.size()),
                  (clock_.steady_now() + kLife).time_since_epoch().count(), flow.client_id, flow.redirect_uri,
                  flow.challenge, flow.by_passkey ? "passkey" : "");
  std::string id(kMacBytes, '\0');
  crypto_auth_hmacsha256(reinterpret_cast<unsigned char*>(id.data()), bytes_of(text), text.size(), key_.data());
  id += text;
  std::string encoded(sodium_base64_ENCODED_LEN(id.size(), kVariant), '\0');
  sodium_bin2base64(encoded.data(), encoded.size(), bytes_of(id), id.size(), kVariant);
  encoded.pop_back();  // the terminating zero
  return encoded;
}

std::optional<LoginFlows::Known> LoginFlows::read(std::string_view id) const {
  if (id.size() > kMaxId) return {};
  std::string decoded(id.size(), '\0');
  std::size_t size = 0;
  if (sodium_base642bin(reinterpret_cast<unsigned char*>(decoded.data()), decoded.size(), id.data(), id.size(), nullptr,
                        &size, nullptr, kVariant) != 0 ||
      size < kMacBytes + sizeof(Number)) {
    return {};
  }
  std::string_view text(decoded.data() + kMacBytes, size - kMacBytes);
  if (crypto_auth_hmacsha256_verify(bytes_of(decoded), bytes_of(text), text.size(), key_.data()) != 0) return {};
  // From here on the text is what begin wrote.
  Known known;
  std::memcpy(known.self.second.data(), text.data(), sizeof(Number));
  text.remove_prefix(sizeof(Number));
  known.self.first = base::SteadyTime(base::Duration(std::stoll(std::string(take_line(text)))));
  if (known.self.first <= clock_.steady_now()) return {};
  known.flow.client_id = take_line(text);
  known.flow.redirect_uri = take_line(text);
  known.flow.challenge = take_line(text);
  known.flow.by_passkey = !take_line(text).empty();
  return known;
}

std::optional<LoginFlows::Flow> LoginFlows::find(std::string_view id) {
  auto known = read(id);
  if (!known) return {};
  base::MutexLock lock(mutex_);
  if (ended_.contains(known->self)) return {};
  return std::move(known->flow);
}

bool LoginFlows::end(std::string_view id) {
  const auto known = read(id);
  if (!known) return false;
  const base::SteadyTime now = clock_.steady_now();
  base::MutexLock lock(mutex_);
  const bool first = ended_.insert(known->self).second;
  while (ended_.size() > kMaxEnded || ended_.begin()->first <= now) ended_.erase(ended_.begin());
  passed_.erase(known->self);
  return first;
}

// A MAC of the id, which nobody else can make, so that it need not be kept.
std::optional<std::string> LoginFlows::challenge(std::string_view id) {
  const auto known = read(id);
  if (!known || known->self.first - kLife + kChallengeLife <= clock_.steady_now()) return {};
  const std::string text = "challenge\n" + std::string(id);
  std::string bytes_of_challenge(kMacBytes, '\0');
  crypto_auth_hmacsha256(reinterpret_cast<unsigned char*>(bytes_of_challenge.data()), bytes_of(text), text.size(),
                         key_.data());
  return bytes_of_challenge;
}

bool LoginFlows::pass(std::string_view id, Passed passed) {
  const auto known = read(id);
  if (!known) return false;
  const base::SteadyTime now = clock_.steady_now();
  base::MutexLock lock(mutex_);
  if (ended_.contains(known->self)) return false;
  passed_.insert_or_assign(known->self, std::move(passed));
  while (passed_.size() > kMaxPassed || passed_.begin()->first.first <= now) passed_.erase(passed_.begin());
  return true;
}

std::optional<LoginFlows::Passed> LoginFlows::passed(std::string_view id) {
  const auto known = read(id);
  if (!known) return {};
  base::MutexLock lock(mutex_);
  const auto found = passed_.find(known->self);
  return found == passed_.end() ? std::nullopt : std::optional(found->second);
}

bool LoginFlows::count_wrong_code(std::string_view id) {
  const auto known = read(id);
  if (!known) return false;
  {
    base::MutexLock lock(mutex_);
    const auto found = passed_.find(known->self);
    if (found != passed_.end() && ++found->second.wrong_codes < kMaxCodes) return true;
  }
  end(id);
  return false;
}

}  // namespace hearth::auth
