// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "api/gateway/message_reader.h"
#include "api/rows.h"
#include "base/text/timestamp.h"

namespace hearth::api {
namespace {

json::object answer(const core::Issue& issue, bool ignored) {
  json::object details;
  for (const auto& [key, text] : issue.details) details[key] = text;
  return {{"domain", issue.domain},
          {"issue_id", issue.id},
          {"issue_domain", nullptr},
          {"severity", core::to_string(issue.severity)},
          {"created", base::to_string(issue.since)},
          {"ignored", ignored},
          {"is_fixable", false},
          {"breaks_in_ha_version", nullptr},
          {"dismissed_version", nullptr},
          {"learn_more_url", nullptr},
          {"translation_key", issue.kind},
          {"translation_placeholders", std::move(details)}};
}

CommandResult list_issues(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  const auto registry = call.home.registry();
  json::array issues;
  for (const auto issues_now = call.home.issues(); const core::Issue& issue : *issues_now) {
    const std::string id = core::ignored_id(issue.domain, issue.id);
    issues.push_back(answer(issue, registry.find_item(core::kIgnoredIssues, id) != nullptr));
  }
  return base::to_json(json::object{{"issues", std::move(issues)}});
}

// Fails with not_found.
CommandResult ignore_issue(const CommandCall& call) {
  std::string domain, id;
  std::optional<bool> ignore;
  MessageReader in(call.message);
  in.required("domain", domain);
  in.required("issue_id", id);
  in.optional("ignore", ignore);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  if (!ignore) return std::unexpected(CommandError(command_error::kInvalidFormat, "ignore: expected true or false"));
  const auto issues = call.home.issues();
  if (std::ranges::none_of(*issues, [&](const core::Issue& issue) { return issue.domain == domain && issue.id == id; }))
    return std::unexpected(CommandError(command_error::kNotFound, "There is no such issue."));
  const std::string collection(core::kIgnoredIssues), item = core::ignored_id(domain, id);
  const core::Context context = call.context();
  if (*ignore == (call.home.administered().registry.snapshot()->find_item(collection, item) != nullptr)) return "null";
  base::Result<void> done;
  if (*ignore) {
    if (auto made = call.home.administered().registry.create_item(collection, item, {}, context); !made)
      done = std::unexpected(made.error());
  } else {
    done = call.home.administered().registry.delete_items(collection, {&item, 1}, context);
  }
  if (!done) return std::unexpected(done.error());
  static_cast<void>(call.home.administered().bus.fire(core::IfFull::pass, core::event_type::kRepairsUpdated,
                                                      core::repairs_event("update", domain, id), core::Origin::local,
                                                      context));
  return "null";
}

}  // namespace

constexpr Command kRepairCommandRows[] = {
    {"repairs/list_issues", Access::user, list_issues, Durable::no},
    {"repairs/ignore_issue", Access::admin, ignore_issue, Durable::registry},
};
constexpr Commands kRepairCommands = kRepairCommandRows;

}  // namespace hearth::api
