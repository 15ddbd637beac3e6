// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <ostream>

#include "app/commands/account_options.h"
#include "app/commands/text_table.h"
#include "app/connections/integrations.h"
#include "app/files/rights_file.h"
#include "app/settings/config_folder.h"
#include "app/settings/settings.h"
#include "app/upgrade/kept_copies.h"

namespace hearth::app {
namespace {

using auth::AccountStore;
using base::Result;

// Of the home on this folder; empty if it has none.
std::string address_of_home(const CommandContext& context) {
  const auto folder = config_folder(context.config);
  if (!folder) return {};
  const auto settings = load_settings_to_start(*folder, known_integrations(context.integrations), LastGood(*folder));
  if (!settings) return {};
  return settings->home.external_url.empty() ? settings->home.internal_url : settings->home.external_url;
}

Result<void> invite(CommandContext& context, AccountStore& accounts, const AccountOptions& options) {
  auth::NewInvitation invitation{.name = options.name, .role = options.role_of_flags()};
  if (!options.file.empty()) {
    auto policy = policy_of_file(options.file);
    if (!policy) return std::unexpected(std::move(policy.error()));
    invitation.policy = std::move(*policy);
  } else if (!options.areas.empty()) {
    core::Policy policy;
    policy.read.areas.insert(options.areas.begin(), options.areas.end());
    policy.control = policy.read;
    invitation.policy = std::make_shared<const core::Policy>(std::move(policy));
  }
  if (!options.time.empty()) {
    const auto time = end_of_account(options.time);
    if (!time) return std::unexpected(time.error());
    invitation.ends_at = *time;
  }
  const auto text = accounts.invite(invitation);
  if (!text) return std::unexpected(text.error());
  const std::string address = address_of_home(context);
  context.out << fmt::format("{}/hearth/invitation#{}\n", address, *text);
  context.err << fmt::format("This link is shown only now; it is good once, for {} hours.\n",
                             AccountStore::kInvitationLife.count());
  if (address.empty()) context.err << "Put the address of the hub before it: home has no external_url.\n";
  return {};
}

Result<void> list_invitations(CommandContext& context, AccountStore& accounts, const AccountOptions&) {
  const auto invitations = accounts.invitations();
  if (!invitations) return std::unexpected(invitations.error());
  std::vector<std::vector<std::string>> rows{{"ID", "FOR", "ROLE", "RIGHTS", "ENDS (UTC)", "INVITATION (UTC)"}};
  for (const auto& each : *invitations) {
    const auto& given = each.given;
    const bool over = each.expires_at <= context.clock.now();
    rows.push_back({each.id, given.name, std::string(to_string(given.role)),
                    given.policy ? short_rights_text(*given.policy) : "-",
                    given.ends_at ? minute_text(*given.ends_at) : "never",
                    each.used_at ? fmt::format("used {} as {}", minute_text(*each.used_at), each.used_by)
                                 : fmt::format("{} {}", over ? "ended" : "until", minute_text(each.expires_at))});
  }
  context.out << format_table(rows);
  return {};
}

Result<void> uninvite(CommandContext&, AccountStore& accounts, const AccountOptions& options) {
  return accounts.revoke_invitation(options.invitation);
}

}  // namespace

void add_invitation_commands(CLI::App& user, CommandContext& context) {
  const auto guest = add_account_command(user, context, "invite", "Print a link by which somebody makes an account",
                                         invite, Changes::always);
  guest.app.add_option("NAME", guest.options->name, "Of whom you invite")->required()->type_name("");
  auto* const as_admin = guest.app.add_flag("--admin", guest.options->admin, "As an administrator");
  guest.app.add_flag("--read-only", guest.options->read_only, "As one who only reads")->excludes(as_admin);
  auto* const guests_file = guest.app.add_option("--file", guest.options->file, "With the rights of this YAML file");
  guests_file->type_name("FILE");
  guest.app.add_option("--areas", guest.options->areas, "For what is in these areas, by their ids")
      ->type_name("ID")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->excludes(guests_file);
  guest.app.add_option("--until", guest.options->time, "When the account ends")->type_name("TIME");
  add_account_command(user, context, "invitations", "List the invitations", list_invitations, Changes::never);
  const auto taken_back =
      add_account_command(user, context, "uninvite", "Take an invitation back", uninvite, Changes::always);
  taken_back.app.add_option("ID", taken_back.options->invitation, "As the list has it")->required()->type_name("");
}

}  // namespace hearth::app
