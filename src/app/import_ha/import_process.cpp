// SPDX-License-Identifier: Apache-2.0
#include "app/import_ha/import_process.h"

#include <fmt/format.h>

#include <optional>

#include "base/json/json_fields.h"
#include "base/log/log.h"
#include "base/threads/own_process.h"
#include "import_ha/source/secure_tar.h"

namespace hearth::app {
namespace {

using base::ErrorCode;
using base::Result;

constexpr int kNoSuchSource = 2;  // exit code
constexpr std::string_view kOwnWords = "hearth: ";
constexpr std::chrono::milliseconds kTimeToEnd{2'000};
constexpr std::size_t kMaxReport = 64 << 20;       // bytes
constexpr unsigned kMaxImportSeconds = 6 * 3'600;  // of the processor

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); !what.empty() && at != text.npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

// As who uses a page can understand it.
std::string words_for_pages(std::string text, const ImportProcess& process) {
  if (process.order.source.starts_with("upload:")) replace_all(text, process.source.string(), "The file");
  replace_all(text, process.home.string() + "/", "");
  replace_all(text, " (--passphrase-stdin)", "");
  return text;
}

base::OwnProcess own_process_of(const ImportProcess& process) {
  const api::Imports::Order& order = process.order;
  base::OwnProcess own;
  own.arguments = {"import-ha",  process.source.string(),     "--config", process.home.string(), "--prepare", "--json",
                   "--progress", "--history=" + order.history};
  const auto add = [&](bool wanted, std::string_view option) {
    if (wanted) own.arguments.emplace_back(option);
  };
  add(process.dry_run, "--dry-run");
  add(!order.credentials, "--no-credentials");
  add(order.automations_off, "--automations=off");
  add(order.side_by_side, "--side-by-side");
  add(!order.passphrase.empty(), "--passphrase-stdin");
  if (!order.passphrase.empty()) own.input = order.passphrase + '\n';
  own.is_wanted = process.is_wanted;
  own.time_to_end = kTimeToEnd;
  own.max_line = kMaxReport;
  own.max_seconds = kMaxImportSeconds;
  return own;
}

}  // namespace

Result<json::object> run_import_process(const ImportProcess& process) {
  base::OwnProcess own = own_process_of(process);
  std::optional<json::object> report;
  own.on_line = [&](std::string_view line) {
    if (auto read = base::parse_json(line); read && read->is_object()) report = std::move(read->get_object());
  };
  std::string why;
  own.on_error_line = [&](std::string_view line) {
    if (line.starts_with('{')) {
      const auto read = base::parse_json(line);
      const json::object* const said = read ? read->if_object() : nullptr;
      if (said) {
        process.progress(base::text_at(*said, "step"), static_cast<std::uint64_t>(base::number_at(*said, "done")),
                         static_cast<std::uint64_t>(base::number_at(*said, "of")));
      }
    } else if (line.starts_with(kOwnWords)) {
      why = line.substr(kOwnWords.size());
    } else if (!line.empty()) {
      base::log_info("import", "{}", line);
    }
  };
  const auto ended = base::run(own);
  if (!ended) return std::unexpected(ended.error());
  if (ended->code == 0 && report) return std::move(*report);
  if (why.empty()) {
    return base::fail(ErrorCode::unavailable, ended->code > 128
                                                  ? fmt::format("The import was ended by signal {}.", ended->code - 128)
                                                  : fmt::format("The import ended with {}.", ended->code));
  }
  why = words_for_pages(std::move(why), process);
  const bool of_passphrase =
      why.contains(import_ha::kWrongPassphrase) || why.contains("is protected");  // backup_unpacker.cpp
  return base::fail(ended->code == kNoSuchSource || of_passphrase ? ErrorCode::invalid : ErrorCode::unavailable, why);
}

}  // namespace hearth::app
