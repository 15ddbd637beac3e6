// SPDX-License-Identifier: Apache-2.0
#include "app/supervision.h"

#include <fmt/format.h>

#include <fstream>

#include "base/log/log.h"
#include "base/service_manager.h"

namespace hearth::app {

void Supervision::ready(std::string_view status) {
  base::notify_service_manager(fmt::format("READY=1\nSTATUS={}", status));
  const auto time = base::watchdog_time();
  if (!time) return;
  interval_ = *time / 3;  // one may come late
  bus_.post([this] { give_sign_of_life(); });
}

void Supervision::stopping() {
  base::notify_service_manager("STOPPING=1\nSTATUS=Stopping");
}

void Supervision::give_sign_of_life() {
  base::notify_service_manager("WATCHDOG=1");
  timer_ = bus_.schedule(*interval_, [this] { give_sign_of_life(); });
}

void Supervision::watch() {
  const bool hangs = bus_.watch().held() >= kHangs;
  const bool begins = hangs && !hangs_;
  hangs_ = hangs;
  if (!begins) return;
  const std::filesystem::path file = folder_ / kFile;
  base::log_error("hub", "the home stands still; the last lines of the log are kept in {}", file.string());
  const auto records = base::recent_log().records();
  std::ofstream out(file, std::ios::trunc);
  for (std::size_t i = records.size() - std::min(records.size(), kKeptLines); i < records.size(); ++i)
    out << records[i]->text() << '\n';
  if (!out.flush()) base::log_error("hub", "{} cannot be written", file.string());
}

}  // namespace hearth::app
