// SPDX-License-Identifier: Apache-2.0
#include "recorder/journal/journal_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <boost/crc.hpp>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <sstream>

namespace hearth::recorder {
namespace {

constexpr std::uint32_t kRemoved = 0xffff'ffff;

void put_number(std::string& out, std::uint32_t number) {
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  out.append(bytes, sizeof number);
}

// Null if the text is too short.
std::optional<std::uint32_t> take_number(std::string_view& text) {
  std::uint32_t number = 0;
  if (text.size() < sizeof number) return {};
  std::memcpy(&number, text.data(), sizeof number);
  text.remove_prefix(sizeof number);
  return number;
}

std::optional<std::string_view> take_text(std::string_view& text, std::uint32_t length) {
  if (text.size() < length) return {};
  const std::string_view taken = text.substr(0, length);
  text.remove_prefix(length);
  return taken;
}

std::uint32_t checksum(std::string_view text) {
  boost::crc_32_type sum;
  sum.process_bytes(text.data(), text.size());
  return sum.checksum();
}

std::string head_of(std::string_view generation) {
  return fmt::format("hearth journal 1 {}\n", generation);
}

// False if it is damaged.
bool read_record(std::string_view record, JournalLog::Entries& entries) {
  while (!record.empty()) {
    const auto key_length = take_number(record), length = take_number(record);
    if (!key_length || !length) return false;
    const auto key = take_text(record, *key_length);
    const auto text = *length == kRemoved ? std::optional(std::string_view()) : take_text(record, *length);
    if (!key || !text) return false;
    entries.insert_or_assign(std::string(*key), *length == kRemoved ? std::nullopt : std::optional(std::string(*text)));
  }
  return true;
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

JournalLog::~JournalLog() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

JournalLog::Entries JournalLog::read(std::string_view generation) const {
  std::ifstream in(file_, std::ios::binary);
  std::ostringstream content;
  content << in.rdbuf();
  const std::string all = content.str(), head = head_of(generation);
  Entries entries;
  if (!all.starts_with(head)) return entries;
  std::string_view rest = std::string_view(all).substr(head.size());
  while (const auto length = take_number(rest)) {
    const auto sum = take_number(rest);
    const auto record = sum ? take_text(rest, *length) : std::nullopt;
    if (!record || record->empty() || checksum(*record) != *sum || !read_record(*record, entries)) break;
  }
  return entries;
}

base::Result<void> JournalLog::begin(std::string_view generation) {
  if (descriptor_ < 0)
    descriptor_ = ::open(file_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
  const std::string head = head_of(generation);
  bytes_ = kMaxBytes;  // nothing may be appended to what is not as it should be
  if (descriptor_ < 0 || ::ftruncate(descriptor_, 0) != 0 || !write_all(descriptor_, head))
    return base::fail(base::ErrorCode::unavailable, fmt::format("{}: {}", file_.string(), std::strerror(errno)));
  bytes_ = head.size();
  return {};
}

base::Result<bool> JournalLog::append(const Entries& entries) {
  std::string record;
  for (const auto& [key, text] : entries) {
    put_number(record, static_cast<std::uint32_t>(key.size()));
    put_number(record, text ? static_cast<std::uint32_t>(text->size()) : kRemoved);
    record += key;
    if (text) record += *text;
    if (record.size() > kMaxAppend) return false;
  }
  if (descriptor_ < 0 || bytes_ + record.size() + 2 * sizeof(std::uint32_t) > kMaxBytes) return false;
  std::string all;
  put_number(all, static_cast<std::uint32_t>(record.size()));
  put_number(all, checksum(record));
  all += record;
  if (write_all(descriptor_, all)) {
    bytes_ += all.size();
    return true;
  }
  bytes_ = kMaxBytes;  // a part may be there, behind which nothing would be read
  return base::fail(base::ErrorCode::unavailable, fmt::format("{}: {}", file_.string(), std::strerror(errno)));
}

}  // namespace hearth::recorder
