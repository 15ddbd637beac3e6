// SPDX-License-Identifier: Apache-2.0
#include "app/services/camera_services.h"

#include <fmt/format.h>

#include <algorithm>

#include "backup/file.h"
#include "base/random_id.h"
#include "base/text/utf8.h"
#include "domains/entities/domain_services.h"
#include "domains/entities/kinds.h"

namespace hearth::app {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;
using base::Result;

constexpr std::size_t kMaxName = 200, kMaxFolders = 4;

bool is_hidden_or_odd(std::string_view part) {
  return part.empty() || part.front() == '.' || std::ranges::any_of(part, [](char c) {
           return static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '\\';
         });
}

// True if the folder may hold that many bytes more, if `file` is written anew.
Result<void> check_room(const fs::path& folder, const fs::path& file, std::uint64_t bytes) {
  std::uint64_t files = 1;
  std::error_code error;
  for (fs::recursive_directory_iterator next(folder, error), end; !error && next != end; next.increment(error)) {
    if (!next->is_regular_file(error) || next->path() == file) continue;
    bytes += next->file_size(error);
    ++files;
    if (files > CameraServices::kMaxFiles) break;
  }
  if (error)
    return base::fail(ErrorCode::unavailable, fmt::format("{} cannot be read: {}", folder.string(), error.message()));
  if (files > CameraServices::kMaxFiles || bytes > CameraServices::kMaxBytes) {
    return base::fail(ErrorCode::full, fmt::format("{} is full: {} files or {} MiB are the limit.", folder.string(),
                                                   CameraServices::kMaxFiles, CameraServices::kMaxBytes >> 20));
  }
  const fs::space_info disk = fs::space(folder, error);
  if (!error && disk.available < backup::kSpareRoom)
    return base::fail(ErrorCode::full, fmt::format("The disk of {} is full.", folder.string()));
  return {};
}

// Puts the file in its place as a whole.
Result<void> write(const fs::path& folder, const fs::path& file, const core::Picture& picture) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error) {
    return base::fail(ErrorCode::unavailable,
                      fmt::format("{} cannot be made: {}", file.parent_path().string(), error.message()));
  }
  if (auto room = check_room(folder, file, picture.bytes.size()); !room) return room;
  const fs::path partial = file.parent_path() / ("." + base::make_random_id() + ".partial");
  const auto written = [&]() -> Result<void> {
    auto to = backup::File::create(partial);
    if (!to) return std::unexpected(to.error());
    return to->write(picture.bytes);
  }();
  if (written) fs::rename(partial, file, error);
  if (written && !error) return {};
  std::error_code ignored;
  fs::remove(partial, ignored);
  if (!written) return written;
  return base::fail(ErrorCode::unavailable, fmt::format("{} cannot be written: {}", file.string(), error.message()));
}

}  // namespace

Result<fs::path> snapshot_path(std::string_view filename) {
  const fs::path path(filename);
  const auto wrong = [&] {
    return base::fail(ErrorCode::invalid,
                      fmt::format("filename: expected a file within the folder {}, such as door/today.jpg, got \"{}\"",
                                  kSnapshotFolder, base::utf8_excerpt(filename)));
  };
  if (filename.size() > kMaxName || path.is_absolute() || filename.ends_with('/')) return wrong();
  if (std::distance(path.begin(), path.end()) > static_cast<std::ptrdiff_t>(kMaxFolders + 1)) return wrong();
  if (path.empty() || std::ranges::any_of(path, [](const fs::path& part) { return is_hidden_or_odd(part.string()); }))
    return wrong();
  return path;
}

CameraServices::CameraServices(core::Hub& hub, const fs::path& folder) : hub_(hub), folder_(folder / kSnapshotFolder) {}

void CameraServices::add() {
  service_ = hub_.services.add(
      domains::describe(domains::kCamera, domains::kCamera.services.front()),
      [this](const core::ServiceCall& call, core::ServiceReply reply) { snapshot(call, std::move(reply)); });
}

void CameraServices::snapshot(const core::ServiceCall& call, core::ServiceReply reply) {
  const auto path = snapshot_path(call.data().at("filename").get_string());
  if (!path) return reply(std::unexpected(path.error()));
  if (call.entity_ids().empty()) return reply(json::value());
  if (call.entity_ids().size() > 1) {
    return reply(base::fail(ErrorCode::invalid, fmt::format("entity_id: expected one camera for one file, got {}",
                                                            call.entity_ids().size())));
  }
  const std::string& entity_id = call.entity_ids().front();
  const auto registry = hub_.registry.snapshot();
  const core::RegisteredEntity* const registered = registry->entities.find(entity_id);
  core::PicturePtr picture = registered ? hub_.pictures.find(registered->id) : nullptr;
  if (!picture) return reply(base::fail(ErrorCode::unavailable, fmt::format("{} shows no picture.", entity_id)));

  thread_.start();
  const auto answer = std::make_shared<core::ServiceReply>(std::move(reply));
  const bool posted = thread_.post([this, file = folder_ / *path, picture = std::move(picture), answer] {
    hub_.bus.post([answer, done = write(folder_, file, *picture)] {
      if (done)
        (*answer)(json::value());
      else
        (*answer)(std::unexpected(done.error()));
    });
  });
  if (!posted) (*answer)(base::fail(ErrorCode::unavailable, "Too many pictures wait to be written."));
}

}  // namespace hearth::app
