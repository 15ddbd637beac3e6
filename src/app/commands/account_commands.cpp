// SPDX-License-Identifier: Apache-2.0
#include "app/commands/account_commands.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <ostream>

#include "app/commands/audit_commands.h"
#include "app/commands/downgrade_command.h"
#include "app/commands/password_prompt.h"
#include "app/commands/text_table.h"
#include "app/connections/integrations.h"
#include "app/files/configuration_file.h"
#include "app/files/rights_file.h"
#include "app/settings/config_folder.h"
#include "app/settings/settings.h"
#include "auth/accounts/account_store.h"
#include "auth/password.h"
#include "base/text/timestamp.h"
#include "core/values/entity_id.h"

namespace hearth::app {
namespace {

using auth::AccountStore;
using base::Result;

// The options of the commands; each uses some of them.
struct AccountOptions {
  std::string name;    // of the user
  std::string client;  // of the token
  std::string role;
  std::string file;  // of the policy
  bool clear = false;
  bool admin = false;
  bool read_only = false;
  bool password_stdin = false;
  bool revoke_tokens = false;
  bool metrics_only = false;
  std::vector<std::string> scopes;
  std::vector<std::string> entities, domains, areas, labels;  // of the home, what the token is for
  bool never = false;
  std::int64_t days = auth::kDefaultTokenLife.count();
};

using AccountAction = Result<void> (*)(CommandContext&, AccountStore&, const AccountOptions&);

std::string minute(base::Timestamp time) {
  std::string text = base::to_string(time).substr(0, 16);
  text[10] = ' ';
  return text;
}

Result<std::string> password_from(std::istream& in) {
  std::string password;
  for (char c; in.get(c) && c != '\n';) {
    if (password.size() == kMaxPasswordBytes) return base::fail(base::ErrorCode::invalid, "The password is too long.");
    password += c;
  }
  if (password.ends_with('\r')) password.pop_back();
  return password;
}

Result<std::string> new_password(CommandContext& context, const AccountOptions& options) {
  if (options.password_stdin) return password_from(context.in);
  auto first = context.ask_password(fmt::format("Password for {}: ", options.name));
  if (!first) return first;
  if (auto good = auth::check_new_password(*first); !good) return std::unexpected(std::move(good.error()));
  auto second = context.ask_password("Once more: ");
  if (second && *second != *first) return base::fail(base::ErrorCode::invalid, "The two passwords differ.");
  return second;
}

Result<void> add_user(CommandContext& context, AccountStore& accounts, const AccountOptions& options) {
  const auto role = options.admin       ? auth::Role::administrator
                    : options.read_only ? auth::Role::reader
                                        : auth::Role::user;
  const auto password = new_password(context, options);
  if (!password) return std::unexpected(password.error());
  const auto user = accounts.add_user(options.name, role, *password);
  if (!user) return std::unexpected(user.error());
  context.out << fmt::format("Added {} ({}).\n", user->name, to_string(user->role));
  return {};
}

Result<void> list_users(CommandContext& context, AccountStore& accounts, const AccountOptions&) {
  const auto users = accounts.users();
  if (!users) return std::unexpected(users.error());
  std::vector<std::vector<std::string>> rows{{"NAME", "ROLE", "ACTIVE", "CREATED (UTC)"}};
  for (const auto& user : *users) {
    rows.push_back({user.name, std::string(to_string(user.role)), user.active ? "yes" : "no", minute(user.created_at)});
  }
  context.out << format_table(rows);
  return {};
}

Result<void> change_password(CommandContext& context, AccountStore& accounts, const AccountOptions& options) {
  // So that no password is asked for in vain.
  if (const auto user = accounts.find_user(options.name); !user) return std::unexpected(user.error());
  const auto password = new_password(context, options);
  if (!password) return std::unexpected(password.error());
  return accounts.set_password(options.name, *password, {.revoke_tokens = options.revoke_tokens});
}

Result<void> reset_second_factor(CommandContext&, AccountStore& accounts, const AccountOptions& options) {
  const auto user = accounts.find_user(options.name);
  if (!user) return std::unexpected(user.error());
  return accounts.remove_factors(user->id);
}

Result<void> activate(CommandContext&, AccountStore& accounts, const AccountOptions& options) {
  return accounts.set_active(options.name, true);
}

Result<void> deactivate(CommandContext&, AccountStore& accounts, const AccountOptions& options) {
  return accounts.set_active(options.name, false);
}

Result<void> change_role(CommandContext&, AccountStore& accounts, const AccountOptions& options) {
  const auto role = auth::parse_role(options.role);
  if (!role) return std::unexpected(role.error());
  return accounts.set_role(options.name, *role);
}

Result<void> change_rights(CommandContext& context, AccountStore& accounts, const AccountOptions& options) {
  if (options.clear) return accounts.set_policy(options.name, nullptr);
  if (options.file.empty()) {
    const auto user = accounts.find_user(options.name);
    if (!user) return std::unexpected(user.error());
    context.out << (user->policy && user->role != auth::Role::administrator
                        ? rights_text(*user->policy)
                        : fmt::format("{} has all the rights of the role {}.\n", user->name, to_string(user->role)));
    return {};
  }
  const auto text = read_text_file(options.file);
  if (!text) return std::unexpected(text.error());
  auto policy = read_rights(*text, options.file);
  if (!policy) return std::unexpected(std::move(policy.error()));
  return accounts.set_policy(options.name, std::make_shared<const core::Policy>(std::move(*policy)));
}

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
                    minute(token.created_at),
                    !token.expires_at ? "never" : minute(*token.expires_at) + (expired ? " (expired)" : ""),
                    token.used_at ? minute(*token.used_at) : "never", token.used_from});
  }
  context.out << format_table(rows);
  return {};
}

