// SPDX-License-Identifier: Apache-2.0
#include "base/process_figures.h"

#include <dirent.h>
#include <sys/resource.h>

#include <charconv>
#include <ctime>
#include <fstream>
#include <string>
#include <string_view>

namespace hearth::base {
namespace {

// The number after `name:` in a line of /proc/self/status, in the unit of that file.
bool read_field(std::string_view line, std::string_view name, std::uint64_t& number) {
  if (!line.starts_with(name) || !line.substr(name.size()).starts_with(':')) return false;
  line.remove_prefix(name.size() + 1);
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return std::from_chars(line.data(), line.data() + line.size(), number).ec == std::errc();
}

std::size_t open_descriptors() {
  DIR* const folder = ::opendir("/proc/self/fd");
  if (!folder) return 0;
  std::size_t entries = 0;
  while (::readdir(folder)) ++entries;
  ::closedir(folder);
  constexpr std::size_t kOthers = 3;  // `.`, `..` and the folder itself
  return entries - std::min(entries, kOthers);
}

}  // namespace

ProcessFigures process_figures() {
  constexpr std::uint64_t kKibibyte = 1024;
  ProcessFigures figures;
  std::ifstream status("/proc/self/status");
  std::uint64_t number = 0;
  for (std::string line; std::getline(status, line);) {
    if (read_field(line, "VmRSS", number)) figures.memory_resident = number * kKibibyte;
    if (read_field(line, "VmHWM", number)) figures.memory_peak = number * kKibibyte;
    if (read_field(line, "VmSize", number)) figures.memory_virtual = number * kKibibyte;
    if (read_field(line, "Threads", number)) figures.threads = number;
  }
  figures.descriptors = open_descriptors();
  rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) figures.max_descriptors = limit.rlim_cur;
  timespec used;
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) == 0) {
    figures.cpu_seconds = static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) / 1e9;
  }
  return figures;
}

}  // namespace hearth::base
