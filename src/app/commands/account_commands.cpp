// SPDX-License-Identifier: Apache-2.0
#include "app/commands/account_commands.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <ostream>

#include "app/commands/account_options.h"
#include "app/commands/audit_commands.h"
#include "app/commands/downgrade_command.h"
#include "app/commands/password_prompt.h"
#include "app/commands/text_table.h"
#include "app/connections/integrations.h"
#include "app/files/configuration_file.h"
#include "app/files/rights_file.h"
#include "app/settings/config_folder.h"
#include "app/settings/settings.h"
#include "app/upgrade/kept_copies.h"
#include "auth/accounts/account_store.h"
#include "auth/password.h"
#include "base/text/timestamp.h"

namespace hearth::app {
namespace {

using auth::AccountStore;
using base::Result;

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
  const auto password = new_password(context, options);
  if (!password) return std::unexpected(password.error());
  const auto user = accounts.add_user(options.name, options.role_of_flags(), *password);
  if (!user) return std::unexpected(user.error());
  context.out << fmt::format("Added {} ({}).\n", user->name, to_string(user->role));
  return {};
}

Result<void> list_users(CommandContext& context, AccountStore& accounts, const AccountOptions&) {
  const auto users = accounts.users();
  if (!users) return std::unexpected(users.error());
  std::vector<std::vector<std::string>> rows{{"NAME", "ROLE", "ACTIVE", "CREATED (UTC)"}};
  for (const auto& user : *users) {
    rows.push_back(
        {user.name, std::string(to_string(user.role)), user.active ? "yes" : "no", minute_text(user.created_at)});
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
  auto policy = policy_of_file(options.file);
  if (!policy) return std::unexpected(std::move(policy.error()));
  return accounts.set_policy(options.name, *policy);
}

Result<void> change_end(CommandContext& context, AccountStore& accounts, const AccountOptions& options) {
  if (options.never) return accounts.set_end(options.name, std::nullopt);
  if (!options.time.empty()) {
    const auto time = end_of_account(options.time);
    return time ? accounts.set_end(options.name, *time) : std::unexpected(time.error());
  }
  const auto user = accounts.find_user(options.name);
  if (!user) return std::unexpected(user.error());
  context.out << (user->ends_at ? minute_text(*user->ends_at) + " UTC" : "never") << '\n';
  return {};
}

// The limits of the hub on this folder.
auth::AccountLimits limits(const CommandContext& context, const std::filesystem::path& folder) {
  const auto settings = load_settings_to_start(folder, known_integrations(context.integrations), LastGood(folder));
  const core::Limits used = settings ? settings->limits : core::Limits();
  return {used.tokens_per_user, used.sessions_per_user};
}

// `words`: the command, such as `user add`.
std::string said(const std::string& words, const AccountOptions& options) {
  std::string text = words + ' ' + options.name + options.invitation;
  if (!options.client.empty()) text += ", " + options.client;
  return text;
}

Result<void> run(CommandContext& context, AccountAction action, Changes changes, const std::string& words,
                 const AccountOptions& options) {
  const auto folder = config_folder(context.config);
  if (!folder) return std::unexpected(folder.error());
  if (auto made = make_config_folder(*folder); !made) return made;
  if (auto upgraded = upgrade_for_command(*folder, context.clock); !upgraded) return upgraded;
  auto accounts = AccountStore::open(*folder / kDatabaseName, context.clock, limits(context, *folder));
  if (!accounts) return std::unexpected(std::move(accounts.error()));
  if (changes == Changes::always || (changes == Changes::if_given && options.gives())) {
    if (auto recorded = record_command(context, *folder, said(words, options)); !recorded) return recorded;
  }
  return action(context, *accounts, options);
}

void add_name(const AccountCommand& command) {
  command.app.add_option("NAME", command.options->name, "The user's name")->required()->type_name("");
}

void add_password_stdin(const AccountCommand& command) {
  command.app.add_flag("--password-stdin", command.options->password_stdin,
                       "Read the password from standard input, one line");
}

}  // namespace

Result<base::Timestamp> end_of_account(const std::string& text) {
  const auto time = base::parse_timestamp(text);
  if (time) return time;
  return base::fail(base::ErrorCode::invalid,
                    fmt::format("{} is no time; expected one such as 2026-12-24T18:00+01:00.", text));
}

Result<core::PolicyPtr> policy_of_file(const std::string& file) {
  const auto text = read_text_file(file);
  if (!text) return std::unexpected(text.error());
  auto policy = read_rights(*text, file);
  if (!policy) return std::unexpected(std::move(policy.error()));
  return std::make_shared<const core::Policy>(std::move(*policy));
}

AccountCommand add_account_command(CLI::App& group, CommandContext& context, const char* name, const char* description,
                                   AccountAction action, Changes changes) {
  CLI::App* const app = group.add_subcommand(name, description);
  auto options = std::make_shared<AccountOptions>();
  add_config_option(*app, context);
  app->callback([&context, action, changes, options, words = group.get_name() + ' ' + name] {
    context.command = [&context, action, changes, options, words] {
      return run(context, action, changes, words, *options);
    };
  });
  return {*app, std::move(options)};
}

void add_account_commands(CLI::App& app, CommandContext& context) {
  CLI::App& user = *app.add_subcommand("user", "Who may use the hub")->require_subcommand(1);
  const auto add = add_account_command(user, context, "add", "Add a user", add_user, Changes::always);
  add_name(add);
  auto* const admin = add.app.add_flag("--admin", add.options->admin, "An administrator");
  add.app.add_flag("--read-only", add.options->read_only, "One who only reads: a display on the wall")->excludes(admin);
  add_password_stdin(add);
  add_account_command(user, context, "list", "List the users", list_users, Changes::never);
  const auto passwd = add_account_command(user, context, "passwd", "Change a user's password, and end their sessions",
                                          change_password, Changes::always);
  add_name(passwd);
  add_password_stdin(passwd);
  passwd.app.add_flag("--revoke-tokens", passwd.options->revoke_tokens, "Revoke the user's long-lived tokens, too");
  add_name(add_account_command(user, context, "activate", "Let a user in again", activate, Changes::always));
  add_name(add_account_command(user, context, "deactivate", "Keep a user out, and close what they have open",
                               deactivate, Changes::always));
  add_name(add_account_command(user, context, "reset-mfa", "Remove a user's authenticator app and passkeys",
                               reset_second_factor, Changes::always));
  const auto role =
      add_account_command(user, context, "role", "Change what a user may do", change_role, Changes::always);
  add_name(role);
  role.app.add_option("ROLE", role.options->role, "administrator, user or reader")->required()->type_name("");

  const auto rights = add_account_command(user, context, "rights", "Show or set what a user may see and do",
                                          change_rights, Changes::if_given);
  add_name(rights);
  auto* const file = rights.app.add_option("--file", rights.options->file, "Set them to what this YAML file says");
  file->type_name("FILE");
  rights.app.add_flag("--clear", rights.options->clear, "Lift all limits but those of the role")->excludes(file);

  const auto until = add_account_command(user, context, "until", "Show or set when a user's account ends", change_end,
                                         Changes::if_given);
  add_name(until);
  auto* const time = until.app.add_option("TIME", until.options->time, "The end, such as 2026-12-24T18:00+01:00");
  time->type_name("");
  until.app.add_flag("--never", until.options->never, "It never ends")->excludes(time);

  add_invitation_commands(user, context);
  add_token_commands(app, context);
}

}  // namespace hearth::app
