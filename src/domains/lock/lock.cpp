// SPDX-License-Identifier: Apache-2.0
#include "domains/lock/lock.h"

#include <fmt/format.h>

#include <algorithm>

namespace hearth::domains {
namespace {

constexpr int kOpenFeature = 1;

using Command = void (LockDevice::*)(const std::string& code);

base::Result<std::string> checked_code(const Lock& lock, const json::object& data) {
  const json::value* given = data.if_contains("code");
  std::string code = given ? std::string(given->get_string()) : std::string();
  const auto length = lock.capabilities().code_length;
  const bool digits = std::all_of(code.begin(), code.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!length || (code.size() == *length && digits)) return code;
  return base::fail(base::ErrorCode::invalid, fmt::format("code: {} needs {} digits", lock.entity_id(), *length));
}

DomainServices::Prepare<Lock> command(Command command) {
  return [command](Lock& lock, const json::object& data) -> DomainServices::Prepared {
    if (command == &LockDevice::open && !lock.capabilities().open) return cannot(lock, "open its latch");
    auto code = checked_code(lock, data);
    if (!code) return std::unexpected(code.error());
    return [&lock, command, code = std::move(*code)] { (lock.device().*command)(code); };
  };
}

}  // namespace

std::string_view to_string(LockState state) {
  constexpr std::string_view names[] = {"locked", "locking", "unlocked", "unlocking", "open", "opening", "jammed"};
  return names[static_cast<std::size_t>(state)];
}

void Lock::report(LockState state, const core::Context* cause) {
  state_ = state;
  write(cause);
}

std::string Lock::value() const {
  return std::string(state_ ? to_string(*state_) : core::kUnknown);
}

void Lock::add_capabilities(json::object& attributes) const {
  if (capabilities_.code_length) attributes["code_format"] = fmt::format("^\\d{{{}}}$", *capabilities_.code_length);
  attributes["supported_features"] = capabilities_.open ? kOpenFeature : 0;
}

void add_lock_services(DomainServices& services) {
  const core::Field code{"code", "The code, for locks that need one.", "1234", core::field::Text{}};
  services.add<Lock>({"lock", "Lock", "Locks.", {code}}, command(&LockDevice::lock));
  services.add<Lock>({"unlock", "Unlock", "Unlocks.", {code}}, command(&LockDevice::unlock));
  services.add<Lock>({"open", "Open", "Unlocks and opens the latch.", {code}}, command(&LockDevice::open));
}

}  // namespace hearth::domains
