// SPDX-License-Identifier: Apache-2.0
// The common part of the commands `user` and `token`: their options, and how one is added and run. Main thread.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/commands/command_context.h"
#include "auth/accounts/account_store.h"

namespace hearth::app {

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
  std::string time;        // of an account's end
  std::string invitation;  // its id
  std::int64_t days = auth::kDefaultTokenLife.count();

  // True if they set what the command would show without them.
  bool gives() const { return clear || never || !file.empty() || !time.empty(); }
  auth::Role role_of_flags() const {
    return admin ? auth::Role::administrator : read_only ? auth::Role::reader : auth::Role::user;
  }
};

using AccountAction = base::Result<void> (*)(CommandContext&, auth::AccountStore&, const AccountOptions&);

// If the command changes something, and is recorded: `if_given` means AccountOptions::gives.
enum class Changes { never, always, if_given };

// One command of a group. The options live as long as the app that owns the callback.
struct AccountCommand {
  CLI::App& app;
  std::shared_ptr<AccountOptions> options;
};
AccountCommand add_account_command(CLI::App& group, CommandContext& context, const char* name, const char* description,
                                   AccountAction action, Changes changes);

void add_invitation_commands(CLI::App& user, CommandContext& context);
void add_token_commands(CLI::App& app, CommandContext& context);

// Of an account. Fails with invalid.
base::Result<base::Timestamp> end_of_account(const std::string& text);
base::Result<core::PolicyPtr> policy_of_file(const std::string& file);

}  // namespace hearth::app
