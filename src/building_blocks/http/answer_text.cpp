// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/http/answer_text.h"

#include <iconv.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "base/text/utf8.h"
#include "core/values/entity_id.h"
#include "core/values/words.h"

namespace hearth::building_blocks {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
// A server names them, so that not everything that the system has is taken.
constexpr core::Words kCharsets{
    "big5 euc-jp euc-kr gb18030 gb2312 gbk iso-8859-1 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 "
    "iso-8859-7 "
    "iso-8859-8 iso-8859-9 iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 koi8-r koi8-u shift_jis utf-16 "
    "utf-16be utf-16le utf-8 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 "
    "windows-1256 "
    "windows-1257 windows-1258"};

std::string decoded(std::string_view bytes, const std::string& charset) {
  const iconv_t converter = iconv_open("UTF-8", charset.c_str());
  if (converter == reinterpret_cast<iconv_t>(-1)) return base::utf8_repaired(bytes);
  const std::unique_ptr<void, int (*)(iconv_t)> owner(converter, &iconv_close);
  std::string made, rest(bytes);
  char* from = rest.data();
  std::size_t left = rest.size();
  while (left > 0) {
    char piece[4'096];
    char* to = piece;
    std::size_t room = sizeof piece;
    const std::size_t result = iconv(converter, &from, &left, &to, &room);
    made.append(piece, sizeof piece - room);
    if (result != static_cast<std::size_t>(-1) || errno == E2BIG) continue;
    made += kReplacement;
    if (errno == EINVAL || left == 0) break;  // the text ends within a character
    ++from;
    --left;
  }
  return made;
}

}  // namespace

std::string known_charset(std::string_view name) {
  std::string lower = core::lower_case(name);
  std::erase_if(lower, [](char c) { return c == '"' || c == '\'' || c == ' '; });
  if (lower == "utf8" || lower == "ascii" || lower == "us-ascii") return "utf-8";
  if (lower == "latin1" || lower == "latin-1" || lower == "iso8859-1") return "iso-8859-1";
  if (lower.starts_with("cp125")) lower.replace(0, 2, "windows-");
  return !lower.empty() && kCharsets.contains(lower) ? lower : "";
}

std::string text_of(const net::HttpResponse& answer, std::string_view encoding) {
  const std::string named = known_charset(answer.charset);
  const std::string charset = named.empty() ? known_charset(encoding) : named;
  std::string text =
      charset.empty() || charset == "utf-8" ? base::utf8_repaired(answer.body) : decoded(answer.body, charset);
  if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  return text;
}

}  // namespace hearth::building_blocks
