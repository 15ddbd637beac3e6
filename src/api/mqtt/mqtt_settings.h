// SPDX-License-Identifier: Apache-2.0
// The connection to the MQTT broker, for administrators who look at it, change it or try another one. The app keeps it.
//
// The accounts' thread only, because it waits for the disk.
#pragma once

#include <functional>
#include <string>

#include "base/config/config_node.h"
#include "base/json/json.h"
#include "base/result.h"

namespace hearth::api {

class MqttSettings {
 public:
  // The version of MQTT that is spoken, or why there is no connection. Any thread.
  using Tested = std::function<void(base::Result<std::string> protocol)>;

  virtual ~MqttSettings() = default;

  // As mqtt/config answers it; without the password.
  virtual json::object config() const = 0;

  // `values`: keys and values as configuration.yaml has them under `mqtt`. They replace all; only the password stays if
  // it is absent and broker and user name are the same. Returns when they are on the disk and the hub is about to
  // connect with them. Fails with invalid if a value is wrong, with conflict if configuration.yaml has the section.
  virtual base::Result<void> save(const base::ConfigNode& values) = 0;
  // Ends the connection for good. Fails with conflict likewise, and with not_found if there is none.
  virtual base::Result<void> remove() = 0;

  // Connects once with such values, and calls `tested` within about 10 s; with unavailable at once while another test
  // runs. Fails with invalid, without calling it.
  virtual base::Result<void> test(const base::ConfigNode& values, Tested tested) = 0;
};

}  // namespace hearth::api
