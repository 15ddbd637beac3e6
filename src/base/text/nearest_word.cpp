// SPDX-License-Identifier: Apache-2.0
#include "base/text/nearest_word.h"

#include <algorithm>
#include <vector>

namespace hearth::base {
namespace {

constexpr std::size_t kMaxLength = 64;

char folded(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// The optimal string alignment distance.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = folded(a[i - 1]) == folded(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && folded(a[i - 1]) == folded(b[j - 2]) && folded(a[i - 2]) == folded(b[j - 1])) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

}  // namespace

std::optional<std::string_view> nearest_word(std::string_view typed, std::span<const std::string_view> words) {
  if (typed.size() > kMaxLength) return {};
  std::optional<std::string_view> nearest;
  std::size_t least = std::max<std::size_t>(typed.size() / 3, 1) + 1;
  for (const std::string_view word : words) {
    if (word.size() > kMaxLength) continue;
    const std::size_t changes = distance(typed, word);
    if (changes >= least || changes >= word.size()) continue;
    least = changes;
    nearest = word;
  }
  return nearest;
}

}  // namespace hearth::base
