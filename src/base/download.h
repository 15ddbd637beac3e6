// SPDX-License-Identifier: Apache-2.0
// A text from an address, over http or https. Any thread that may wait.
#pragma once

#include <atomic>
#include <chrono>
#include <string>

#include "base/result.h"

namespace hearth::base {

constexpr std::chrono::seconds kDownloadTime{15};
constexpr std::size_t kMaxDownload = 1 << 20;  // bytes

// Follows up to 5 redirections, and sends neither passwords nor cookies; gives up when `stopping` becomes true. Fails
// with invalid if that is no address or the text is larger than kMaxDownload, with unavailable if it does not come.
Result<std::string> download(const std::string& url, const std::atomic<bool>& stopping);

}  // namespace hearth::base
