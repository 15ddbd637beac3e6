// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <ostream>

#include "app/commands/account_options.h"
#include "app/commands/text_table.h"
#include "app/files/rights_file.h"
#include "app/upgrade/kept_copies.h"
#include "core/values/entity_id.h"

namespace hearth::app {
namespace {

using auth::AccountStore;
using base::Result;

// Without any such option: all that the user may.
Result<core::TokenRights> token_rights(const AccountOptions& options) {
  core::TokenRights rights;
  if (options.metrics_only) rights.scopes = core::Scopes::only(core::Scope::metrics);
  if (!options.scopes.empty()) {
    const auto scopes = core::Scopes::parse(options.scopes);
    if (!scopes) return std::unexpected(scopes.error());
    rights.scopes = *scopes;
  }
  core::Policy policy;
  for (const std::string& text : options.entities) {
    const auto id = core::EntityId::parse(text);
    if (!id) return base::fail(base::ErrorCode::invalid, fmt::format("--entities: {} is no entity id.", text));
    policy.read.entities.emplace(id->str());
  }
  policy.read.domains.insert(options.domains.begin(), options.domains.end());
  policy.read.areas.insert(options.areas.begin(), options.areas.end());
  policy.read.labels.insert(options.labels.begin(), options.labels.end());
  if (policy.read == core::Selection()) return rights;
  policy.control = policy.read;
  rights.policy = std::make_shared<const core::Policy>(std::move(policy));
  return rights;
}

Result<void> create_token(CommandContext& context, AccountStore& accounts, const AccountOptions& options) {
  if (options.days > auth::kMaxTokenLife.count() || options.days < 1) {
    return base::fail(base::ErrorCode::invalid,
                      fmt::format("--days takes 1 to {}; --never is for ever.", auth::kMaxTokenLife.count()));
  }
  const auto lifetime = options.never ? std::nullopt : std::optional(std::chrono::days(options.days));
  const auto rights = token_rights(options);
  if (!rights) return std::unexpected(rights.error());
  const auto text = accounts.create_token(options.name, options.client, lifetime, {}, *rights);
  if (!text) return std::unexpected(text.error());
  context.out << *text << '\n';
  context.err << "This token is shown only now.\n";
  return {};
}

Result<void> list_tokens(CommandContext& context, AccountStore& accounts, const AccountOptions& options) {
  const auto tokens = accounts.tokens(options.name);
  if (!tokens) return std::unexpected(tokens.error());
  std::vector<std::vector<std::string>> rows{
      {"NAME", "SCOPES", "RIGHTS", "CREATED (UTC)", "EXPIRES (UTC)", "LAST USED (UTC)", "FROM"}};
  for (const auto& token : *tokens) {
    const bool expired = token.expires_at && *token.expires_at <= context.clock.now();
    const auto& policy = token.rights.policy;
    rows.push_back({token.name, token.rights.scopes.text(), policy ? short_rights_text(*policy) : "-",
                    minute_text(token.created_at),
                    !token.expires_at ? "never" : minute_text(*token.expires_at) + (expired ? " (expired)" : ""),
                    token.used_at ? minute_text(*token.used_at) : "never", token.used_from});
  }
  context.out << format_table(rows);
  return {};
}

Result<void> revoke_token(CommandContext&, AccountStore& accounts, const AccountOptions& options) {
  return accounts.revoke_token(options.name, options.client);
}

void add_user_and_client(const AccountCommand& command, bool client) {
  command.app.add_option("--user", command.options->name, "The user's name")->required()->type_name("NAME");
  if (!client) return;
  command.app.add_option("--name", command.options->client, "What uses the token: the user's name for it")
      ->required()
      ->type_name("CLIENT");
}

}  // namespace

void add_token_commands(CLI::App& app, CommandContext& context) {
  CLI::App& token = *app.add_subcommand("token", "Long-lived access tokens")->require_subcommand(1);
  const auto create =
      add_account_command(token, context, "create", "Create a token and print it", create_token, Changes::always);
  add_user_and_client(create, true);
  auto* const days =
      create.app.add_option("--days", create.options->days, "How long it lives")->type_name("N")->capture_default_str();
  auto* const metrics_only = create.app.add_flag("--metrics-only", create.options->metrics_only,
                                                 "As --scope metrics: for GET /api/prometheus");
  const auto add_names = [&](const char* name, std::vector<std::string>& names, const char* type, const char* text) {
    return create.app.add_option(name, names, text)->type_name(type)->delimiter(',')->allow_extra_args(false);
  };
  add_names(
      "--scope", create.options->scopes, "SCOPE",
      "It may do this and nothing else, of what its user may: read, control, fire_event, history, template, admin "
      "or metrics; several times for more")
      ->excludes(metrics_only);
  add_names("--areas", create.options->areas, "ID", "It is for what is in these areas, by their ids");
  add_names("--labels", create.options->labels, "ID", "It is for what has one of these labels");
  add_names("--domains", create.options->domains, "DOMAIN", "It is for entities of these domains, such as light");
  add_names("--entities", create.options->entities, "ID", "It is for these entities");
  create.app.add_flag("--never", create.options->never, "It lives for ever")->excludes(days);
  add_user_and_client(add_account_command(token, context, "list", "List a user's tokens", list_tokens, Changes::never),
                      false);
  add_user_and_client(add_account_command(token, context, "revoke", "Revoke a token, and close what is open by it",
                                          revoke_token, Changes::always),
                      true);
}

}  // namespace hearth::app
