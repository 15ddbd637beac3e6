// SPDX-License-Identifier: Apache-2.0
// A lock. Bus thread only.
#pragma once

#include "domains/domain_services.h"
#include "domains/entity.h"

namespace hearth::domains {

struct LockCapabilities {
  bool open = false;                            // can open the door's latch
  std::optional<std::size_t> code_length = {};  // digits that each command needs; nothing: no code
};

enum class LockState { locked, locking, unlocked, unlocking, open, opening, jammed };

std::string_view to_string(LockState state);

class LockDevice : public EntityDevice {
 public:
  // `code` is empty where none is needed; whether it is the right one only the device knows.
  virtual void lock(const std::string& code) = 0;
  virtual void unlock(const std::string& code) = 0;
  virtual void open(const std::string& /*code*/) {}  // with LockCapabilities::open
};

class Lock final : public Entity {
 public:
  static constexpr std::string_view kDomain = "lock";

  Lock(EntityInfo info, LockCapabilities capabilities, LockDevice& device)
      : Entity(kDomain, std::move(info), &device), capabilities_(capabilities), device_(device) {}

  const LockCapabilities& capabilities() const { return capabilities_; }
  // `cause`: the command answered, where the device can tell.
  void report(LockState state, const core::Context* cause = nullptr);

  LockDevice& device() { return device_; }

 protected:
  std::string value() const override;
  void add_capabilities(json::object& attributes) const override;

 private:
  LockCapabilities capabilities_;
  LockDevice& device_;
  std::optional<LockState> state_;  // nothing: not reported yet
};

// lock, unlock, open.
void add_lock_services(DomainServices& services);

}  // namespace hearth::domains
