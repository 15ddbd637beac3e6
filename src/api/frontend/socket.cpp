// SPDX-License-Identifier: Apache-2.0
// frontend/*: names, icons and themes for pages.
#include <fmt/format.h>

#include "api/frontend/names.h"
#include "api/gateway/message_reader.h"
#include "api/parts.h"
#include "api/rows.h"
#include "domains/entities/kinds.h"

namespace hearth::api {
namespace {

// The selection of a command: domains, or all of them.
class Integrations {
 public:
  explicit Integrations(MessageReader& in, std::string_view key) { in.optional(key, listed_); }

  base::Result<void> check(const core::Limits& limits) {
    if (!listed_) return {};
    if (listed_->size() > limits.filter_entries) {
      return base::fail(base::ErrorCode::invalid,
                        fmt::format("integration: expected at most {} of them", limits.filter_entries));
    }
    wanted_.insert(listed_->begin(), listed_->end());
    return {};
  }
  Names::Wanted wanted() const { return listed_ ? &wanted_ : nullptr; }

 private:
  std::optional<std::vector<std::string>> listed_;
  std::set<std::string, std::less<>> wanted_;
};

// The titles of what no Kind describes: integrations, and the domains of entities that clients or other hubs brought.
void add_titles(std::string& texts, const CommandCall& call, std::string_view language, Names::Wanted wanted) {
  std::set<std::string, std::less<>> names;
  const auto add = [&](std::string_view name) {
    if (!domains::find_kind(name) && (!wanted || wanted->contains(name)) && !names.contains(name)) names.emplace(name);
  };
  for (const core::IntegrationStatus& status : call.home.integrations()) add(status.name);
  call.home.states().for_each([&](const core::State& state) { add(state.domain()); });
  for (const std::string& name : names) {
    texts.pop_back();
    if (texts.size() > 1) texts += ',';
    base::write_json_string(texts, fmt::format("component.{}.title", name));
    texts += ':';
    base::write_json_string(texts, call.parts.names->domain_name(language, name));
    texts += '}';
  }
}

std::string resources(std::string texts) {
  return R"({"resources":)" + std::move(texts) + '}';
}

CommandResult get_translations(const CommandCall& call) {
  std::string language, category;
  bool config_flow = false;
  MessageReader in(call.message);
  in.required("language", language);
  in.required("category", category);
  Integrations asked(in, "integration");
  in.optional("config_flow", config_flow);  // forms of integrations: none has one
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  if (auto checked = asked.check(call.home.limits()); !checked) return std::unexpected(checked.error());
  if (config_flow || !call.parts.names) return resources("{}");
  std::string texts = call.parts.names->texts(language, category, asked.wanted());
  if (category == "title") add_titles(texts, call, language, asked.wanted());
  return resources(std::move(texts));
}

CommandResult get_icons(const CommandCall& call) {
  std::string category;
  MessageReader in(call.message);
  in.required("category", category);
  Integrations asked(in, "integration");
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  if (auto checked = asked.check(call.home.limits()); !checked) return std::unexpected(checked.error());
  return resources(call.parts.names ? call.parts.names->icons(category, asked.wanted()) : "{}");
}

}  // namespace

constexpr Command kFrontendCommandRows[] = {
    {"frontend/get_translations", Access::user, get_translations, Durable::no},
    {"frontend/get_icons", Access::user, get_icons, Durable::no},
    {"frontend/get_themes", Access::user, R"({"themes":{},"default_theme":"default","default_dark_theme":null})",
     Durable::no},
};
constexpr Commands kFrontendCommands = kFrontendCommandRows;

}  // namespace hearth::api
