// SPDX-License-Identifier: Apache-2.0
// A sentence of a conversation trigger: `turn (on|off) [the] {what}`. `[…]` may be left out, `(…|…)` is one of several,
// `{name}` any words. Case, punctuation and the number of blanks do not count. An immutable value, any thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace hearth::automation {

class Sentence {
 public:
  static constexpr std::size_t kMaxBytes = 1'000;  // of a sentence, and of what is said
  // Ways of reading one text that are tried: further ones count as not fitting.
  static constexpr std::size_t kMaxTries = 100'000;

  // Spoken words, by slot, in the order of the sentence.
  using Slots = std::vector<std::pair<std::string, std::string>>;

  // Fails with invalid; the message says where.
  static base::Result<Sentence> parse(std::string_view text);

  // Null if the text, as normalized() makes it, does not fit.
  std::optional<Slots> match(std::string_view normalized) const;
  const std::string& text() const { return text_; }

  // Lower case, without punctuation, single blanks.
  static std::string normalized(std::string_view text);

 private:
  struct Part;
  using Parts = std::vector<Part>;
  struct Part {
    enum class Kind { text, blank, group, slot } kind;
    std::string text = {};                 // or the slot's name
    std::vector<Parts> alternatives = {};  // of a group; an empty one if it may be left out
  };
  class Parser;
  class Matcher;

  std::string text_;
  std::shared_ptr<const Parts> parts_;
};

}  // namespace hearth::automation
