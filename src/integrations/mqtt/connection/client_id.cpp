// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/connection/client_id.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "base/log/log.h"
#include "base/random_id.h"

namespace hearth::integrations::mqtt {
namespace {

constexpr std::string_view kFile = ".mqtt_client_id";  // backup/home_files.cpp leaves it out
constexpr std::string_view kStart = "hearth-";
constexpr std::size_t kIdLength = 16;  // brokers take 23 bytes at least

bool is_own(std::string_view id) {
  return id.size() == kStart.size() + kIdLength && id.starts_with(kStart) &&
         std::ranges::all_of(id.substr(kStart.size()),
                             [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

std::string id_of(std::string_view digits) {
  return fmt::format("{}{}", kStart, digits.substr(0, kIdLength));
}

}  // namespace

std::string own_client_id(const std::string& folder, std::string home_id) {
  const std::filesystem::path path = std::filesystem::path(folder) / kFile;
  std::string kept;
  if (std::ifstream{path} >> kept; is_own(kept)) return kept;
  std::string made = id_of(base::make_random_id());
  if (std::ofstream file(path); file << made << '\n' << std::flush) return made;
  std::erase(home_id, '-');
  base::log_warning(
      "mqtt", "{} cannot be written: the client id is made of the home's id, so copies of this home have the same one",
      path.string());
  return id_of(home_id);
}

}  // namespace hearth::integrations::mqtt
