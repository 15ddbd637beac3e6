// SPDX-License-Identifier: Apache-2.0
// Edits YAML's lists and maps in brackets, as text. Any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace hearth::yaml {

struct FlowText {
  struct Part {
    std::size_t begin, end;  // without the commas around it; with spaces and comments
  };
  std::size_t open, close;  // where the brackets are
  std::vector<Part> parts;  // none that is blank
};

// Of the first bracket from `start` on. Null if it is not closed.
std::optional<FlowText> flow_at(const std::string& text, std::size_t start);

// The text without that part, and without a comma that it leaves.
std::string without_part(const std::string& text, const FlowText& flow, std::size_t part);
// The text with another one in its place; comments after it stay.
std::string with_part_replaced(const std::string& text, const FlowText& flow, std::size_t part, const std::string& by);
// The text with one more part, at the end.
std::string with_part(const std::string& text, const FlowText& flow, const std::string& part);

}  // namespace hearth::yaml
