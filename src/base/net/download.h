// SPDX-License-Identifier: Apache-2.0
// Downloads a text from an address, over http or https. Any thread that may wait.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

#include "base/result.h"

namespace hearth::base {

constexpr std::chrono::seconds kDownloadTime{15};
constexpr std::size_t kMaxDownload = 1 << 20;  // bytes

// By the rules of base/net/outward_request.h; follows up to 5 redirections and gives up when `stopping` becomes true.
// Fails with invalid if that is no address or the text is larger than kMaxDownload, with unavailable if it does not
// come.
Result<std::string> download(const std::string& url, std::uint16_t own_port, const std::atomic<bool>& stopping);

}  // namespace hearth::base
