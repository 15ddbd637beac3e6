// SPDX-License-Identifier: Apache-2.0
#include "core/repairs.h"

#include <algorithm>
#include <tuple>

#include "base/json/json.h"

namespace hearth::core {
namespace {

const Issue* find(const std::vector<Issue>& list, const Issue& wanted) {
  const auto found = std::ranges::find_if(
      list, [&](const Issue& each) { return each.domain == wanted.domain && each.id == wanted.id; });
  return found == list.end() ? nullptr : &*found;
}

}  // namespace

std::string_view to_string(Issue::Severity severity) {
  switch (severity) {
    case Issue::Severity::warning:
      return "warning";
    case Issue::Severity::error:
      return "error";
    case Issue::Severity::critical:
      return "critical";
  }
  return "error";
}

std::string ignored_id(std::string_view domain, std::string_view id) {
  std::string text(domain);
  text += '/';
  text += id;
  return text;
}

std::string repairs_event(std::string_view action, std::string_view domain, std::string_view id) {
  return base::to_json(json::object{{"action", action}, {"domain", domain}, {"issue_id", id}});
}

void Repairs::set(std::vector<Issue> found) {
  const auto before = list_.load_once();
  const auto now = clock_.now();
  std::ranges::sort(found, [](const Issue& one, const Issue& other) {
    return std::tie(other.severity, one.domain, one.id) < std::tie(one.severity, other.domain, other.id);
  });
  if (found.size() > kMaxIssues) found.resize(kMaxIssues);
  std::vector<std::string> events;
  for (Issue& issue : found) {
    const Issue* const former = find(*before, issue);
    issue.since = former ? former->since : now;
    if (!former || *former != issue)
      events.push_back(repairs_event(former ? "update" : "create", issue.domain, issue.id));
  }
  for (const Issue& issue : *before) {
    if (!find(found, issue)) events.push_back(repairs_event("remove", issue.domain, issue.id));
  }
  if (events.empty()) return;
  list_.publish(std::make_shared<const std::vector<Issue>>(std::move(found)));
  for (std::string& data : events)
    static_cast<void>(
        bus_.fire(IfFull::pass, event_type::kRepairsUpdated, std::move(data), Origin::local, Context::create(now)));
}

}  // namespace hearth::core
