// SPDX-License-Identifier: Apache-2.0
// Finds suggestions in the last weeks of history, one question after the other, on a thread and a connection to the
// history of its own.
#pragma once

#include <functional>
#include <memory>

#include "api/automations/suggestions.h"
#include "app/settings/settings.h"
#include "base/mutex.h"
#include "base/threads/task_thread.h"
#include "core/hub.h"
#include "recorder/recorder.h"

namespace hearth::app {

class SuggestionFinder final : public api::Suggestions {
 public:
  static constexpr std::chrono::days kSpan{28};
  static constexpr std::size_t kMostWaiting = 4;

  using Load = std::function<base::Result<Settings>()>;

  // The hub must outlive it.
  SuggestionFinder(core::Hub& hub, Load load) : hub_(hub), load_(std::move(load)) {}
  ~SuggestionFinder() override { stop(); }
  // Once what runs has ended. Main thread.
  void stop();

  // Before the first question; the recorder must outlive this.
  void use(const recorder::Recorder& recorder) { recorder_ = &recorder; }

  base::Result<void> find(SearchPtr search, Progress progress, Found found) override;

 private:
  base::Result<json::object> answer(const Search& search, const Progress& progress) const;

  core::Hub& hub_;
  const Load load_;
  const recorder::Recorder* recorder_ = nullptr;
  std::atomic<bool> stopping_{false};
  base::TaskThread thread_{"suggestions", "automation", {kMostWaiting}};  // begins with the first question
};

}  // namespace hearth::app
