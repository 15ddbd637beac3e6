// SPDX-License-Identifier: Apache-2.0
// Renders templates for clients. A rendering has kQuick on the worker's thread. If it takes longer, it begins again,
// with its whole limit, on the thread `templates`, where renderings take turns: they use one core at most, and delay no
// other client.
#pragma once

#include <algorithm>
#include <chrono>

#include "api/parts.h"
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

}  // namespace hearth::api
