// SPDX-License-Identifier: Apache-2.0
#include "yaml/yaml_writer.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>

#include "automation/values/data.h"
#include "yaml/text_lines.h"
#include "yaml/unresolved_yaml.h"

namespace hearth::yaml {
namespace {

bool needs_quotes(const std::string& text) {
  if (text.empty() || text.front() == ' ' || text.back() == ' ') return true;
  if (!automation::plain_value(text).is_string()) return true;
  constexpr std::string_view kWords[] = {"y", "n", "yes", "no", "on", "off", "true", "false", "null", "~"};
  std::string lower = text;
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (std::ranges::find(kWords, lower) != std::end(kWords)) return true;
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '.' || c == ' ' || c == '/' || c == '-' || c >= 0x80;
  };
  // A text that begins with a digit may be a time or a number elsewhere.
  return !(std::isalpha(static_cast<unsigned char>(text.front())) ||
           static_cast<unsigned char>(text.front()) >= 0x80) ||
         !std::ranges::all_of(text, plain);
}

// YAML 1.1 takes a number with an exponent for a text unless it has a dot.
std::string number_text(const json::value& value) {
  std::string text = base::to_json(value);
  const std::size_t exponent = text.find('e');
  if (value.is_double() && exponent != std::string::npos && !text.contains('.')) text.insert(exponent, ".0");
  return text;
}

// Writes `!secret name` for the marked text.
void emit_tag(YAML::Emitter& out, std::string_view marked) {
  marked.remove_prefix(2);  // the mark and the sign of a tag
  const std::size_t space = std::min(marked.find(' '), marked.size());
  const std::string text(marked.substr(std::min(space + 1, marked.size())));
  out << YAML::LocalTag(std::string(marked.substr(0, space)));
  if (needs_quotes(text)) out << YAML::DoubleQuoted;
  out << text;
}

void emit(YAML::Emitter& out, const json::value& value, bool in_brackets) {
  if (const auto* const object = value.if_object()) {
    if (object->empty() || in_brackets) out << YAML::Flow;
    out << YAML::BeginMap;
    for (const auto& [key, item] : *object) {
      const std::string name(key);
      out << YAML::Key;
      if (needs_quotes(name)) out << YAML::DoubleQuoted;
      out << name << YAML::Value;
      emit(out, item, in_brackets);
    }
    out << YAML::EndMap;
  } else if (const auto* const list = value.if_array()) {
    if (list->empty() || in_brackets) out << YAML::Flow;
    out << YAML::BeginSeq;
    for (const json::value& item : *list) emit(out, item, in_brackets);
    out << YAML::EndSeq;
  } else if (value.is_string()) {
    const std::string text(value.get_string());
    // A text of several lines, such as a template, as it is; without odd spaces, which the form would change.
    if (text.starts_with(kTagMark)) return emit_tag(out, text);
    const bool block = !in_brackets && text.contains('\n') && !text.starts_with(' ') && !text.starts_with('\n') &&
                       text.find_first_of("\t\r") == std::string::npos && !text.contains(" \n") && text.back() != '\n';
    if (block)
      out << YAML::Literal;
    else if (needs_quotes(text))
      out << YAML::DoubleQuoted;
    out << text;
  } else if (value.is_null()) {
    out << YAML::Null;
  } else {
    out << number_text(value);
  }
}

}  // namespace

std::string yaml_of(const json::value& value, std::size_t indentation) {
  YAML::Emitter out;
  out.SetIndent(2);
  emit(out, value, false);
  const std::string text = std::string(out.c_str()) + "\n";
  std::string indented;
  for (std::string line : lines_of(text)) {
    // Only texts without a line break at their end are written so, and nothing else ends with this sign.
    if (line.ends_with(" |\n")) line.replace(line.size() - 1, 1, "-\n");
    indented += is_blank(line) ? line : std::string(indentation, ' ') + line;
  }
  return indented;
}

std::string flow_yaml_of(const json::value& value) {
  YAML::Emitter out;
  emit(out, value, true);
  return out.c_str();
}

}  // namespace hearth::yaml
