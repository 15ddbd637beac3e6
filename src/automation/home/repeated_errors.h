// SPDX-License-Identifier: Apache-2.0
// Logs an item's repeated errors less and less often: the first, the 2nd, 4th, 8th and so on. Bus thread only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace hearth::automation {

class RepeatedErrors {
 public:
  static constexpr std::size_t kMost = 1'000;  // different ones that are counted; then it begins anew
  static constexpr std::size_t kMaxKey = 200;  // bytes; what differs only after them is the same

  enum class Severity { warning, error };
  void log(std::string_view item, std::string_view text, Severity severity);
  // How often lines that begin so have come.
  std::uint64_t count(std::string_view begin) const;

 private:
  std::unordered_map<std::string, std::uint64_t> counts_;  // by the begin of the line
};

}  // namespace hearth::automation
