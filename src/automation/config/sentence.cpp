// SPDX-License-Identifier: Apache-2.0
#include "automation/config/sentence.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "template/values/text.h"

namespace hearth::automation {
namespace {

constexpr std::string_view kPunctuation[] = {".",  ",",  "!",  "?", ";", ":", "。", "、",
                                             "，", "！", "？", "¿", "¡", "؟", "\""};

}  // namespace

class Sentence::Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  base::Result<Parts> parse() {
    auto parts = alternative(0);
    if (!error_.empty()) return base::fail(base::ErrorCode::invalid, error_);
    if (at_ < text_.size()) return base::fail(base::ErrorCode::invalid, fmt::format("{} closes nothing", text_[at_]));
    return parts;
  }

 private:
  static constexpr int kMaxDepth = 16;

  void fail(std::string message) {
    if (error_.empty()) error_ = std::move(message);
    at_ = text_.size();
  }

  // Up to what ends it.
  Parts alternative(int depth) {
    Parts parts;
    if (depth > kMaxDepth) fail(fmt::format("more than {} brackets within each other", kMaxDepth));
    while (at_ < text_.size() && !std::string_view("|])}").contains(text_[at_])) {
      const char c = text_[at_];
      if (c == '[' || c == '(') {
        parts.push_back(group(c == '[', depth));
      } else if (c == '{') {
        parts.push_back(slot());
      } else {
        add_text(parts);
      }
    }
    return parts;
  }

  Part group(bool optional, int depth) {
    const char open = text_[at_++], close = optional ? ']' : ')';
    Part part{Part::Kind::group};
    part.alternatives.push_back(alternative(depth + 1));
    while (at_ < text_.size() && text_[at_] == '|') {
      ++at_;
      part.alternatives.push_back(alternative(depth + 1));
    }
    if (at_ >= text_.size() || text_[at_] != close)
      fail(fmt::format("{} is not closed by {}", open, close));
    else
      ++at_;
    if (optional) part.alternatives.emplace_back();
    return part;
  }

  Part slot() {
    const std::size_t end = text_.find('}', at_);
    if (end == std::string_view::npos) {
      fail("{ is not closed by }");
      return {Part::Kind::slot};
    }
    // Of `{list:name}` the name counts.
    std::string_view name = text_.substr(at_ + 1, end - at_ - 1);
    name.remove_prefix(name.rfind(':') == std::string_view::npos ? 0 : name.rfind(':') + 1);
    at_ = end + 1;
    const bool is_name = !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
      return std::isalnum(c) || c == '_' || c >= 0x80;
    });
    if (!is_name) fail("expected a name within { and }");
    return {Part::Kind::slot, std::string(name)};
  }

  void add_text(Parts& parts) {
    const std::size_t end = std::min(text_.find_first_of("|[](){}", at_), text_.size());
    const std::string_view raw = text_.substr(at_, end - at_);
    at_ = end;
    const std::string words = normalized(raw);
    const auto blank = [&](bool there) {
      if (there && (parts.empty() || parts.back().kind != Part::Kind::blank)) parts.push_back({Part::Kind::blank});
    };
    blank(raw.front() == ' ');
    for (std::size_t from = 0; from < words.size();) {
      const std::size_t to = std::min(words.find(' ', from), words.size());
      blank(from > 0);
      parts.push_back({Part::Kind::text, words.substr(from, to - from)});
      from = to + 1;
    }
    blank(raw.back() == ' ');
  }

  const std::string_view text_;
  std::size_t at_ = 0;
  std::string error_;
};

// Tries the ways to read the text, one after the other; a slot takes as few words as it can.
class Sentence::Matcher {
 public:
  explicit Matcher(std::string_view text) : text_(text) {}

  std::optional<Slots> match(const Parts& parts) {
    if (!rest(parts, 0, 0, [this](std::size_t at) { return at == text_.size(); })) return {};
    return std::move(slots_);
  }

 private:
  using Then = std::function<bool(std::size_t at)>;

  // True if parts from `next` on fit from `at` on, and what comes after them, too.
  bool rest(const Parts& parts, std::size_t next, std::size_t at, const Then& then) {
    if (++tries_ > kMaxTries) return false;
    if (next == parts.size()) return then(at);
    const Part& part = parts[next];
    const Then go_on = [&](std::size_t end) { return rest(parts, next + 1, end, then); };
    switch (part.kind) {
      case Part::Kind::text:
        return text_.substr(at).starts_with(part.text) && go_on(at + part.text.size());
      case Part::Kind::blank:
        if (at < text_.size() && text_[at] == ' ') return go_on(at + 1);
        return (at == 0 || at == text_.size() || text_[at - 1] == ' ') && go_on(at);
      case Part::Kind::group:
        return std::ranges::any_of(part.alternatives, [&](const Parts& each) { return rest(each, 0, at, go_on); });
      case Part::Kind::slot:
        return slot(part.text, at, go_on);
    }
    return false;
  }

  // Whole words.
  bool slot(const std::string& name, std::size_t at, const Then& then) {
    if (at >= text_.size() || text_[at] == ' ') return false;
    for (std::size_t end = at; end < text_.size();) {
      end = std::min(text_.find(' ', end + 1), text_.size());
      slots_.emplace_back(name, std::string(text_.substr(at, end - at)));
      if (then(end)) return true;
      slots_.pop_back();
      if (tries_ > kMaxTries) return false;
    }
    return false;
  }

  const std::string_view text_;
  std::size_t tries_ = 0;
  Slots slots_;
};

std::string Sentence::normalized(std::string_view text) {
  std::string plain = templates::lower_text(text);
  for (const std::string_view mark : kPunctuation) {
    for (std::size_t at = 0; (at = plain.find(mark, at)) != std::string::npos;) plain.erase(at, mark.size());
  }
  std::string words;
  for (const char c : plain) {
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!blank)
      words += c;
    else if (!words.empty() && words.back() != ' ')
      words += ' ';
  }
  if (words.ends_with(' ')) words.pop_back();
  return words;
}

base::Result<Sentence> Sentence::parse(std::string_view text) {
  if (text.size() > kMaxBytes)
    return base::fail(base::ErrorCode::invalid, fmt::format("is longer than {} bytes", kMaxBytes));
  if (normalized(text).empty()) return base::fail(base::ErrorCode::invalid, "expected a sentence");
  auto parts = Parser(text).parse();
  if (!parts) return std::unexpected(std::move(parts.error()));
  Sentence made;
  made.text_ = text;
  made.parts_ = std::make_shared<const Parts>(std::move(*parts));
  return made;
}

std::optional<Sentence::Slots> Sentence::match(std::string_view normalized) const {
  if (normalized.size() > kMaxBytes) return {};
  return Matcher(normalized).match(*parts_);
}

}  // namespace hearth::automation
