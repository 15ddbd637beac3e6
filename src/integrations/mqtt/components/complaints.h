// SPDX-License-Identifier: Apache-2.0
// Logs errors in the messages of devices: each cause once, and again when it has occurred 10, 100, 1,000 times. Bus
// thread only.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace hearth::integrations::mqtt {

class Complaints {
 public:
  static constexpr std::size_t kMaxCauses = 1'000;  // beyond, new ones are not logged, and one line says so

  // `who`: the entity or topic; `what`: its key or part that is wrong, which makes the cause together with `who`.
  void note(std::string_view who, std::string_view what, std::string_view message);
  // The device has gone, or is another now.
  void forget(std::string_view who);

 private:
  std::map<std::string, std::uint64_t, std::less<>> counts_;  // by who, a tab and what
  bool full_ = false;                                         // and said so
};

}  // namespace hearth::integrations::mqtt
