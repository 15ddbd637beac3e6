// SPDX-License-Identifier: Apache-2.0
#include "app/commands/backup_commands.h"

#include <fmt/format.h>

#include <memory>
#include <ostream>

#include "app/commands/audit_commands.h"
#include "app/commands/interruption.h"
#include "app/commands/password_prompt.h"
#include "app/connections/integrations.h"
#include "app/settings/config_folder.h"
#include "app/settings/settings.h"
#include "app/version.h"
#include "audit/audit_file.h"
#include "backup/backup_writer.h"
#include "backup/home_files.h"
#include "backup/restore.h"
#include "base/text/timestamp.h"
#include "recorder/journal/registry_store.h"
#include "storage/database.h"

namespace hearth::app {
namespace {

namespace fs = std::filesystem;
using base::Result;

constexpr std::chrono::milliseconds kMargin{100};  // for the commit itself

struct BackupOptions {
  std::string file;
  bool force = false;
  bool verify = false;
  bool encrypt = false;
  bool with_keys = false;
  bool passphrase_stdin = false;
};

Result<fs::path> absolute(const std::string& file) {
  std::error_code error;
  auto path = fs::absolute(file, error);
  if (error || file.empty() || path.filename().empty())
    return base::fail(base::ErrorCode::invalid, fmt::format("{} names no file.", file.empty() ? "FILE" : file));
  return path.lexically_normal();
}

Result<std::string> new_passphrase(CommandContext& context, const BackupOptions& options) {
  if (options.passphrase_stdin) return read_passphrase(context.in);
  if (!options.encrypt) return std::string();
  auto first = context.ask_password("Passphrase for the backup: ");
  if (!first) return first;
  const auto second = context.ask_password("Once more: ");
  if (second && *second != *first) return base::fail(base::ErrorCode::invalid, "The two passphrases differ.");
  return second;
}

std::string size_text(std::uint64_t bytes) {
  if (bytes < 1'024 * 1'024) return fmt::format("{:.1f} KiB", static_cast<double>(bytes) / 1'024);
  return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1'024 * 1'024));
}

// The home's name: from configuration.yaml, or as set by an administrator. An invalid configuration does not prevent a
// backup.
std::string home_name(const fs::path& folder, const Result<Settings>& settings) {
  if (settings && settings->home_places.contains("location_name")) return settings->home.location_name;
  if (auto database = storage::Database::open(folder / kDatabaseName)) {
    auto select = database->prepare("SELECT value FROM home_settings WHERE key = 'location_name'");
    if (select) {
      if (const auto row = select->step(); row && *row) return std::string(select->text(0));
    }
  }
  return settings ? settings->home.location_name : "";
}

// A running hub may take this long to write what it has acknowledged. If none runs, there is no such file.
bool wait_for_the_hub(const fs::path& folder, const Result<Settings>& settings, const Interruption& interruption) {
  std::error_code error;
  if (!fs::exists(folder / "history.db-wal", error)) return true;
  const auto interval = settings ? settings->recorder.commit_interval : recorder::RecorderOptions().commit_interval;
  return interruption.wait(interval + recorder::RegistryStore::kCommitInterval + kMargin);
}

Result<void> make(CommandContext& context, const BackupOptions& options) {
  const auto folder = config_folder(context.config);
  if (!folder) return std::unexpected(folder.error());
  const auto target = absolute(options.file);
  if (!target) return std::unexpected(target.error());
  std::error_code error;
  if (!fs::exists(*folder / kDatabaseName, error))
    return base::fail(base::ErrorCode::invalid, fmt::format("There is no home in {}.", folder->string()));
  if (!options.force && fs::exists(fs::symlink_status(*target, error))) {
    return base::fail(base::ErrorCode::invalid,
                      fmt::format("{} is there already; --force writes over it.", target->string()));
  }
  auto passphrase = new_passphrase(context, options);
  if (!passphrase) return std::unexpected(passphrase.error());

  const auto settings = load_settings_to_start(*folder, known_integrations(context.integrations), LastGood(*folder));
  const Interruption interruption;
  if (!wait_for_the_hub(*folder, settings, interruption))
    return base::fail(base::ErrorCode::unavailable, "Interrupted; nothing was written.");
  backup::BackupPlan plan;
  plan.go_on = [&] { return interruption.none(); };
  plan.folder = *folder;
  plan.target = *target;
  plan.replace = options.force;
  plan.version = version();
  plan.home_name = home_name(*folder, settings);
  plan.created = context.clock.now();
  plan.secrets = options.with_keys;
  plan.passphrase = std::move(*passphrase);
  // It changes nothing, and a full disk is a reason to make one: it goes on without its row.
  if (fs::exists(*folder / audit::kFileName, error))
    static_cast<void>(record_command(context, *folder, "backup " + target->filename().string()));
  const auto made = backup::make_backup(plan);
  if (!made) return std::unexpected(made.error());
  context.out << fmt::format("Wrote {}: {} files, {}.\n", target->string(), made->manifest.files.size(),
                             size_text(made->bytes));
  return {};
}

std::string described(const backup::Manifest& manifest) {
  return fmt::format("{} of {} UTC, Hearth {}: {} files, {}",
                     manifest.home_name.empty() ? "a home" : manifest.home_name,
                     base::to_string(manifest.created).replace(10, 1, " ").substr(0, 16), manifest.version,
                     manifest.files.size(), size_text(manifest.bytes()));
}

Result<void> restore(CommandContext& context, const BackupOptions& options) {
  const auto file = absolute(options.file);
  if (!file) return std::unexpected(file.error());
  backup::BackupToRead backup{*file, {}, std::string(version()), [] { return true; }};
  const auto head = backup::read_head(*file);
  if (!head) return std::unexpected(head.error());
  if (head->encrypted) {
    auto passphrase =
        options.passphrase_stdin ? read_passphrase(context.in) : context.ask_password("Passphrase of the backup: ");
    if (!passphrase) return std::unexpected(passphrase.error());
    backup.passphrase = std::move(*passphrase);
  }
  const Interruption interruption;
  backup.go_on = [&] { return interruption.none(); };
  if (options.verify) {
    const auto manifest = backup::verify_backup(backup);
    if (!manifest) return std::unexpected(manifest.error());
    context.out << fmt::format("{} is whole: {}.\n", file->string(), described(*manifest));
    return {};
  }
  const auto folder = config_folder(context.config);
  if (!folder) return std::unexpected(folder.error());
  const auto manifest = backup::restore_home(backup, *folder);
  if (!manifest) return std::unexpected(manifest.error());
  static_cast<void>(record_command(context, *folder, "restore " + file->filename().string()));
  context.out << fmt::format("Restored into {}: {}.\n", folder->string(), described(*manifest));
  return {};
}

using BackupAction = Result<void> (*)(CommandContext&, const BackupOptions&);

// The options live as long as the app that owns the callback.
std::pair<CLI::App&, std::shared_ptr<BackupOptions>> add_command(CLI::App& app, CommandContext& context,
                                                                 const char* name, const char* description,
                                                                 const char* file, BackupAction action) {
  CLI::App* const command = app.add_subcommand(name, description);
  auto options = std::make_shared<BackupOptions>();
  add_config_option(*command, context);
  command->add_option("FILE", options->file, file)->required()->type_name("");
  command->callback([&context, action, options] {
    context.command = [&context, action, options] { return action(context, *options); };
  });
  return {*command, std::move(options)};
}

}  // namespace

void add_backup_commands(CLI::App& app, CommandContext& context) {
  const auto [backup, made] =
      add_command(app, context, "backup", "Write the home into one file, while the hub runs or not",
                  "The backup, such as home-2026-11-22.tar.zst", make);
  backup.add_flag("--force", made->force, "Write over a file that is there");
  backup.add_flag("--encrypt", made->encrypt, "Ask for a passphrase, without which nobody can read the backup");
  backup.add_flag("--passphrase-stdin", made->passphrase_stdin,
                  "Encrypt, with the passphrase from standard input, one line");
  backup.add_flag("--with-keys", made->with_keys,
                  "The keys of connections, too, which are in an encrypted backup anyway");

  const auto [restored, options] = add_command(
      app, context, "restore", "Put the home of a backup into a new or empty folder", "The backup", restore);
  restored.add_flag("--verify", options->verify, "Only say whether the backup is whole");
  restored.add_flag("--passphrase-stdin", options->passphrase_stdin,
                    "Read the passphrase from standard input, one line");
}

}  // namespace hearth::app
