// SPDX-License-Identifier: Apache-2.0
// Properties of packets of MQTT 5 (§2.2.2). Any thread.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <optional>

#include "base/result.h"
#include "integrations/mqtt/protocol/byte_reader.h"

namespace hearth::integrations::mqtt {

enum class PropertyId : std::uint32_t {
  message_expiry = 2,
  subscription_identifier = 11,
  server_keepalive = 19,
  receive_maximum = 33,
  topic_alias = 35,
  maximum_qos = 36,
  retain_available = 37,
  maximum_packet_size = 39,
  subscription_identifiers_available = 41,
};

// The properties that are numbers; texts are checked, and not kept.
class Properties {
 public:
  struct Property {
    PropertyId id;
    std::uint32_t value;
  };

  // The first one.
  std::optional<std::uint32_t> find(PropertyId id) const;
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }
  void add(PropertyId id, std::uint32_t value) { all_.push_back({id, value}); }

 private:
  boost::container::small_vector<Property, 8> all_;
};

// `packet`: the type of the packet, 2 for CONNACK. Fails if a property is unknown, is not one of such packets, is there
// twice, or has no valid value; the message says so.
base::Result<Properties> read_properties(ByteReader& in, int packet);

}  // namespace hearth::integrations::mqtt