Result<void> revoke_token(CommandContext&, AccountStore& accounts, const AccountOptions& options) {
  return accounts.revoke_token(options.name, options.client);
}

// The limits of the hub on this folder.
auth::AccountLimits limits(const CommandContext& context, const std::filesystem::path& folder) {
  const auto settings = load_settings_to_start(folder, known_integrations(context.integrations), LastGood(folder));
  const core::Limits used = settings ? settings->limits : core::Limits();
  return {used.tokens_per_user, used.sessions_per_user};
}

// `words`: the command, such as `user add`.
std::string said(const std::string& words, const AccountOptions& options) {
  std::string text = words + ' ' + options.name;
  if (!options.client.empty()) text += ", " + options.client;
  return text;
}

bool changes(AccountAction action, const AccountOptions& options) {
  if (action == change_rights) return options.clear || !options.file.empty();
  return action != list_users && action != list_tokens;
}

Result<void> run(CommandContext& context, AccountAction action, const std::string& words,
                 const AccountOptions& options) {
  const auto folder = config_folder(context.config);
  if (!folder) return std::unexpected(folder.error());
  if (auto made = make_config_folder(*folder); !made) return made;
  if (auto upgraded = upgrade_for_command(*folder, context.clock); !upgraded) return upgraded;
  auto accounts = AccountStore::open(*folder / kDatabaseName, context.clock, limits(context, *folder));
  if (!accounts) return std::unexpected(std::move(accounts.error()));
  if (changes(action, options)) {
    if (auto recorded = record_command(context, *folder, said(words, options)); !recorded) return recorded;
  }
  return action(context, *accounts, options);
}

// One command of a group. The options live as long as the app that owns the callback.
struct Command {
  CLI::App& app;
  std::shared_ptr<AccountOptions> options;
};

Command add_command(CLI::App& group, CommandContext& context, const char* name, const char* description,
                    AccountAction action) {
  CLI::App* const app = group.add_subcommand(name, description);
  auto options = std::make_shared<AccountOptions>();
  add_config_option(*app, context);
  app->callback([&context, action, options, words = group.get_name() + ' ' + name] {
    context.command = [&context, action, options, words] { return run(context, action, words, *options); };
  });
  return {*app, std::move(options)};
}

void add_name(const Command& command) {
  command.app.add_option("NAME", command.options->name, "The user's name")->required()->type_name("");
}

void add_password_stdin(const Command& command) {
  command.app.add_flag("--password-stdin", command.options->password_stdin,
                       "Read the password from standard input, one line");
}

void add_user_and_client(const Command& command, bool client) {
  command.app.add_option("--user", command.options->name, "The user's name")->required()->type_name("NAME");
  if (!client) return;
  command.app.add_option("--name", command.options->client, "What uses the token: the user's name for it")
      ->required()
      ->type_name("CLIENT");
}

}  // namespace

void add_account_commands(CLI::App& app, CommandContext& context) {
  CLI::App& user = *app.add_subcommand("user", "Who may use the hub")->require_subcommand(1);
  const auto add = add_command(user, context, "add", "Add a user", add_user);
  add_name(add);
  auto* const admin = add.app.add_flag("--admin", add.options->admin, "An administrator");
  add.app.add_flag("--read-only", add.options->read_only, "One who only reads: a display on the wall")->excludes(admin);
  add_password_stdin(add);
  add_command(user, context, "list", "List the users", list_users);
  const auto passwd =
      add_command(user, context, "passwd", "Change a user's password, and end their sessions", change_password);
  add_name(passwd);
  add_password_stdin(passwd);
  passwd.app.add_flag("--revoke-tokens", passwd.options->revoke_tokens, "Revoke the user's long-lived tokens, too");
  add_name(add_command(user, context, "activate", "Let a user in again", activate));
  add_name(add_command(user, context, "deactivate", "Keep a user out, and close what they have open", deactivate));
  add_name(
      add_command(user, context, "reset-mfa", "Remove a user's authenticator app and passkeys", reset_second_factor));
  const auto role = add_command(user, context, "role", "Change what a user may do", change_role);
  add_name(role);
  role.app.add_option("ROLE", role.options->role, "administrator, user or reader")->required()->type_name("");

  const auto rights = add_command(user, context, "rights", "Show or set what a user may see and do", change_rights);
  add_name(rights);
  auto* const file = rights.app.add_option("--file", rights.options->file, "Set them to what this YAML file says");
  file->type_name("FILE");
  rights.app.add_flag("--clear", rights.options->clear, "Lift all limits but those of the role")->excludes(file);

  CLI::App& token = *app.add_subcommand("token", "Long-lived access tokens")->require_subcommand(1);
  const auto create = add_command(token, context, "create", "Create a token and print it", create_token);
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
  add_user_and_client(add_command(token, context, "list", "List a user's tokens", list_tokens), false);
  add_user_and_client(
      add_command(token, context, "revoke", "Revoke a token, and close what is open by it", revoke_token), true);
}

}  // namespace hearth::app
