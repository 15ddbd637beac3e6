// SPDX-License-Identifier: Apache-2.0
// Suggests automations for what people do by hand again and again. The app implements this. Any thread.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string_view>

#include "base/json/json.h"
#include "base/result.h"

namespace hearth::api {

// The collection (core/registry/collection.h) of those that nobody wants to see again, by their ids.
constexpr std::string_view kDismissedSuggestions = "dismissed_suggestion";

class Suggestions {
 public:
  // One question. Whoever asked it sets `over` when the answer is not wanted any more; it then ends soon.
  struct Search {
    std::atomic<bool> over{false};
  };
  using SearchPtr = std::shared_ptr<Search>;
  // Called on a thread that must not be held up: the share that is done, from 0 to 1; and, once, unless it is over,
  // {from, until, suggestions: […]}.
  using Progress = std::function<void(double share)>;
  using Found = std::function<void(base::Result<json::object> answer)>;

  virtual ~Suggestions() = default;

  // One runs at a time. Fails with unavailable if too many wait.
  virtual base::Result<void> find(SearchPtr search, Progress progress, Found found) = 0;
};

}  // namespace hearth::api
