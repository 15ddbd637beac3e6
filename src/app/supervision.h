// SPDX-License-Identifier: Apache-2.0
// Shows the service manager (systemd) that the home is alive: a sign of life comes from the bus itself, so that a bus
// that hangs is found and the hub restarted. Before that, the last lines of the log are kept in a file of the home.
// Used by the app's main thread.
#pragma once

#include <filesystem>
#include <optional>

#include "core/bus/event_bus.h"

namespace hearth::app {

class Supervision {
 public:
  // A bus that has been held for so long hangs.
  static constexpr std::chrono::seconds kHangs{5};
  static constexpr std::size_t kKeptLines = 200;
  static constexpr const char* kFile = "last-hang.log";

  // Both must outlive this.
  Supervision(core::EventBus& bus, const std::filesystem::path& folder) : bus_(bus), folder_(folder) {}

  // The bus runs, and clients are answered.
  void ready(std::string_view status);
  void stopping();
  // Once a second. Writes the file if the bus hangs, once for each time.
  void watch();

 private:
  void give_sign_of_life();

  core::EventBus& bus_;
  const std::filesystem::path& folder_;
  std::optional<base::Duration> interval_;  // of the signs of life; null: nobody waits for them
  bool hangs_ = false;
  core::Timer timer_;  // used by the bus thread after ready()
};

}  // namespace hearth::app
