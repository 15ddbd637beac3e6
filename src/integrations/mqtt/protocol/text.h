// SPDX-License-Identifier: Apache-2.0
// Texts, topics and filters of MQTT (MQTT 5 §1.5.4, §4.7). Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace hearth::integrations::mqtt {

constexpr std::size_t kMaxTextBytes = 65'535;

// Valid in a packet that has come: UTF-8 without U+0000.
bool is_received_text(std::string_view text);
// Valid in a packet that goes out: also without the control characters and noncharacters for which a broker may end the
// connection.
bool is_sent_text(std::string_view text);

// Fails with invalid; the message says what is wrong.
base::Result<void> check_filter(std::string_view filter);
base::Result<void> check_topic(std::string_view topic);
base::Result<void> check_qos(std::int64_t qos);

}  // namespace hearth::integrations::mqtt
