// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/connection/posix_time_zone.h"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace hearth::integrations::esphome {

std::string posix_time_zone(const std::string& zone) {
  constexpr std::size_t kMaxFile = 64 * 1024, kMaxRule = 100;
  if (zone.empty() || zone.front() == '/' || zone.contains("..")) return {};
  std::ifstream file(std::filesystem::path("/usr/share/zoneinfo") / zone, std::ios::binary);
  std::string text(kMaxFile, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (!text.starts_with("TZif") || !text.ends_with('\n')) return {};
  text.pop_back();
  const auto start = text.rfind('\n');
  if (start == std::string::npos || text.size() - start > kMaxRule) return {};
  return text.substr(start + 1);
}

}  // namespace hearth::integrations::esphome
