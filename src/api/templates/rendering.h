// SPDX-License-Identifier: Apache-2.0
// Renders templates for clients. A rendering has kQuick on the worker's thread. If it takes longer, it begins again,
// with its whole limit, on the thread `templates`, where renderings take turns: they use one core at most, and delay no
// other client.
#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>

#include "api/parts.h"
#include "auth/accounts/gate.h"
#include "base/threads/task_thread.h"
#include "template/language/template.h"

namespace hearth::api {

constexpr std::chrono::milliseconds kQuick{5};

// The queues of the thread: answers of POST /api/template, and live templates, each of which waits there once.
enum class RenderingQueue : std::size_t { answers, live };
inline const std::vector<std::size_t> kMostWaitingRenderings{32, 64};

constexpr hearth::templates::Limits quick(hearth::templates::Limits limits) {
  limits.milliseconds = std::min<int>(limits.milliseconds, kQuick.count());
  return limits;
}

// Lets the thread render; without such a thread, as in tests, the caller does. False if too many wait there.
[[nodiscard]] inline bool post_rendering(const Parts& parts, RenderingQueue queue, base::TaskThread::Task render) {
  if (parts.templates) return parts.templates->post(std::move(render), static_cast<std::size_t>(queue));
  render();
  return true;
}

// Charges the processor time that its thread takes while it lives to the token of who wants it rendered.
class TemplateTime {
 public:
  // All must outlive it.
  TemplateTime(auth::Usage& usage, const auth::Gate& gate) : usage_(usage), gate_(gate) {}
  ~TemplateTime() { usage_.charge_template(now() - start_, gate_.use_limits, gate_.clock()); }
  TemplateTime(const TemplateTime&) = delete;
  TemplateTime& operator=(const TemplateTime&) = delete;

 private:
  static base::Duration now() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) +
           std::chrono::duration_cast<base::Duration>(std::chrono::nanoseconds(time.tv_nsec));
  }

  auth::Usage& usage_;
  const auth::Gate& gate_;
  const base::Duration start_ = now();
};

}  // namespace hearth::api
