// SPDX-License-Identifier: Apache-2.0
// One thing that somebody did, as the audit log records it, and a row of the log. Values. Any thread.
//
// No field has a secret, a password, a token or a text that somebody wrote: `subject` names a thing, and contents are
// hashes only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace hearth::audit {

struct Entry {
  static constexpr std::size_t kMaxText = 255;  // bytes of each text; the rest is cut off

  std::string what;          // one of kinds.h, or the API's own name: `config/auth/create`, `POST /api/backups`
  std::string subject = {};  // the thing's id or name; empty: there is none
  std::string user_id = {};  // empty: nobody that the hub knows
  std::string user = {};     // the name at that time
  std::string address = {};  // empty: not over the network
  std::string client = {};   // `token <id>`, `session <id>`, the address of a client's page, or `command line`
  std::string before = {};   // SHA-256 of the thing as it was, 64 hexadecimal digits; empty: unknown, or there was none
  std::string after = {};    // … of what the change gave it
  std::int64_t count = 1;    // how often it happened: of rows that count
};

// The end of the chain, or any row of it: who writes it down can tell later that the log still has that row.
struct Head {
  std::int64_t number = 0;  // of the row; 0: there is none yet
  std::string hash = std::string(64, '0');

  bool operator==(const Head&) const = default;
};

struct Row {
  std::int64_t number = 0;  // 1, 2, 3 …, without gaps
  base::Timestamp time;
  Entry entry;
  std::string hash;  // over this row and the hash of the row before
};

}  // namespace hearth::audit
