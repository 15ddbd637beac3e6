// SPDX-License-Identifier: Apache-2.0
#include "template/values/spelling.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "template/values/text.h"
#include "template/values/unicode.h"

namespace hearth::templates {
namespace {

// From U+1E00 on, without their marks.
constexpr std::string_view kLatinAdditional =
    "aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmm"
    "mmmmnnnnnnnnoooooooopppprrrrrrrrssssssssssttttttttuuuuuuuuuuvvvv"
    "wwwwwwwwwwxxxxyyzzzzzzhtwy?sss?daaaaaaaaaaaaaaaaaaaaaaaaeeeeeeee"
    "eeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyy??????";

// Words, one for each character; - for one that has none.
struct Script {
  char32_t first;
  std::string_view spellings;
};
constexpr Script kScripts[] = {
    {0x180,
     "b b b b 6 6 o c c d d d d d 3 - e f f g g hv i i k k l l w n n o o o oi oi p p yr 2 2 sh sh t t t t u u y v y "
     "y z z zh zh zh zh 2 5 5 ts w - - - - dz dz dz lj lj lj nj nj nj a a i i o o u u u u u u u u u u - a a a a ae "
     "ae g g g g k k o o o o zh z j dz dz dz g g hv w n n a a ae ae o o a a a a e e e e i i i i o o o o r r r r u u "
     "u u s s t t y y h h n d ou ou z z a a e e o o o o o o o o y y l n t j db qp a c c l t s z - - b u - e e j j q "
     "q r r y y "},
    {0x384,
     "- - a - e e i - o - u o i a b g d e z e th i k l m n ks o p r - s t u ph kh ps o i u a e e i u a b g d e z e "
     "th i k l m n x o p r s s t u ph kh ps o i u o u o - "},
    {0x400,
     "e e dj g e dz i i j lj nj tsh k i u dzh a b v g d e zh z i i k l m n o p r s t u f kh ts ch sh shch - y - e iu "
     "ia a b v g d e zh z i i k l m n o p r s t u f kh ts ch sh shch - y - e iu ia e e dj g ie dz i i j lj nj tsh k "
     "i u dzh "},
};

struct Sign {
  char32_t sign;
  std::string_view spelling;
};
constexpr Sign kSigns[] = {
    {U'¢', "c"},     {U'£', "ps"},    {U'¥', "y"},  {U'©', "c"},  {U'ª', "a"},  {U'®', "r"},   {U'°', "deg"},
    {U'²', "2"},     {U'³', "3"},     {U'´', ""},   {U'µ', "m"},  {U'¹', "1"},  {U'º', "o"},   {U'¼', " 1 4 "},
    {U'½', " 1 2 "}, {U'¾', " 3 4 "}, {U'×', "x"},  {U'‘', ""},   {U'’', ""},   {U'⁰', "0"},   {U'⁴', "4"},
    {U'₀', "0"},     {U'₁', "1"},     {U'₂', "2"},  {U'₃', "3"},  {U'₄', "4"},  {U'€', "eur"}, {U'℃', "degc"},
    {U'№', "no"},    {U'™', "tm"},    {U'ﬀ', "ff"}, {U'ﬁ', "fi"}, {U'ﬂ', "fl"}, {U'ẞ', "ss"},
};

// The character that &name; or &#number; stands for, at the start of the text; its length goes to `size`.
std::optional<char32_t> entity_at(std::u32string_view text, std::size_t& size) {
  const std::size_t end = text.substr(0, 12).find(U';');
  if (end == std::u32string_view::npos || end < 3) return {};
  const std::string name = to_utf8(text.substr(1, end - 1));
  constexpr std::pair<std::string_view, char32_t> names[] = {
      {"amp", U'&'}, {"gt", U'>'}, {"lt", U'<'}, {"nbsp", U' '}, {"quot", U'"'}};
  const auto* const named = std::ranges::find(names, name, &std::pair<std::string_view, char32_t>::first);
  if (named != std::end(names)) {
    size = end + 1;
    return named->second;
  }
  if (name[0] != '#') return {};
  const bool hex = name[1] == 'x';
  std::uint32_t code = 0;
  const char* const start = name.data() + (hex ? 2 : 1);
  const auto read = std::from_chars(start, name.data() + name.size(), code, hex ? 16 : 10);
  if (read.ec != std::errc() || read.ptr != name.data() + name.size() || code > 0x10ffff) return {};
  size = end + 1;
  return code;
}

std::string_view nth_word(std::string_view words, std::size_t index) {
  for (; index > 0 && !words.empty(); --index) words.remove_prefix(std::min(words.find(' '), words.size() - 1) + 1);
  return words.substr(0, words.find(' '));
}

void append_spelled(std::string& out, char32_t c) {
  const auto* const sign = std::ranges::find(kSigns, c, &Sign::sign);
  if (sign != std::end(kSigns)) {
    out += sign->spelling;
    return;
  }
  if (c >= 0x1e00 && c <= 0x1eff) {
    out += kLatinAdditional[c - 0x1e00];
    return;
  }
  for (const Script& script : kScripts) {
    const auto count = static_cast<std::size_t>(std::ranges::count(script.spellings, ' '));
    if (c < script.first || c - script.first >= count) continue;
    const std::string_view word = nth_word(script.spellings, c - script.first);
    if (word != "-") out += word;
    return;
  }
  append_code_point(out, c);
}

}  // namespace

std::string spelled_out(std::string_view text) {
  const std::u32string whole = to_code_points(text);
  std::string out;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    char32_t c = whole[i];
    std::size_t size = 1;
    if (c == U'&') {
      if (const auto meant = entity_at(std::u32string_view(whole).substr(i), size)) c = *meant;
      i += size - 1;
    }
    const bool in_number =
        c == U',' && i > 0 && i + 1 < whole.size() && is_decimal(whole[i - 1]) && is_decimal(whole[i + 1]);
    if (in_number || is_mark(c) || (c == U'\'' && size > 1)) continue;
    if (c < 0x80)
      out += static_cast<char>(c);
    else
      append_spelled(out, c);
  }
  return out;
}

}  // namespace hearth::templates
