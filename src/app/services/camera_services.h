// SPDX-License-Identifier: Apache-2.0
// camera.snapshot: writes a camera's picture into a file below the folder snapshots/ of the home's folder.
//
// Files are written on a thread that starts with the first one. At most kMaxWaiting wait, further ones are refused; the
// folder holds at most kMaxFiles files of kMaxBytes together.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "base/result.h"
#include "base/threads/task_thread.h"
#include "core/hub.h"

namespace hearth::app {

constexpr std::string_view kSnapshotFolder = "snapshots";

// The file within the folder; `filename` is relative to it, with folders of its own or without. Fails with invalid if
// it leads out of the folder, is hidden, or is longer than 200 bytes.
base::Result<std::filesystem::path> snapshot_path(std::string_view filename);

class CameraServices {
 public:
  static constexpr std::size_t kMaxWaiting = 8, kMaxFiles = 1'000;
  static constexpr std::uint64_t kMaxBytes = 256 << 20;

  // The hub must outlive this. `folder` is the home's.
  CameraServices(core::Hub& hub, const std::filesystem::path& folder);

  void add();

 private:
  void snapshot(const core::ServiceCall& call, core::ServiceReply reply);

  core::Hub& hub_;
  const std::filesystem::path folder_;
  core::Registration service_;
  base::TaskThread thread_{"snapshots", "camera", {kMaxWaiting}};
};

}  // namespace hearth::app
