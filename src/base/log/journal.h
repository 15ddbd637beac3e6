// SPDX-License-Identifier: Apache-2.0
// The journal of systemd, by its native protocol (datagrams of KEY=value lines): records keep their level, component,
// source, entity and context as fields of their own. One object, any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/log/log_scope.h"
#include "base/log/recent_log.h"

namespace hearth::base {

class Journal {
 public:
  static constexpr std::string_view kSocket = "/run/systemd/journal/socket";

  // True if this file descriptor leads to the journal, as $JOURNAL_STREAM says.
  static bool has(int descriptor);

  explicit Journal(std::string_view path = kSocket);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  // `about`: texts without control characters. False if the journal did not take it. Does not wait.
  bool send(const LogRecord& record, const LogScope::About& about = {}) const noexcept;

 private:
  const std::string path_;
  const int socket_;
};

}  // namespace hearth::base
