// SPDX-License-Identifier: Apache-2.0
// Triggers, conditions and actions of devices that only the hub knows whose devices they are: that hub is asked. A
// Provider may be one. Bus thread only.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/handle.h"
#include "base/json/json.h"
#include "base/result.h"
#include "core/bus/context.h"
#include "core/services/service_call.h"

namespace hearth::core {

struct Hub;

class DeviceDelegate {
 public:
  // `trigger`: what templates see there; `cause`: of what made it fire.
  using Fire = std::function<void(json::object trigger, const Context& cause)>;

  virtual ~DeviceDelegate() = default;
  // For people: home (Home Assistant).
  virtual std::string hub_name() const = 0;
  virtual bool has_device(std::string_view device_id) const = 0;
  // Expires with this.
  virtual std::weak_ptr<const void> alive() const = 0;

  // A form with `device_id` and ids of this hub. The trigger fires until the handle is destroyed, which may outlive
  // this; not for what happens while there is no connection.
  virtual base::Handle watch(json::object trigger, Fire fire) = 0;
  // Keeps itself informed of whether the condition holds, until the handle is destroyed.
  virtual base::Handle keep(json::object condition) = 0;
  // By the last answer. Fails with unavailable if there is none.
  virtual base::Result<bool> holds(const json::object& condition) const = 0;
  // Replies as a ServiceHandler.
  virtual void run(json::object action, const Context& context, ServiceReply reply) = 0;
};

// That of the device; null if there is none now.
DeviceDelegate* find_delegate(Hub& hub, std::string_view device_id);

}  // namespace hearth::core
