// SPDX-License-Identifier: Apache-2.0
// Looks at the running home for people who ask the hub: as `hearth doctor` does, one at a time.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>

#include "api/system/doctor.h"
#include "app/settings/settings.h"
#include "base/threads/task_thread.h"
#include "core/hub.h"

namespace hearth::app {

class Doctor final : public api::Doctor {
 public:
  static constexpr std::size_t kMostWaiting = 4;

  using Load = std::function<base::Result<Settings>()>;

  // The hub must outlive it. `http` is in force, whatever the files say by now.
  Doctor(std::filesystem::path folder, const core::Hub& hub, const HttpSettings& http, Load load)
      : folder_(std::move(folder)), hub_(hub), http_(http), load_(std::move(load)) {}
  ~Doctor() override { stop(); }
  // Once what runs has ended, which it does early. Main thread.
  void stop();

  base::Result<void> examine(Done done) override;

 private:
  json::object look() const;

  const std::filesystem::path folder_;
  const core::Hub& hub_;
  const HttpSettings http_;
  const Load load_;
  std::atomic<bool> stopping_{false};
  base::TaskThread thread_{"doctor", "hub", {kMostWaiting}};  // begins with the first question
};

}  // namespace hearth::app
