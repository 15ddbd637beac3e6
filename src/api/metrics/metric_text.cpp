// SPDX-License-Identifier: Apache-2.0
#include "api/metrics/metric_text.h"

#include <fmt/format.h>

#include <cmath>
namespace hearth::api {
namespace {

std::string_view to_string(MetricText::Type type) {
  switch (type) {
    case MetricText::Type::counter:
      return "counter";
    case MetricText::Type::gauge:
      return "gauge";
    case MetricText::Type::histogram:
      return "histogram";
  }
  return "untyped";
}

void append_escaped(std::string& out, std::string_view value) {
  for (const char c : value) {
    if (c == '\n')
      out += "\\n";
    else if (c == '"' || c == '\\')
      out.append(1, '\\').append(1, c);
    else
      out += c;
  }
}

// REQUIRES: UTF-8, as states are.
std::uint32_t take_code_point(std::string_view text, std::size_t& at) {
  const auto first = static_cast<unsigned char>(text[at++]);
  std::uint32_t point = first < 0xC0 ? first : first < 0xE0 ? first & 0x1Fu : first < 0xF0 ? first & 0x0Fu : first & 7u;
  for (; at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0u) == 0x80u; ++at)
    point = point << 6 | (static_cast<unsigned char>(text[at]) & 0x3Fu);
  return point;
}

void append_number(std::string& out, double value) {
  if (std::isnan(value))
    out += "NaN";
  else if (std::isinf(value))
    out += value > 0 ? "+Inf" : "-Inf";
  else
    fmt::format_to(std::back_inserter(out), "{}", value);
}

}  // namespace

MetricText::Family::Family(std::string name, Type type, std::string_view help) : name_(std::move(name)) {
  text_ = fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n", name_, help, to_string(type));
}

void MetricText::Family::add(std::string_view suffix, double value, Labels labels) {
  text_.append(name_).append(suffix);
  char before = '{';
  for (const Label& label : labels) {
    text_.append(1, before).append(label.name).append("=\"");
    append_escaped(text_, label.value);
    text_ += '"';
    before = ',';
  }
  text_ += before == '{' ? " " : "} ";
  append_number(text_, value);
  text_ += '\n';
}

MetricText::Family& MetricText::family(std::string_view name, Type type, std::string_view help) {
  const auto known = families_.find(name);
  if (known != families_.end()) return known->second;
  return families_.try_emplace(std::string(name), std::string(name), type, help).first->second;
}

std::string MetricText::text() const {
  std::string all;
  for (const auto& [name, family] : families_) all += family.text();
  return all;
}

std::string metric_name(std::string_view text) {
  std::string name;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const bool fits =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == ':';
    if (fits) {
      name += c;
      ++at;
    } else {
      fmt::format_to(std::back_inserter(name), "u0x{:x}", take_code_point(text, at));
    }
  }
  return name;
}

}  // namespace hearth::api
