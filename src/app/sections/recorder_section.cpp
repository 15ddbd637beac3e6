// SPDX-License-Identifier: Apache-2.0
#include "app/sections/recorder_section.h"

#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "app/sections/filter_section.h"
#include "base/text/utf8.h"

namespace hearth::app {
namespace {

using base::ConfigReader;

constexpr std::string_view kKeepForm = "a time such as 12h, 10d, 8w or 2y, never or forever";

std::optional<base::Duration> parse_archive_keep(std::string_view text) {
  const auto keep = parse_keep(text);
  if (!keep || *keep == recorder::Retention::kNever) return {};
  return *keep == recorder::Retention::kForever ? archive::ArchiveOptions::kForever : *keep;
}

}  // namespace

std::optional<base::Duration> parse_keep(std::string_view text) {
  using recorder::Retention;
  if (text == "never") return Retention::kNever;
  if (text == "forever") return Retention::kForever;
  int count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end + 1 != text.data() + text.size() || count < 1 || count > 100'000) return {};
  switch (*end) {
    case 'h':
      return std::chrono::hours(count);
    case 'd':
      return std::chrono::days(count);
    case 'w':
      return std::chrono::weeks(count);
    case 'y':
      return std::chrono::days(366) * count;
    default:
      return {};
  }
}

void read_recorder(ConfigReader& in, const core::Limits& limits, recorder::RecorderOptions& recorder) {
  using namespace std::chrono_literals;
  in.duration("commit_interval", recorder.commit_interval, 0ms, 1min);
  recorder::Retention& retention = recorder.retention;
  in.parsed("keep", retention.keep, kKeepForm, parse_keep);
  read_filter_rule(in.section("include"), in.find("include"), limits, retention.filter.include);
  read_filter_rule(in.section("exclude"), in.find("exclude"), limits, retention.filter.exclude);
  const base::ConfigNode* const classes = in.find("classes");
  if (!classes || classes->is_empty()) return;
  if (!classes->is_list()) return in.report(*classes, classes->mismatch("a list"));
  for (const base::ConfigNode& node : classes->items()) {
    ConfigReader each(node);
    recorder::Retention::Class made{{}, recorder::Retention::kForever};
    read_filter_rule(each, &node, limits, made.entities);
    each.parsed("keep", made.keep, kKeepForm, parse_keep);
    if (!node.find("keep") && node.is_map()) each.report(node, node.error("keep is missing"));
    if (made.entities.empty() && node.is_map())
      each.report(node, node.error("names nobody: expected domains, entity_globs or entities"));
    for (base::ConfigProblem& problem : each.problems()) in.report(std::move(problem));
    retention.classes.push_back(std::move(made));
  }
}

// `recorder: archive:` is a URL, or a section. No error shows the URL, which has a password.
std::optional<archive::ArchiveOptions> read_archive(ConfigReader& recorder, const recorder::Retention& retention) {
  const base::ConfigNode* const node = recorder.find("archive");
  if (!node || node->is_empty()) return {};
  archive::ArchiveOptions options;
  options.records = [retention](std::string_view entity_id) { return retention.records(entity_id); };
  const base::ConfigNode* url = node;
  if (node->is_map()) {
    ConfigReader& in = recorder.section("archive");
    url = in.find("url");
    in.text("site", options.site);
    if (options.site.empty() || base::utf8_length(options.site).value_or(0) > archive::ArchiveOptions::kMaxSite)
      in.report(*node, node->error("site is wrong: expected a name of 1 to 64 characters"));
    in.parsed("keep", options.keep, "a time such as 8w or 5y, or forever", parse_archive_keep);
  }
  const auto text = url ? url->text() : std::string();
  if (text && text->empty() && url == node) return {};
  if (text && (text->starts_with("postgresql://") || text->starts_with("postgres://"))) {
    options.url = *text;
  } else {
    const base::ConfigNode& place = url ? *url : *node;
    recorder.report(place, place.error("expected a URL such as postgresql://hearth:password@localhost/hearth"));
  }
  return options;
}

}  // namespace hearth::app
