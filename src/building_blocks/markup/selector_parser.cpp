// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "building_blocks/markup/selector.h"
#include "building_blocks/text_template.h"
#include "core/values/entity_id.h"

namespace hearth::building_blocks {
namespace {

using Part = Selector::Part;
using How = Selector::Attribute::How;

class SelectorReader {
 public:
  explicit SelectorReader(std::string_view text) : text_(text) {}

  base::Result<std::vector<Selector::Branch>> read() {
    std::vector<Selector::Branch> branches;
    do {
      if (branches.size() == Selector::kMostBranches) return wrong("fewer commas");
      auto branch = read_branch();
      if (!branch) return std::unexpected(branch.error());
      branches.push_back(std::move(*branch));
    } while (take(','));
    if (!at_end()) return wrong("a tag, #id, .class, [attribute], :nth-child(), >, + or ~");
    return branches;
  }

 private:
  bool at_end() const { return at_ == text_.size(); }
  char next() const { return at_end() ? '\0' : text_[at_]; }
  bool take(char wanted) {
    if (next() != wanted || at_end()) return false;
    ++at_;
    return true;
  }
  bool skip_blanks() {
    const std::size_t before = at_;
    while (!at_end() && std::string_view(" \t\r\n\f").contains(next())) ++at_;
    return at_ != before;
  }
  std::unexpected<base::Error> wrong(std::string_view expected) const {
    return base::fail(base::ErrorCode::invalid,
                      fmt::format("the selector cannot be read: expected {} at byte {}", expected, at_));
  }

  // Empty if there is none. A backslash takes the character after it as it is.
  std::string name() {
    std::string made;
    while (!at_end()) {
      const char c = next();
      const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                         c == '_' || static_cast<unsigned char>(c) >= 0x80;
      if (!plain && (c != '\\' || at_ + 1 == text_.size())) break;
      if (!plain) ++at_;
      made += text_[at_++];
    }
    return made;
  }

  base::Result<Selector::Branch> read_branch() {
    Selector::Branch branch;
    skip_blanks();
    auto after = Part::After::start;
    while (true) {
      if (branch.size() == Selector::kMostParts) return wrong("fewer parts");
      auto part = read_part();
      if (!part) return std::unexpected(part.error());
      part->after = after;
      branch.push_back(std::move(*part));
      const bool blank = skip_blanks();
      if (at_end() || next() == ',') return branch;
      after = take('>')   ? Part::After::child
              : take('+') ? Part::After::next
              : take('~') ? Part::After::later
                          : Part::After::descendant;
      if (after == Part::After::descendant && !blank) return wrong("a blank, >, +, ~ or a comma");
      skip_blanks();
    }
  }

  base::Result<Part> read_part() {
    Part part;
    const std::size_t begin = at_;
    if (!take('*')) part.tag = core::lower_case(name());
    while (!at_end()) {
      if (take('#')) {
        part.id = name();
        if (part.id.empty()) return wrong("an id");
      } else if (take('.')) {
        part.classes.push_back(name());
        if (part.classes.back().empty()) return wrong("a class");
      } else if (take('[')) {
        if (auto read = read_attribute(part); !read) return std::unexpected(read.error());
      } else if (take(':')) {
        if (auto read = read_pseudo(part); !read) return std::unexpected(read.error());
      } else {
        break;
      }
    }
    if (at_ == begin) return wrong("a tag, #id, .class or [attribute]");
    return part;
  }

  base::Result<void> read_attribute(Part& part) {
    Selector::Attribute made;
    skip_blanks();
    made.name = core::lower_case(name());
    if (made.name.empty()) return wrong("the name of an attribute");
    skip_blanks();
    constexpr std::pair<char, How> kSigns[] = {
        {'~', How::word}, {'|', How::language}, {'^', How::begins}, {'$', How::ends}, {'*', How::contains}};
    const auto sign = std::ranges::find(kSigns, next(), [](const auto& each) { return each.first; });
    if (sign != std::end(kSigns)) ++at_;
    if (take('=')) {
      made.how = sign == std::end(kSigns) ? How::equal : sign->second;
      skip_blanks();
      auto value = read_value();
      if (!value) return std::unexpected(value.error());
      made.value = std::move(*value);
      skip_blanks();
      made.any_case = take('i');
      skip_blanks();
    } else if (sign != std::end(kSigns)) {
      return wrong("=");
    }
    if (!take(']')) return wrong("]");
    part.attributes.push_back(std::move(made));
    return {};
  }

  base::Result<std::string> read_value() {
    for (const char quote : {'"', '\''}) {
      if (!take(quote)) continue;
      const std::size_t end = text_.find(quote, at_);
      if (end == std::string_view::npos) return wrong("the quote that closes the value");
      std::string value(text_.substr(at_, end - at_));
      at_ = end + 1;
      return value;
    }
    std::string value = name();
    if (value.empty()) return wrong("a value");
    return value;
  }

  base::Result<void> read_pseudo(Part& part) {
    const std::size_t begin = at_;
    const std::string said = core::lower_case(name());
    if (said == "first-child" || said == "first-of-type") {
      part.nths.push_back({0, 1, said == "first-of-type"});
      return {};
    }
    if (said == "last-child") {
      part.is_last_child = true;
      return {};
    }
    at_ = said == "nth-child" || said == "nth-of-type" ? at_ : begin;
    if (at_ == begin) return wrong("nth-child, nth-of-type, first-child, last-child or first-of-type");
    if (!take('(')) return wrong("(");
    const std::size_t end = text_.find(')', at_);
    if (end == std::string_view::npos) return wrong(")");
    auto nth = nth_of(text_.substr(at_, end - at_));
    if (!nth) return wrong("a number, odd, even or a form such as 2n+1");
    at_ = end + 1;
    nth->of_type = said == "nth-of-type";
    part.nths.push_back(*nth);
    return {};
  }

  static std::optional<std::int64_t> number_of_text(std::string_view text) {
    if (text.starts_with('+')) text.remove_prefix(1);
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    constexpr std::int64_t kMost = 1'000'000;
    if (error != std::errc() || end != text.data() + text.size() || number > kMost || number < -kMost) return {};
    return number;
  }

  static std::optional<Selector::Nth> nth_of(std::string_view written) {
    std::string text = core::lower_case(written);
    std::erase(text, ' ');
    if (text == "odd") return Selector::Nth{2, 1};
    if (text == "even") return Selector::Nth{2, 0};
    const std::size_t n = text.find('n');
    if (n == std::string::npos) {
      const auto number = number_of_text(text);
      return number ? std::optional(Selector::Nth{0, *number}) : std::nullopt;
    }
    const std::string step = text.substr(0, n), first = text.substr(n + 1);
    const auto of_step = step.empty() || step == "+" ? 1 : step == "-" ? -1 : number_of_text(step);
    const auto of_first = first.empty() ? 0 : number_of_text(first);
    if (!of_step || !of_first) return {};
    return Selector::Nth{*of_step, *of_first};
  }

  const std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

base::Result<Selector> Selector::parse(std::string_view text) {
  auto branches = SelectorReader(text).read();
  if (!branches) return std::unexpected(branches.error());
  Selector made;
  made.branches_ = std::move(*branches);
  return made;
}

}  // namespace hearth::building_blocks
