// SPDX-License-Identifier: Apache-2.0
// The target of a request: path segments, split first and percent-decoded once, and the query (contract, Every
// endpoint: path segments).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace hearth::http {

class Target {
 public:
  // Origin form (`/api/states?x=1`), absolute form (`http://host/api/`) and `*`. Fails with invalid for %00, control
  // characters, invalid UTF-8, a segment `..`, a stray % in the path, an absolute form without a host.
  base::Result<void> parse(std::string_view text);
  void clear();

  // The host, with the port if any, of the absolute form. Empty in the other forms.
  std::string_view authority() const { return authority_; }

  // `/api/` has two segments, `api` and an empty one; `/api` has one.
  std::size_t size() const { return segments_.size(); }
  std::string_view segment(std::size_t index) const {
    return {path_.data() + segments_[index].start, segments_[index].size};
  }

  // Decoded, with `+` as a space. A parameter may be repeated.
  const std::vector<std::pair<std::string, std::string>>& query() const { return query_; }
  // The first parameter of that name; null if absent.
  std::optional<std::string_view> query(std::string_view name) const;
  bool has_query(std::string_view name) const { return query(name).has_value(); }

 private:
  struct Segment {
    std::size_t start;
    std::size_t size;
  };

  std::string authority_;
  std::string path_;  // all segments, decoded and joined
  std::vector<Segment> segments_;
  std::vector<std::pair<std::string, std::string>> query_;
};

}  // namespace hearth::http
