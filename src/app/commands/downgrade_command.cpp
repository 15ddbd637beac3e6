// SPDX-License-Identifier: Apache-2.0
#include "app/commands/downgrade_command.h"

#include <fmt/format.h>

#include <memory>
#include <ostream>

#include "app/commands/text_table.h"
#include "app/folder_lock.h"
#include "app/settings/config_folder.h"
#include "app/upgrade/downgrade.h"
#include "app/upgrade/home_schemas.h"
#include "app/upgrade/upgrade.h"
#include "app/version.h"

namespace hearth::app {
namespace {

using base::Result;

Result<void> list_copies(CommandContext& context, const std::filesystem::path& folder) {
  const auto copies = kept_copies(folder);
  if (copies.empty()) {
    context.out << "There are no copies of earlier versions.\n";
    return {};
  }
  std::vector<std::vector<std::string>> rows{{"VERSION", "AS OF (UTC)", "KEPT UNTIL", "MIB", "FILES", "NAME"}};
  for (const KeptCopy& copy : copies) {
    std::string files;
    for (const std::string_view database : kDatabases) {
      if (copy.has(database)) files += fmt::format("{}{}", files.empty() ? "" : ", ", database);
    }
    rows.push_back({copy.from, minute_text(copy.made), minute_text(copy.made + kCopiesAreKept).substr(0, 10),
                    fmt::format("{:.1f}", static_cast<double>(copy.bytes()) / (1 << 20)), files, copy.name()});
  }
  context.out << format_table(rows) << "Go back with: hearth downgrade --to VERSION (or NAME)\n";
  return {};
}

std::string_view lost_with(std::string_view database) {
  return database == kDatabases.front()
             ? "what users, tokens, names, areas, devices, settings and items have become since is not in it"
             : "what was recorded since is not in it";
}

Result<void> go_back(CommandContext& context, const std::filesystem::path& folder, const std::string& to) {
  const auto lock = FolderLock::lock(folder);
  if (!lock) {
    return base::fail(base::ErrorCode::conflict,
                      fmt::format("A hub runs with {}; stop it first: systemctl stop hearth.", folder.string()));
  }
  const auto plan = plan_downgrade(folder, to);
  if (!plan) return std::unexpected(plan.error());
  const auto aside = put_back(folder, *plan, context.clock.now());
  if (!aside) return std::unexpected(aside.error());
  if (plan->files.empty()) {
    context.out << fmt::format("Hearth {} can read the home as it is; nothing was put back.\n", plan->version);
    return {};
  }
  for (const Downgrade::File& file : plan->files) {
    context.out << fmt::format("{} is as of {} UTC again: {}.\n", file.database, minute_text(file.made),
                               lost_with(file.database));
  }
  context.out << fmt::format(
      "The newer files are in {}; remove them when you are content.\n"
      "Now install Hearth {} and start it. {} would upgrade the home again.\n",
      aside->string(), plan->version, version());
  return {};
}

}  // namespace

Result<void> upgrade_for_command(const std::filesystem::path& folder, const base::Clock& clock) {
  const auto age = age_of_home(folder);
  if (!age) return std::unexpected(age.error());
  if (age->older.empty() && age->newer.empty()) return {};
  const auto lock = FolderLock::lock(folder);
  if (!lock) {
    return base::fail(
        base::ErrorCode::conflict,
        fmt::format("The hub that runs with {} is another version of Hearth; restart it first.", folder.string()));
  }
  return upgrade_home(folder, version(), clock.now());
}

void add_downgrade_command(CLI::App& app, CommandContext& context) {
  CLI::App& downgrade = *app.add_subcommand(
      "downgrade", "Go back to the databases from before an upgrade; without --to, list the copies");
  add_config_option(downgrade, context);
  const auto to = std::make_shared<std::string>();
  downgrade.add_option("--to", *to, "The version to go back to, or the name of a copy")->type_name("VERSION");
  downgrade.callback([&context, to] {
    context.command = [&context, to]() -> Result<void> {
      const auto folder = config_folder(context.config);
      if (!folder) return std::unexpected(folder.error());
      return to->empty() ? list_copies(context, *folder) : go_back(context, *folder, *to);
    };
  });
}

}  // namespace hearth::app
