// SPDX-License-Identifier: Apache-2.0
// Cuts the bytes that a broker sends into packets and checks all of each: type, flags, length, texts, properties. The
// connection's thread only.
//
// Keeps at most one packet of the maximum size, and the bytes that came with its end.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "integrations/mqtt/protocol/options.h"
#include "integrations/mqtt/protocol/packets.h"

namespace hearth::integrations::mqtt {

class PacketReader {
 public:
  // A packet with a message: the largest payload, with a topic and properties. MQTT 5 tells the broker.
  static constexpr std::size_t kLargestPacket = core::MqttBroker::kMaxPayload + 128 * 1024;
  // Any other packet.
  static constexpr std::size_t kLargestControl = 128 * 1024;

  // `protocol`: not automatic.
  explicit PacketReader(Protocol protocol) : protocol_(protocol) {}

  // The bytes that have come.
  void put(std::string_view bytes);
  // The next packet; none before all of it has come. Fails for good if there is something that no broker may send: the
  // message says what. A message that is larger than allowed fails with MQTT 5; before that version, which cannot tell
  // the broker, its payload is dropped.
  base::Result<std::optional<Packet>> next();

 private:
  base::Result<std::optional<Packet>> cut();
  base::Result<std::optional<Packet>> skip(int flags, std::size_t head, std::size_t size);

  const Protocol protocol_;
  std::string buffer_;
  std::size_t begin_ = 0;                   // of what has not been cut
  std::size_t skipping_ = 0;                // bytes that are dropped as they come
  std::optional<DroppedDelivery> skipped_;  // comes when all of it has come
};

}  // namespace hearth::integrations::mqtt
