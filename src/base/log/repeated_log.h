// SPDX-License-Identifier: Apache-2.0
// Logs what comes again less and less often: the first, the 2nd, 4th, 8th and so on. One thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace hearth::base {

class RepeatedLog {
 public:
  static constexpr std::size_t kMost = 1'000;  // different ones that are counted; then it begins anew
  static constexpr std::size_t kMaxKey = 200;  // bytes; what differs only after them is the same

  enum class Severity { warning, error };

  // Under this component of the log; the text must outlive it.
  explicit RepeatedLog(std::string_view component) : component_(component) {}

  // "item: text".
  void log(std::string_view item, std::string_view text, Severity severity = Severity::warning);
  // Lines with one key count as the same, whatever they say.
  void log_as(std::string_view key, std::string line, Severity severity = Severity::warning);
  // How often lines whose keys begin so have come.
  std::uint64_t count(std::string_view begin) const;

 private:
  std::string_view component_;
  std::unordered_map<std::string, std::uint64_t> counts_;  // by key
};

}  // namespace hearth::base
