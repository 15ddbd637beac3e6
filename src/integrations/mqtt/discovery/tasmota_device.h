// SPDX-License-Identifier: Apache-2.0
// Reads the config message of a Tasmota device. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "base/result.h"
#include "integrations/mqtt/discovery/message.h"

namespace hearth::integrations::mqtt {

class TasmotaDevice {
 public:
  // Fails with invalid: without a topic, or with one that cannot be.
  static base::Result<TasmotaDevice> parse(std::string_view mac, std::string_view payload);

  // cmnd/<topic>/POWER1 and so on.
  std::string command(std::string_view name) const { return full(0) + std::string(name); }
  std::string stat(std::string_view name) const { return full(1) + std::string(name); }
  std::string tele(std::string_view name) const { return full(2) + std::string(name); }

  // The numbers of a list; 0 for what is missing.
  int number(std::string_view list, std::size_t index) const;
  std::size_t size(std::string_view list) const;
  int option(std::string_view number) const;  // of SetOption<number>; 0 if missing
  std::string text(std::string_view list, std::size_t index) const;
  const json::object& config() const { return config_; }
  const std::string& name() const { return name_; }

  // A description with the keys that all have: topics' states, availability, device. `id` is unique within the device.
  Description describe(std::string_view component, std::string_view id, json::object keys) const;

 private:
  std::string full(std::size_t prefix) const;

  json::object config_;
  std::string mac_, topic_, full_topic_, name_;
  std::vector<std::string> prefixes_;
  DeviceDescription device_;
};

}  // namespace hearth::integrations::mqtt
