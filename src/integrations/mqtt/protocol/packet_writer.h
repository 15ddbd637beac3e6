// SPDX-License-Identifier: Apache-2.0
// Appends the packets that the hub sends to the bytes to be sent. Any thread.
//
// `protocol` is not automatic. Topics and filters have been checked.
#pragma once

#include <cstdint>
#include <string>

#include "integrations/mqtt/protocol/options.h"
#include "integrations/mqtt/protocol/outbound.h"
#include "integrations/mqtt/protocol/packets.h"

namespace hearth::integrations::mqtt {

// With the will of the options, and the largest packet that the hub takes. Fails with invalid if the will is too long.
base::Result<void> append_connect(std::string& out, Protocol protocol, const Options& options);
// `id`: if the message has a quality of service above 0.
void append_publish(std::string& out, Protocol protocol, const Publish& message, std::uint16_t id);
// The length of that packet.
std::size_t publish_size(Protocol protocol, const Publish& message);
void append_acknowledgement(std::string& out, Protocol protocol, const Acknowledgement& answer);
// `with_number`: the broker passes on the numbers of filters.
void append_subscribe(std::string& out, Protocol protocol, const Subscribe& order, std::uint16_t id, bool with_number);
void append_unsubscribe(std::string& out, Protocol protocol, const std::string& filter, std::uint16_t id);
void append_ping(std::string& out);
void append_disconnect(std::string& out);

}  // namespace hearth::integrations::mqtt
