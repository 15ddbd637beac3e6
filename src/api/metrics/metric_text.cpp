// SPDX-License-Identifier: Apache-2.0
#include "api/metrics/metric_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace hearth::api {
namespace {

constexpr std::size_t kMostDigits = 32;  // of a number

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
  const auto plain = [](char c) { return c != '\n' && c != '"' && c != '\\'; };
  if (std::ranges::all_of(value, plain)) {
    out += value;
    return;
  }
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

// domain="light",entity="light.hall"
void append_labels(std::string& out, MetricText::Labels labels) {
  bool first = true;
  for (const MetricText::Label& label : labels) {
    if (!std::exchange(first, false)) out += ',';
    out.append(label.name).append("=\"");
    append_escaped(out, label.value);
    out += '"';
  }
}

// As fmt writes it: 21.5, 1e+20.
void append_number(std::string& out, double value) {
  // Many values are 0, 1 or percents.
  constexpr double kWhole = 1e9;
  if (value >= 0 && value < kWhole && !std::signbit(value) && value == std::floor(value)) {
    const fmt::format_int digits(static_cast<std::uint32_t>(value));
    out.append(digits.data(), digits.size());
    return;
  }
  if (std::isnan(value))
    out += "NaN";
  else if (std::isinf(value))
    out += value > 0 ? "+Inf" : "-Inf";
  else {
    std::array<char, kMostDigits> digits;
    out.append(digits.data(), fmt::format_to_n(digits.data(), digits.size(), "{}", value).out);
  }
}

}  // namespace

MetricText::Family::Family(std::string name, Type type, std::string_view help) : name_(std::move(name)) {
  text_ = fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n", name_, help, to_string(type));
}

void MetricText::Family::add(std::string_view suffix, double value, Labels labels) {
  text_.append(name_).append(suffix);
  if (labels.size() > 0) {
    text_ += '{';
    append_labels(text_, labels);
    text_ += '}';
  }
  text_ += ' ';
  append_number(text_, value);
  text_ += '\n';
}

MetricText::Family& MetricText::family(std::string_view name, Type type, std::string_view help) {
  const auto known = families_.find(name);
  if (known != families_.end()) return known->second;
  return families_.try_emplace(std::string(name), std::string(name), type, help).first->second;
}

MetricText::LabelsId MetricText::keep(Labels labels) {
  append_labels(kept_, labels);
  ends_.push_back(static_cast<std::uint32_t>(kept_.size()));
  return static_cast<LabelsId>(ends_.size() - 1);
}

void MetricText::write(std::string& out, const Family& family) const {
  out += family.text_;
  for (const Family::Sample& sample : family.samples_) {
    const std::string_view labels = kept(sample.labels), more = kept(sample.more);
    out += family.name_;
    if (!labels.empty() || !more.empty()) {
      out.append(1, '{').append(labels);
      if (!labels.empty() && !more.empty()) out += ',';
      out.append(more).append(1, '}');
    }
    out += ' ';
    append_number(out, sample.value);
    out += '\n';
  }
}

std::string MetricText::text() const {
  // One block of memory, because a large text that grows is copied again and again.
  constexpr std::size_t kBesides = kMostDigits + 5;  // {,} and a blank and the end of the line
  std::size_t size = 0;
  for (const auto& [name, family] : families_) {
    size += family.text_.size();
    for (const auto& each : family.samples_)
      size += name.size() + kept(each.labels).size() + kept(each.more).size() + kBesides;
  }
  std::string all;
  all.reserve(size);
  for (const auto& [name, family] : families_) write(all, family);
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
