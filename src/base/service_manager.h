// SPDX-License-Identifier: Apache-2.0
// Tells the service manager that started this process how it does, by the protocol of sd_notify(3): datagrams of
// KEY=value lines to the socket that $NOTIFY_SOCKET names. Without such a socket, nothing happens. Any thread.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace hearth::base {

// Such as `READY=1`, or several lines. False if nobody listens or the datagram could not be sent; it does not wait.
bool notify_service_manager(std::string_view lines) noexcept;

// How long the service manager waits for a WATCHDOG=1 before it ends this process; null if it does not wait for any.
std::optional<std::chrono::microseconds> watchdog_time();

}  // namespace hearth::base
