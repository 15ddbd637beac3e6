// SPDX-License-Identifier: Apache-2.0
#include "yaml/edit/lines_editor.h"

#include <fmt/format.h>

#include "yaml/item_lines.h"
#include "yaml/item_text.h"
#include "yaml/text_lines.h"

namespace hearth::yaml {
namespace {

using base::ErrorCode;

// With those lines instead of the ones in the range.
WithLines replaced(const YamlText& text, LineRange range, std::size_t column, const std::string& by) {
  std::string made = text.joined(0, range.begin);
  text.end_line(made);
  made += text.indented(by, column);
  if (range.end < text.lines.size()) text.end_line(made);
  return {made + text.joined(range.end, text.lines.size()), range.begin + 1, lines_of(by).size()};
}

// In place of an item that stands alone, or of nothing.
base::Result<WithLines> put_alone(const YamlText& text, const YamlSpot& spot, const ItemPlace& place,
                                  const std::string& id, const std::string& item) {
  const auto below = lines_below(text.lines, place.within);
  const auto own = own_text(item, place.form);
  if (!below || !own || !(is_nothing(spot.node) || (spot.node.IsMap() && !is_flow(spot.node))))
    return base::fail(ErrorCode::unsupported, fmt::format("{} has no lines of its own", id));
  std::size_t column = place.within.empty() ? 0 : spot.column + 2;
  for (std::size_t line = below->end; line-- > below->begin;) {
    if (!is_remark(text.lines[line])) column = indentation_of(text.lines[line]);
  }
  return replaced(text, *below, column, *own);
}

// Among others.
base::Result<WithLines> put_among(const YamlText& text, const YamlSpot& within, const ItemPlace& place,
                                  const std::string& id, const std::string& item) {
  if (auto fits = check_form(within.node, place.form); !fits) return std::unexpected(fits.error());
  if (is_flow(within.node) || within.in_brackets) {
    return base::fail(ErrorCode::unsupported,
                      "the list or map stands in brackets: write its items in lines of their own");
  }
  const auto found = item_in(text, within, place.form, id);
  if (!found) return std::unexpected(found.error());
  return *found ? replaced(text, (**found).range, (**found).column, item) : with_item(text, within, item);
}

}  // namespace

base::Result<WithLines> put_item_lines(const std::string& text, const ItemPlace& place, const std::string& id,
                                       const std::string& item) {
  const auto file = parse_document(text, "the text");
  if (!file) return std::unexpected(file.error());
  auto put = put_item_lines(*file, place, id, item);
  if (!put) return std::unexpected(put.error());
  return WithLines{std::move(put->file.text), put->first, put->count};
}

base::Result<WithItem> put_item_lines(const YamlDocument& file, const ItemPlace& place, const std::string& id,
                                      const std::string& item, const ParseDocument& parse) {
  const YamlText lines(file.text);
  const auto spot = spot_at(lines, whole_file(lines, file.root()), place.within);
  if (!spot) {
    return base::fail(ErrorCode::unsupported, fmt::format("there is no {} any more, where {} stood", place.within, id));
  }
  auto made = place.alone ? put_alone(lines, *spot, place, id, item) : put_among(lines, *spot, place, id, item);
  if (!made) return std::unexpected(made.error());
  auto after = parse_made(std::move(made->text), id, parse);
  if (!after) return std::unexpected(after.error());
  const auto key = [&](const base::ConfigNode& node) { return item_key(node, place, id); };
  if (auto stays = check_others(file.marked, after->marked, id, key, key); !stays)
    return std::unexpected(stays.error());
  return WithItem{std::move(*after), made->first, made->count};
}

}  // namespace hearth::yaml
