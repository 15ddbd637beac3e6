// SPDX-License-Identifier: Apache-2.0
#include "app/settings/config_folder.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace hearth::app {
namespace {

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

}  // namespace

base::Result<std::filesystem::path> config_folder(const std::string& option) {
  std::filesystem::path folder = option;
  if (folder.empty()) folder = environment("HEARTH_CONFIG");
  if (const std::string home = environment("HOME"); folder.empty() && !home.empty()) {
    folder = std::filesystem::path(home) / ".config" / "hearth";
  }
  if (folder.empty()) {
    return base::fail(base::ErrorCode::invalid,
                      "There is no home folder to look in; name the configuration folder with --config.");
  }
  std::error_code error;
  auto absolute = std::filesystem::absolute(folder, error);
  if (error) return base::fail(base::ErrorCode::unavailable, fmt::format("{}: {}.", folder.string(), error.message()));
  return absolute.lexically_normal();
}

base::Result<void> make_config_folder(const std::filesystem::path& folder) {
  const auto failed = [&](const std::error_code& error) {
    return base::fail(base::ErrorCode::unavailable,
                      fmt::format("The folder {} cannot be made: {}.", folder.string(), error.message()));
  };
  std::error_code error;
  if (std::filesystem::is_directory(folder, error)) return {};
  if (const auto parent = folder.parent_path(); !std::filesystem::create_directories(parent, error) && error) {
    return failed(error);
  }
  if (::mkdir(folder.c_str(), 0700) != 0) {
    const std::error_code reason(errno, std::generic_category());
    // Another process may have created it first.
    if (!std::filesystem::is_directory(folder, error)) return failed(reason);
  }
  return {};
}

}  // namespace hearth::app
