// SPDX-License-Identifier: Apache-2.0
// The present issues: faults of the home that a person must fix. Readers get a published list and never wait.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/threads/published.h"
#include "core/bus/event_bus.h"

namespace hearth::core {

struct Issue {
  enum class Severity { warning, error, critical };

  std::string domain;  // hearth, or the integration that has it
  std::string id;      // within the domain
  std::string kind;    // names its text in a page's catalogue
  Severity severity = Severity::error;
  std::map<std::string, std::string> details = {};  // what the text says of this one
  base::Timestamp since = {};                       // when it was first found

  bool operator==(const Issue&) const = default;
};

std::string_view to_string(Issue::Severity severity);
// The collection (core/registry/collection.h) of the issues that people ignore, and an issue's id in it.
constexpr std::string_view kIgnoredIssues = "ignored_issue";
std::string ignored_id(std::string_view domain, std::string_view id);

class Repairs {
 public:
  static constexpr std::size_t kMaxIssues = 100;  // the gravest stay

  // Both must outlive this.
  Repairs(EventBus& bus, const base::Clock& clock)
      : bus_(bus), clock_(clock), list_(std::make_shared<const std::vector<Issue>>()) {}

  // Any thread. The gravest first.
  std::shared_ptr<const std::vector<Issue>> list() const { return list_.load(); }

  // One thread at a time. All issues there are now; one that stays keeps its time. Fires, without waiting for room,
  // repairs_issue_registry_updated for each that comes, changes or goes.
  void set(std::vector<Issue> found);

 private:
  EventBus& bus_;
  const base::Clock& clock_;
  base::Published<std::vector<Issue>> list_;
};

// The data of the event.
std::string repairs_event(std::string_view action, std::string_view domain, std::string_view id);

}  // namespace hearth::core
