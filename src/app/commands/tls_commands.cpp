// SPDX-License-Identifier: Apache-2.0
#include "app/commands/tls_commands.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <memory>
#include <ostream>
#include <set>
#include <system_error>
#include <vector>

#include "app/files/private_file.h"
#include "app/network/local_address.h"
#include "app/settings/config_folder.h"
#include "http/tls/self_signed.h"

namespace hearth::app {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;
using base::Result;

constexpr const char *kCertificate = "certificate.pem", *kKey = "certificate_key.pem";

struct SelfSignedOptions {
  std::vector<std::string> names;
  int days = 397;  // browsers take none that is valid for longer
  bool force = false;
};

// A DNS name, which may begin with `*.` (RFC 6125 §6.4.3).
bool is_dns_name(const std::string& name) {
  constexpr std::string_view kFitting = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.*";
  return !name.empty() && name.size() <= 253 && name.find_first_not_of(kFitting) == std::string::npos &&
         name.rfind('*') == (name.starts_with("*.") ? 0 : std::string::npos);
}

// By which the home's clients reach this machine.
std::vector<std::string> own_names() {
  std::set<std::string> names{"localhost", "127.0.0.1", "::1", reachable_host({})};
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) == 0 && is_dns_name(host.data())) {
    names.insert(host.data());
    const std::string first = std::string(host.data()).substr(0, std::string_view(host.data()).find('.'));
    names.insert(first + ".local");
  }
  return {names.begin(), names.end()};
}

Result<void> make_self_signed(CommandContext& context, const SelfSignedOptions& options) {
  const auto folder = config_folder(context.config);
  if (!folder) return std::unexpected(folder.error());
  const std::vector<std::string> names = options.names.empty() ? own_names() : options.names;
  for (const std::string& name : names) {
    if (!http::is_address(name) && !is_dns_name(name))
      return base::fail(ErrorCode::invalid, fmt::format("{}: expected a host name or an address", name));
  }
  for (const char* const name : {kCertificate, kKey}) {
    std::error_code ignored;
    if (!options.force && fs::exists(*folder / name, ignored))
      return base::fail(ErrorCode::conflict,
                        fmt::format("{} is there already; --force replaces it", (*folder / name).native()));
  }
  if (auto made = make_config_folder(*folder); !made) return made;
  const auto pair = http::make_self_signed(names, options.days);
  if (!pair) return std::unexpected(pair.error());
  // The key first: a certificate without its key is refused, a key without a certificate is only not used.
  if (auto written = write_private_file(*folder / kKey, pair->key); !written) return written;
  if (auto written = write_private_file(*folder / kCertificate, pair->certificate, 0644); !written) return written;
  context.out << fmt::format(
      "{} is for {}, for {} days.\nIt is in force with these lines in configuration.yaml:\n\n"
      "http:\n  tls:\n    certificate: {}\n    key: {}\n",
      (*folder / kCertificate).native(), fmt::join(names, ", "), options.days, kCertificate, kKey);
  return {};
}

}  // namespace

void add_tls_commands(CLI::App& app, CommandContext& context) {
  CLI::App& group = *app.add_subcommand("tls", "Certificates of the hub's own port");
  group.require_subcommand(1);
  CLI::App& command = *group.add_subcommand(
      "self-signed", "Makes a certificate that browsers warn of once, and its key, in the configuration folder");
  const auto options = std::make_shared<SelfSignedOptions>();
  command.add_option("--name", options->names, "A host name or address of the hub; may be repeated (this machine's)")
      ->type_name("NAME");
  command.add_option("--days", options->days, "How long it is valid")
      ->check(CLI::Range(1, 3650))
      ->capture_default_str();
  command.add_flag("--force", options->force, "Replaces the files that are there");
  add_config_option(command, context);
  command.callback(
      [&context, options] { context.command = [&context, options] { return make_self_signed(context, *options); }; });
}

}  // namespace hearth::app
