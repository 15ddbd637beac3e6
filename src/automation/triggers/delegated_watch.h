// SPDX-License-Identifier: Apache-2.0
// Triggers and conditions of devices of another hub, which that hub watches for this one. It comes and goes. Bus thread
// only.
#pragma once

#include <memory>

#include "automation/triggers/trigger_watch.h"
#include "core/device_delegate.h"

namespace hearth::automation {

// Asks the device's hub for something, again whenever there is another object of it.
class AskedOfHub {
 public:
  static constexpr base::Duration kLook = std::chrono::seconds(1);
  using Ask = std::function<base::Handle(core::DeviceDelegate& delegate)>;

  AskedOfHub(core::Hub& hub, std::string device_id, Ask ask);

 private:
  void look();

  core::Hub& hub_;
  const std::string device_id_;
  const Ask ask_;
  static constexpr int kLooksUntilSaid = 60;
  int looks_ = 0;
  std::weak_ptr<const void> alive_;
  base::Handle asked_;
  core::Timer next_;
};

class DelegatedWatch final : public TriggerWatch {
 public:
  DelegatedWatch(const Trigger& trigger, Home& home, Fire fire);

 private:
  void on_fire(const std::string& hub, json::object trigger, const core::Context& cause) const;

  const Trigger& trigger_;
  Home& home_;
  const Fire fire_;
  const AskedOfHub asked_;
};

}  // namespace hearth::automation
