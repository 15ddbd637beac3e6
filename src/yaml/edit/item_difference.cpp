// SPDX-License-Identifier: Apache-2.0
#include "yaml/edit/item_difference.h"

#include <fmt/format.h>

#include <algorithm>

namespace hearth::yaml {
namespace {

using Kind = ItemDifference::Kind;

constexpr std::size_t kMostAligned = 200;  // longer lists are compared place by place

struct Comparison {
  std::vector<ItemDifference> found;

  void add(const std::string& path, Kind kind) {
    if (found.size() < kMostDifferences) found.push_back({path, kind});
  }

  void compare(const std::string& path, const json::value& before, const json::value& after) {
    if (before == after) return;
    if (before.is_object() && after.is_object() && (path.empty() || alike(before.get_object(), after.get_object())))
      return compare_maps(path, before.get_object(), after.get_object());
    if (before.is_array() && after.is_array()) return compare_lists(path, before.get_array(), after.get_array());
    add(path, Kind::changed);
  }

  // True if something stayed; otherwise one took the place of the other.
  static bool alike(const json::object& before, const json::object& after) {
    return std::ranges::any_of(before, [&](const auto& entry) {
      const json::value* const now = after.if_contains(entry.key());
      return now && *now == entry.value();
    });
  }

  void compare_maps(const std::string& path, const json::object& before, const json::object& after) {
    const auto within = [&](std::string_view key) {
      return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
    };
    for (const auto& [key, value] : before) {
      if (const json::value* const now = after.if_contains(key))
        compare(within(key), value, *now);
      else
        add(within(key), Kind::removed);
    }
    for (const auto& [key, value] : after)
      if (!before.contains(key)) add(within(key), Kind::added);
  }

  // Equal items of both lists stay; of the items between, one takes the place of the other.
  void compare_lists(const std::string& path, const json::array& before, const json::array& after) {
    std::size_t i = 0, j = 0;
    const auto upto = [&](std::size_t k, std::size_t l) {
      for (; i < k && j < l; ++i, ++j) compare(fmt::format("{}[{}]", path, j), before[i], after[j]);
      for (; i < k; ++i) add(fmt::format("{}[{}]", path, i), Kind::removed);
      for (; j < l; ++j) add(fmt::format("{}[{}]", path, j), Kind::added);
    };
    for (const auto& [k, l] : common(before, after)) {
      upto(k, l);
      ++i, ++j;
    }
    upto(before.size(), after.size());
  }

  // The places of a longest common subsequence.
  static std::vector<std::pair<std::size_t, std::size_t>> common(const json::array& before, const json::array& after) {
    const std::size_t n = before.size(), m = after.size();
    if (n > kMostAligned || m > kMostAligned) return {};
    std::vector<std::vector<std::size_t>> length(n + 1, std::vector<std::size_t>(m + 1));
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t j = m; j-- > 0;)
        length[i][j] = before[i] == after[j] ? length[i + 1][j + 1] + 1 : std::max(length[i + 1][j], length[i][j + 1]);
    }
    std::vector<std::pair<std::size_t, std::size_t>> places;
    for (std::size_t i = 0, j = 0; i < n && j < m;) {
      if (before[i] == after[j])
        places.emplace_back(i++, j++);
      else if (length[i + 1][j] >= length[i][j + 1])
        ++i;
      else
        ++j;
    }
    return places;
  }
};

}  // namespace

std::vector<ItemDifference> differences(const json::value& before, const json::value& after) {
  Comparison comparison;
  comparison.compare("", before, after);
  return std::move(comparison.found);
}

std::string_view to_text(ItemDifference::Kind kind) {
  return kind == Kind::added ? "added" : kind == Kind::removed ? "removed" : "changed";
}

}  // namespace hearth::yaml
