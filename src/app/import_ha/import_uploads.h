// SPDX-License-Identifier: Apache-2.0
// The backups of another hub that clients have sent, kept in <folder>/imports/, a file each: NAME.tar, for the owner of
// the folder alone. At most kMostKept; the oldest goes.
//
// The work is done on a thread of their own, on which callbacks run, too. Queue: at most kMostTasks tasks wait.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/imports/imports.h"
#include "base/clock.h"
#include "base/threads/task_thread.h"

namespace hearth::app {

class ImportUploads {
 public:
  static constexpr std::size_t kMostKept = 4;
  static constexpr std::size_t kMostTasks = 64;

  // The clock must outlive this.
  ImportUploads(std::filesystem::path home, const base::Clock& clock) : home_(std::move(home)), clock_(clock) {}
  ~ImportUploads() { stop(); }
  ImportUploads(const ImportUploads&) = delete;
  ImportUploads& operator=(const ImportUploads&) = delete;
  void stop() { thread_.stop(); }

  // Any thread. As api::Imports has it.
  base::Result<std::unique_ptr<api::Imports::Upload>> upload(std::string_view name);
  // Any thread. False, and the task will not run, if too many wait or the hub is ending.
  [[nodiscard]] bool post(base::TaskThread::Task task);

  // Any thread that may read the disk.
  // As `sources` of api::Imports::list, newest first.
  json::array list() const;
  std::filesystem::path file_of(std::string_view name) const;
  bool has(std::string_view name) const;
  // Fails with not_found, unavailable.
  base::Result<void> remove(const std::string& name) const;
  // Removes the folders that killed dry runs have left; none may be under way.
  void remove_looks() const;
  // The same, and what an upload has left that a hub did not end. No upload may be under way, either.
  void remove_leftovers() const;

 private:
  class Receiving;
  struct Kept {
    std::filesystem::path file;
    std::filesystem::file_time_type written;
  };
  std::filesystem::path folder() const;
  std::vector<Kept> kept() const;  // newest first
  std::string free_name() const;
  json::object described(const std::filesystem::path& file) const;
  // Into the folder, by this name; empty: one of the time.
  base::Result<json::object> keep(const std::filesystem::path& received, std::string name);

  const std::filesystem::path home_;
  const base::Clock& clock_;
  std::atomic<bool> uploading_{false};
  base::TaskThread thread_{"imports", "import", {kMostTasks}};  // begins with the first task
};

}  // namespace hearth::app
