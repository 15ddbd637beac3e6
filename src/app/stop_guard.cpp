// SPDX-License-Identifier: Apache-2.0
#include "app/stop_guard.h"

#include <condition_variable>
#include <cstdlib>
#include <mutex>

#include "base/log/log.h"

namespace hearth::app {
namespace {

constexpr std::chrono::milliseconds kLogTime{100};

}  // namespace

StopGuard::StopGuard(std::chrono::milliseconds patience, std::function<void()> last)
    : thread_([patience, last = std::move(last)](const std::stop_token& over) {
        std::mutex mutex;
        std::condition_variable_any ended;
        std::unique_lock lock(mutex);
        ended.wait_for(lock, over, patience, [] { return false; });
        if (over.stop_requested()) return;  // its answer does not tell a stop from the end of its patience
        base::log_error("hub", "the hub does not stop in time, because something blocks it: the process ends now");
        last();
        base::await_log(kLogTime);
        std::_Exit(1);
      }) {}

}  // namespace hearth::app
