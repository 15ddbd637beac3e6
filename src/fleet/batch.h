// SPDX-License-Identifier: Apache-2.0
// A batch of a site's log: some changes and events in their order. A header, which is not packed, says which part of
// the log it is, so that readers notice missing, old and repeated parts; a frame of zstd has the entries.
//
// Any thread; pure functions.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "recorder/log/log_tail.h"

namespace hearth::fleet {

// A site's name is a part of its entities' ids: a slug of at most 32 characters.
constexpr std::size_t kMaxSiteName = 32;
bool is_site_name(std::string_view name);

// The name of a site's history file: 32 hexadecimal digits.
bool is_epoch(std::string_view name);

struct BatchHeader {
  std::string_view site;
  std::string_view epoch;       // the name of the site's history file: numbers are valid within it
  std::int64_t after = 0;       // the batch has everything of the log after this number …
  std::int64_t until = 0;       // … up to this one
  std::size_t count = 0;        // of its entries
  std::string_view frame = {};  // them, packed
};

struct Batch {
  static constexpr std::uint64_t kFormat = 1;
  static constexpr std::size_t kMaxEntries = 10'000;
  static constexpr std::size_t kMaxBytes = 16 * 1024 * 1024;  // unpacked

  std::string site;
  std::string epoch;
  std::int64_t after = 0;
  std::int64_t until = 0;
  std::vector<recorder::TailEntry> entries;
  std::shared_ptr<const void> texts = {};  // what the entries are views of
};

// One message is one batch: an engine that gets it twice knows it by this. Another end is another batch: what is sent
// again may have grown.
std::string message_id(std::string_view site, std::string_view epoch, std::int64_t after, std::int64_t until);

// REQUIRES: a site's name, and at most kMaxEntries. Fails with full if it would have more than kMaxBytes.
base::Result<std::string> encode_batch(std::string_view site, std::int64_t after, const recorder::TailPart& part);

// Both fail with unavailable for a format that this hub does not know, which a newer one may, and with invalid for
// anything else that is no batch. The header is a view of the bytes; its frame is not looked at.
base::Result<BatchHeader> read_header(std::span<const std::uint8_t> bytes);
base::Result<Batch> decode_batch(std::span<const std::uint8_t> bytes);

}  // namespace hearth::fleet
