// SPDX-License-Identifier: Apache-2.0
#include "template/language/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <fmt/format.h>
#include <pcre2.h>

#include <chrono>
#include <list>

#include "template/language/builtins.h"
#include "template/values/text.h"

namespace hearth::templates {
namespace {

constexpr std::uint32_t kMostSteps = 200'000;  // at each place at which a match may begin
constexpr std::size_t kKept = 32;              // compiled patterns of a thread

// Called before each item of the pattern that is tried. Only this bounds the work of runs and of what looks ahead,
// which PCRE2's own limits do not count: between two calls it reads the text once at most.
struct Progress {
  static constexpr int kPerUnit = 8;                      // calls
  static constexpr std::chrono::milliseconds kLooked{1};  // between looks at the clock

  int calls = 0;
  std::chrono::steady_clock::time_point looked = std::chrono::steady_clock::now();

  static int count(pcre2_callout_block*, void* data) noexcept {
    Progress& progress = *static_cast<Progress*>(data);
    if (++progress.calls % kPerUnit == 0 && !may_spend(1)) return PCRE2_ERROR_CALLOUT;
    // Cheaper than the time of the processor.
    const auto now = std::chrono::steady_clock::now();
    if (now - progress.looked < kLooked) return 0;
    progress.looked = now;
    return is_time_left() ? 0 : PCRE2_ERROR_CALLOUT;
  }
};

// PCRE2's other spellings of Python's syntax: \Z is \z.
std::string translated(std::string_view pattern) {
  std::string out;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    out += pattern[i];
    if (pattern[i] != '\\' || i + 1 == pattern.size()) continue;
    ++i;
    out += pattern[i] == 'Z' ? 'z' : pattern[i];
  }
  return out;
}

}  // namespace

struct Regex::Code {
  pcre2_code* code = nullptr;
  pcre2_match_data* data = nullptr;
  pcre2_match_context* context = nullptr;
  ~Code() {
    pcre2_match_context_free(context);
    pcre2_match_data_free(data);
    pcre2_code_free(code);
  }
};

