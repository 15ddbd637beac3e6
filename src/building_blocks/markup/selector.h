// SPDX-License-Identifier: Apache-2.0
// A CSS selector: tags, *, #id, .class, [attribute] with =, ~=, |=, ^=, $= and *=, :nth-child(), :nth-of-type(),
// :first-child, :last-child, :first-of-type; descendants, >, + and ~ between them, and several with commas. Looks once
// at each element, however deep the document is. Immutable; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "building_blocks/markup/document.h"

namespace hearth::building_blocks {

class Selector {
 public:
  static constexpr std::size_t kMostParts = 32;     // between two commas: a b > c has three
  static constexpr std::size_t kMostBranches = 16;  // commas and one

  // Fails with invalid; the message says at which byte.
  static base::Result<Selector> parse(std::string_view text);

  // The element with this index among those that are selected, in the order of the document; from the end if negative.
  // Null if there are fewer.
  const xmlNode* find(const Document& document, std::int64_t index) const;

  struct Attribute {
    enum class How { present, equal, word, language, begins, ends, contains };
    std::string name, value;
    How how = How::present;
    bool any_case = false;
  };
  // True for those whose number among their siblings, from 1, is step * n + first for an n from 0.
  struct Nth {
    std::int64_t step = 0, first = 1;
    bool of_type = false;

    bool has(std::int64_t number) const;
  };
  struct Part {
    enum class After { start, descendant, child, next, later };  // how it follows the part before
    After after = After::start;
    std::string tag, id;  // the tag in lower case; empty: any
    std::vector<std::string> classes;
    std::vector<Attribute> attributes;
    std::vector<Nth> nths;
    bool is_last_child = false;
  };
  using Branch = std::vector<Part>;

 private:
  std::vector<Branch> branches_;
};

}  // namespace hearth::building_blocks
