// SPDX-License-Identifier: Apache-2.0
// Cuts a stream of bytes into telegrams: from a line that begins with `/` to the end of one that begins with `!`. Bytes
// outside of telegrams are skipped. One thread.
//
// Bound: kMaxTelegram bytes of one telegram; a longer one is skipped.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace hearth::integrations::dsmr {

class TelegramReader {
 public:
  static constexpr std::size_t kMaxTelegram = 64 * 1024;

  // Calls `found` for each telegram that is complete now; its text is gone after the call.
  void put(std::string_view bytes, const std::function<void(std::string_view)>& found);
  // Forgets what has come of the present telegram.
  void reset();

  std::uint64_t too_long() const { return too_long_; }  // telegrams
  std::uint64_t cut() const { return cut_; }            // telegrams that another one has followed before their end

 private:
  void put_part(std::string_view part, const std::function<void(std::string_view)>& found);

  std::string text_;
  bool inside_ = false;
  bool at_line_start_ = true;
  bool ending_ = false;  // in the line of the exclamation mark
  std::uint64_t too_long_ = 0, cut_ = 0;
};

}  // namespace hearth::integrations::dsmr
