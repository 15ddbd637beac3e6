// SPDX-License-Identifier: Apache-2.0
// What a site publishes of its log: some changes and events in their order, in one zstd frame. It says which part of
// the log it is, so that whoever folds batches notices what is missing, old or there already.
//
// Any thread; pure functions.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "recorder/log_tail.h"

namespace hearth::fleet {

// A site's name is a part of its entities' ids: a slug of at most 32 characters.
constexpr std::size_t kMaxSiteName = 32;
bool is_site_name(std::string_view name);

struct Batch {
  static constexpr std::uint64_t kFormat = 1;
  static constexpr std::size_t kMaxEntries = 10'000;
  static constexpr std::size_t kMaxBytes = 16 * 1024 * 1024;  // unpacked

  std::string site;
  std::string epoch;       // the name of the site's history file: numbers are valid within it
  std::int64_t after = 0;  // it has everything of the log after this number …
  std::int64_t until = 0;  // … up to this one
  std::vector<recorder::TailEntry> entries;
  std::shared_ptr<const void> texts = {};  // what the entries are views of
};

// One message is one batch: a broker that gets it twice knows it by this.
std::string message_id(std::string_view site, std::string_view epoch, std::int64_t after);

// REQUIRES: a site's name, and at most kMaxEntries. Fails with full if it would have more than kMaxBytes.
base::Result<std::string> encode_batch(std::string_view site, std::int64_t after, const recorder::TailPart& part);

// Fails with unavailable for a format that this hub does not know, which a newer one may, and with invalid for anything
// else that is no batch.
base::Result<Batch> decode_batch(std::span<const std::uint8_t> bytes);

}  // namespace hearth::fleet
