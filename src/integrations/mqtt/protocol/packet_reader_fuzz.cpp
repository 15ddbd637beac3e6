// SPDX-License-Identifier: Apache-2.0
// Any bytes as a broker may send them, with MQTT 5 if the first byte is even: the same packets however they are cut,
// topics that are texts, payloads that have come.
#include <string>

#include "base/testing/fuzz_check.h"
#include "integrations/mqtt/protocol/packet_text_for_test.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace base = hearth::base;
  namespace mqtt = hearth::integrations::mqtt;
  if (size == 0) return 0;
  const mqtt::Protocol protocol = data[0] % 2 == 0 ? mqtt::Protocol::v5 : mqtt::Protocol::v311;
  const std::string_view bytes = base::fuzz_text(data + 1, size - 1);
  const std::string whole = mqtt::packets_text(protocol, bytes, std::string::npos);
  base::must_equal(whole, mqtt::packets_text(protocol, bytes, 1), "one byte at a time");
  base::must_equal(whole, mqtt::packets_text(protocol, bytes, 7), "seven bytes at a time");
  base::must(whole.size() <= 200 * size + 200, "no more text than packets");

  mqtt::PacketReader reader(protocol);
  reader.put(bytes);
  for (;;) {
    const auto packet = reader.next();
    if (!packet || !*packet) return 0;
    if (const auto* const delivery = std::get_if<mqtt::Delivery>(&**packet)) {
      base::must(base::utf8_length(delivery->topic).value_or(0) > 0, "a topic is a text");
      base::must(delivery->topic.find('\0') == std::string::npos, "a topic has no zero");
      base::must(delivery->payload.size() < size, "a payload has come");
    }
  }
}
