// SPDX-License-Identifier: Apache-2.0
#include "yaml/bracket_editor.h"

#include <algorithm>
#include <string_view>

namespace hearth::yaml {
namespace {

constexpr std::string_view kSpaces = " \t\r\n";

// The position of the quote that ends what the one at `start` begins.
std::size_t end_of_quoted(const std::string& text, std::size_t start) {
  const char quote = text[start];
  for (std::size_t at = start + 1; at < text.size(); ++at) {
    if (quote == '"' && text[at] == '\\') {
      ++at;
    } else if (text[at] == quote) {
      if (quote == '"' || at + 1 >= text.size() || text[at + 1] != '\'') return at;
      ++at;  // '' is one
    }
  }
  return text.size();
}

// The position after the last sign of the part that is no space and no comment; its begin if there is none.
std::size_t end_of_content(const std::string& text, const FlowText::Part& part) {
  std::size_t end = part.begin;
  bool starts = true;
  for (std::size_t at = part.begin; at < part.end; ++at) {
    const char c = text[at];
    if (kSpaces.contains(c)) {
      starts = true;
      continue;
    }
    if (c == '#' && starts) {
      at = std::min(text.find('\n', at), part.end) - 1;
      continue;
    }
    if (starts && (c == '"' || c == '\'')) at = end_of_quoted(text, at);
    starts = false;
    end = at + 1;
  }
  return end;
}

// The position of the first sign of the part that is no space and no comment.
std::size_t begin_of_content(const std::string& text, const FlowText::Part& part) {
  std::size_t at = text.find_first_not_of(kSpaces, part.begin);
  while (at < part.end && text[at] == '#')
    at = text.find_first_not_of(kSpaces, std::min(text.find('\n', at), part.end));
  return std::min(at, part.end);
}

}  // namespace

std::optional<FlowText> flow_at(const std::string& text, std::size_t start) {
  FlowText flow{text.find_first_of("[{", start), 0, {}};
  if (flow.open == std::string::npos) return {};
  std::size_t depth = 1, begin = flow.open + 1;
  bool starts = true;  // whether a quote, or a comment, may begin here
  const auto add = [&](std::size_t end) {
    const FlowText::Part part{begin, end};
    if (end_of_content(text, part) > begin) flow.parts.push_back(part);
    begin = end + 1;
  };
  for (std::size_t at = begin; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '#' && kSpaces.contains(text[at - 1])) {
      at = std::min(text.find('\n', at), text.size() - 1);
    } else if (starts && (c == '"' || c == '\'')) {
      at = end_of_quoted(text, at);
      starts = false;
    } else if (c == '[' || c == '{') {
      ++depth;
      starts = true;
    } else if (c == ']' || c == '}') {
      if (--depth == 0) {
        add(at);
        flow.close = at;
        return flow;
      }
      starts = false;
    } else if (c == ',') {
      if (depth == 1) add(at);
      starts = true;
    } else {
      starts = c == ':' || kSpaces.contains(c);
    }
  }
  return {};
}

std::string without_part(const std::string& text, const FlowText& flow, std::size_t part) {
  const auto& parts = flow.parts;
  std::size_t begin = parts[part].begin, end = parts[part].end;
  if (part + 1 < parts.size()) {
    end = parts[part + 1].begin;
    // The text before the first one stands before the next.
    if (part == 0) end = begin_of_content(text, parts[1]), begin = begin_of_content(text, parts[0]);
  } else {
    if (part > 0) begin = parts[part - 1].end;
    end = flow.close;
  }
  return text.substr(0, begin) + text.substr(end);
}

std::string with_part_replaced(const std::string& text, const FlowText& flow, std::size_t part, const std::string& by) {
  const std::size_t begin = begin_of_content(text, flow.parts[part]);
  return text.substr(0, begin) + by + text.substr(end_of_content(text, flow.parts[part]));
}

std::string with_part(const std::string& text, const FlowText& flow, const std::string& part) {
  if (flow.parts.empty()) return text.substr(0, flow.open + 1) + part + text.substr(flow.open + 1);
  const std::size_t end = end_of_content(text, flow.parts.back());
  return text.substr(0, end) + ", " + part + text.substr(end);
}

}  // namespace hearth::yaml