Regex::Regex(std::string_view pattern, bool ignore_case) : code_(std::make_shared<Code>()) {
  const std::string text = translated(pattern);
  int error = 0;
  PCRE2_SIZE offset = 0;
  code_->code = pcre2_compile(
      reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(),
      PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C | PCRE2_AUTO_CALLOUT | (ignore_case ? PCRE2_CASELESS : 0u),
      &error, &offset, nullptr);
  check_time();
  if (!code_->code) {
    char message[160];
    pcre2_get_error_message(error, reinterpret_cast<PCRE2_UCHAR*>(message), sizeof message);
    fail(FailureKind::value, fmt::format("the regular expression is wrong at {}: {}", offset, message));
  }
  code_->data = pcre2_match_data_create_from_pattern(code_->code, nullptr);
  code_->context = pcre2_match_context_create(nullptr);
  pcre2_set_match_limit(code_->context, kMostSteps);
  pcre2_set_depth_limit(code_->context, 10'000);
  pcre2_set_heap_limit(code_->context, 16 * 1024);  // KiB
  std::uint32_t count = 0;
  pcre2_pattern_info(code_->code, PCRE2_INFO_CAPTURECOUNT, &count);
  groups_ = count;
}

std::shared_ptr<const Regex> Regex::of(std::string_view pattern, bool ignore_case) {
  struct Kept {
    std::string pattern;
    bool ignore_case;
    std::shared_ptr<const Regex> regex;
  };
  thread_local std::list<Kept> kept;
  for (auto it = kept.begin(); it != kept.end(); ++it) {
    if (it->pattern != pattern || it->ignore_case != ignore_case) continue;
    kept.splice(kept.begin(), kept, it);
    return it->regex;
  }
  if (pattern.size() > 4'096) fail(FailureKind::limit, "a regular expression may have at most 4096 bytes");
  charge(100);
  std::shared_ptr<const Regex> regex(new Regex(pattern, ignore_case));
  kept.push_front({std::string(pattern), ignore_case, regex});
  if (kept.size() > kKept) kept.pop_back();
  return regex;
}

const std::uint32_t Regex::kAnchored = PCRE2_ANCHORED;

std::optional<Regex::Match> Regex::match_from(std::string_view text, std::size_t start, std::uint32_t options) const {
  charge(10);
  // The first call checks all of the text.
  if (start == 0)
    charge_reading(text.size());
  else
    options |= PCRE2_NO_UTF_CHECK;
  Progress progress;
  pcre2_set_callout(code_->context, &Progress::count, &progress);
  const int found = pcre2_match(code_->code, reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), start, options,
                                code_->data, code_->context);
  if (found == PCRE2_ERROR_CALLOUT) check_time();
  if (found == PCRE2_ERROR_NOMATCH) return {};
  if (found <= PCRE2_ERROR_UTF8_ERR1 && found >= PCRE2_ERROR_UTF8_ERR21) {
    fail(FailureKind::value, "a regular expression needs a text of UTF-8");
  }
  if (found < 0) fail_endless("the regular expression takes too many steps");
  const PCRE2_SIZE* const places = pcre2_get_ovector_pointer(code_->data);
  Match match(groups_ + 1);
  for (std::size_t i = 0; i < match.size() && i < static_cast<std::size_t>(found); ++i) {
    if (places[2 * i] == PCRE2_UNSET) continue;
    match[i] = {places[2 * i], places[2 * i + 1], true};
  }
  return match;
}

std::vector<Regex::Match> Regex::all(std::string_view text) const {
  std::vector<Match> matches;
  std::size_t start = 0;
  bool after_empty = false;
  while (start <= text.size()) {
    auto found = match_from(text, start, after_empty ? PCRE2_NOTEMPTY_ATSTART : 0);
    if (!found) break;
    const Group whole = (*found)[0];
    charge_reading(whole.last - start);
    start = whole.last;
    after_empty = whole.first == whole.last;  // then something longer may begin there
    matches.push_back(std::move(*found));
    if (whole.first == whole.last && whole.last >= text.size()) break;
  }
  return matches;
}

std::string Regex::expanded(std::string_view replacement, std::string_view text, const Match& match) const {
  std::string out;
  const auto add = [&](std::size_t group) {
    if (group >= match.size()) fail(FailureKind::value, fmt::format("invalid group reference {}", group));
    if (!match[group].matched) return;
    const std::size_t size = match[group].last - match[group].first;
    charge_piece(size, out.size() + size);  // a replacement may name a long group many times
    out += text.substr(match[group].first, size);
  };
  for (std::size_t i = 0; i < replacement.size(); ++i) {
    if (replacement[i] != '\\' || i + 1 == replacement.size()) {
      out += replacement[i];
      continue;
    }
    const char c = replacement[++i];
    const auto digit = [&](std::size_t at) {
      return at < replacement.size() && replacement[at] >= '0' && replacement[at] <= '9';
    };
    if (c == 'g' && i + 1 < replacement.size() && replacement[i + 1] == '<') {
      const std::size_t end = replacement.find('>', i);
      if (end == std::string_view::npos) fail(FailureKind::value, "missing >, unterminated name");
      const std::string name(replacement.substr(i + 2, end - i - 2));
      if (!name.empty() && name.size() < 4 && name.find_first_not_of("0123456789") == std::string::npos) {
        add(static_cast<std::size_t>(std::stoi(name)));
      } else {
        const int number = pcre2_substring_number_from_name(code_->code, reinterpret_cast<PCRE2_SPTR>(name.c_str()));
        if (number < 0) fail(FailureKind::value, fmt::format("unknown group name '{}'", name));
        add(static_cast<std::size_t>(number));
      }
      i = end;
    } else if (c >= '1' && c <= '9') {
      std::size_t group = static_cast<std::size_t>(c - '0');
      if (digit(i + 1)) group = group * 10 + static_cast<std::size_t>(replacement[++i] - '0');
      add(group);
    } else if (c == 'n') {
      out += '\n';
    } else if (c == 't') {
      out += '\t';
    } else if (c == 'r') {
      out += '\r';
    } else if (c == '\\') {
      out += '\\';
    } else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
      fail(FailureKind::value, fmt::format("bad escape \\{}", c));
    } else {
      out += '\\';
      out += c;
    }
  }
  return out;
}

