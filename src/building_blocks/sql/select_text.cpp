// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/sql/select_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "base/text/utf8.h"
#include "core/values/entity_id.h"

namespace hearth::building_blocks {
namespace {

bool is_word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Without what may precede a query: white space, comments, parentheses.
std::string_view query_begin(std::string_view sql) {
  for (;;) {
    const std::size_t begin = sql.find_first_not_of(" \t\r\n(");
    if (begin == std::string_view::npos) return {};
    sql.remove_prefix(begin);
    if (sql.starts_with("--")) {
      sql.remove_prefix(std::min(sql.find('\n'), sql.size()));
    } else if (sql.starts_with("/*")) {
      const std::size_t end = sql.find("*/", 2);
      if (end == std::string_view::npos) return {};
      sql.remove_prefix(end + 2);
    } else {
      return sql;
    }
  }
}

bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string_view::npos; at += word.size()) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_word_character(text[at - 1])) && (end == text.size() || !is_word_character(text[end])))
      return true;
  }
  return false;
}

}  // namespace

base::Result<storage::SelectQuery> select_query(std::string sql) {
  const std::string lower = core::lower_case(sql);
  const std::string_view begin = query_begin(lower);
  const auto* const end = std::ranges::find_if_not(begin, is_word_character);
  const std::string_view first(begin.begin(), end);
  if (first != "select" && first != "with") return base::fail(base::ErrorCode::invalid, "expected one SELECT");
  const bool limited = has_word(lower, "limit") || has_word(lower, "fetch");
  return storage::SelectQuery{.sql = std::move(sql), .first_row = !limited};
}

base::Result<std::string> database_url(std::string_view written) {
  if (written.empty()) return std::string();
  const std::size_t colon = written.find("://");
  const std::string scheme =
      colon == std::string_view::npos ? std::string() : core::lower_case(written.substr(0, colon));
  const std::string kind = scheme.substr(0, scheme.find('+'));  // without the driver
  if (kind == "postgresql" || kind == "postgres") return "postgresql" + std::string(written.substr(colon));
  if (kind == "sqlite" && written.substr(0, written.find('?')).ends_with("/home-assistant_v2.db")) return std::string();
  return base::fail(
      base::ErrorCode::invalid,
      fmt::format("expected postgresql://user:password@host/database, or no db_url, for the hub's own history{}",
                  kind.empty() ? std::string() : fmt::format("; found one of {}", base::utf8_excerpt(kind))));
}

}  // namespace hearth::building_blocks
