// SPDX-License-Identifier: Apache-2.0
// The devices of a node in the registry: itself, and its sub-devices. Bus thread only.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/hub.h"
#include "integrations/esphome/protocol/messages.h"

namespace hearth::integrations::esphome {

class NodeDevices {
 public:
  static constexpr std::size_t kMaxSubDevices = 100;

  // The hub must outlive this. `host`: for the address of the node's own page. `entry_id`: of the connection.
  NodeDevices(core::Hub& hub, std::string host, std::string entry_id)
      : hub_(hub), host_(std::move(host)), entry_id_(std::move(entry_id)) {}

  // Registers all, with their areas at first.
  void put(const std::string& mac, const proto::NodeInfo& info);
  // The registry's id of a sub-device, of the node for 0; null if there is no such one.
  std::optional<std::string> id_of(std::uint32_t device_id) const;
  // The name of the sub-device, or of the node.
  std::string name_of(std::uint32_t device_id) const;

 private:
  void put_device(core::Device device, std::uint32_t device_id, std::string_view area);

  core::Hub& hub_;
  const std::string host_, entry_id_;
  std::map<std::uint32_t, std::pair<std::string, std::string>> devices_;  // id and name
};

}  // namespace hearth::integrations::esphome