std::string Regex::replaced(std::string_view text, std::string_view replacement, std::int64_t most) const {
  std::string out;
  std::size_t start = 0;
  std::int64_t count = 0;
  for (const Match& match : all(text)) {
    if (most > 0 && count++ >= most) break;
    const std::size_t before = out.size();
    out.append(text.substr(start, match[0].first - start)).append(expanded(replacement, text, match));
    start = match[0].last;
    charge_piece(out.size() - before, out.size());
  }
  return out.append(text.substr(start));
}

namespace {

Value search(Call& call, bool anchored) {
  const Parameters in(call, anchored ? "regex_match" : "regex_search", {"value", "find", "ignorecase"}, 1);
  const std::string text = in.has(0) && in[0].is_text() ? std::string(in[0].text()) : to_text(in[0]);
  return Regex::of(in.text(1, ""), in.flag(2, false))->match(text, anchored).has_value();
}

Value replace_matches(Call& call) {
  const Parameters in(call, "regex_replace", {"value", "find", "replace", "ignorecase"}, 1);
  return Value(Regex::of(in.text(1, ""), in.flag(3, false))->replaced(to_text(in[0]), in.text(2, ""), 0));
}

constexpr std::size_t kMostFound = std::size_t{16} << 20;

// As re.findall: the match, its only group, or a tuple of its groups.
Values find_all(const Parameters& in, std::size_t ignore_case) {
  const std::string text = to_text(in[0]);
  const auto regex = Regex::of(in.text(1, ""), in.flag(ignore_case, false));
  Values found;
  std::size_t kept = 0;
  for (const Regex::Match& match : regex->all(text)) {
    const auto part = [&](std::size_t group) {
      if (!match[group].matched) return Value("");
      const std::size_t size = match[group].last - match[group].first;
      charge_text(size);  // groups in a look-ahead overlap: each may be the rest of the text
      kept += size;
      if (kept > kMostFound) fail(FailureKind::limit, "the regular expression finds more than 16 MiB");
      return Value(text.substr(match[group].first, size));
    };
    if (regex->groups() <= 1) {
      found.push_back(part(regex->groups()));
      continue;
    }
    Values groups;
    for (std::size_t i = 1; i < match.size(); ++i) groups.push_back(part(i));
    found.push_back(Value::tuple(std::move(groups)));
  }
  return found;
}

constexpr Builtin kRegexFilters[] = {
    {"regex_findall",
     [](Call& call) -> Value {
       const Parameters in(call, "regex_findall", {"value", "find", "ignorecase"}, 1);
       return Value::list(find_all(in, 2));
     }},
    {"regex_findall_index",
     [](Call& call) -> Value {
       const Parameters in(call, "regex_findall_index", {"value", "find", "index", "ignorecase"}, 1);
       const Values found = find_all(in, 3);
       const Value item = item_of(Value::list(found), Value(in.integer(2, 0)));
       if (item.is_undefined()) fail(FailureKind::value, "list index out of range");
       return item;
     }},
    {"regex_match", [](Call& call) { return search(call, true); }},
    {"regex_replace", replace_matches},
    {"regex_search", [](Call& call) { return search(call, false); }},
};
constexpr Builtin kRegexTests[] = {{"match", [](Call& call) { return search(call, true); }},
                                   {"search", [](Call& call) { return search(call, false); }}};

}  // namespace

std::span<const Builtin> regex_filters() {
  return kRegexFilters;
}
std::span<const Builtin> regex_tests() {
  return kRegexTests;
}

}  // namespace hearth::templates
