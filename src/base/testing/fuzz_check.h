// SPDX-License-Identifier: Apache-2.0
// For fuzzers (x_fuzz.cpp): assertions that hold for every input. A failed one ends the program, and libFuzzer keeps
// the input.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "base/text/utf8.h"

namespace hearth::base {

inline void must(bool holds, std::string_view what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

inline void must_equal(std::string_view one, std::string_view other, std::string_view what) {
  if (one == other) return;
  std::fprintf(stderr, "---- one\n%.*s\n---- other\n%.*s\n----\n", static_cast<int>(one.size()), one.data(),
               static_cast<int>(other.size()), other.data());
  must(false, what);
}

// A client's string that is passed on must be UTF-8 without control characters.
inline void must_be_plain(std::string_view text, std::string_view what) {
  must(utf8_length(text).has_value(), what);
  for (const char c : text) must(static_cast<unsigned char>(c) >= 0x20 && c != 0x7F, what);
}

inline std::string_view fuzz_text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace hearth::base
