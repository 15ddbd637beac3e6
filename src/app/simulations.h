// SPDX-License-Identifier: Apache-2.0
// Runs `hearth automation replay` and `hearth automation test` for people who ask the hub: in a process of their own,
// one at a time, for at most ten minutes. So an expensive automation or a long history does not slow the hub.
#pragma once

#include <atomic>
#include <filesystem>

#include "api/automations/simulations.h"
#include "base/threads/own_process.h"
#include "base/threads/task_thread.h"
#include "core/hub.h"

namespace hearth::app {

class Simulations final : public api::Simulations {
 public:
  static constexpr std::size_t kMostWaiting = 4;
  static constexpr std::size_t kMostDifferences = 1'000;  // that are told one by one
  static constexpr std::chrono::minutes kLongest{10};

  // The hub must outlive it.
  Simulations(std::filesystem::path folder, const core::Hub& hub) : folder_(std::move(folder)), hub_(hub) {}
  // Ends what is under way.
  ~Simulations() override { stop(); }
  // Once what runs has ended. Main thread.
  void stop();

  base::Result<std::shared_ptr<void>> begin(const Question& question, Progress progress, Done done) override;

 private:
  struct Asked;
  base::Result<base::OwnProcess> process_of(const Question& question) const;
  void answer(Asked& asked);

  const std::filesystem::path folder_;
  const core::Hub& hub_;
  std::atomic<bool> stopping_{false};
  base::TaskThread thread_{"simulations", "automation", {kMostWaiting}};  // begins with the first
};

}  // namespace hearth::app
