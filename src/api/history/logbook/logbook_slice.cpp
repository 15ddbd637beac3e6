// SPDX-License-Identifier: Apache-2.0
#include "api/history/logbook/logbook_slice.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <tuple>

namespace hearth::api {
namespace {

constexpr std::size_t kBlock = 64 * 1024;
constexpr std::size_t kFirstBlock = 4 * 1024;

// The texts behind the head, each behind its length.
template <std::size_t N>
std::array<std::string_view, N> kept_texts(const char* at) {
  std::array<std::string_view, N> texts;
  ++at;
  for (std::string_view& text : texts) {
    std::uint32_t size;
    std::memcpy(&size, at, sizeof size);
    text = {at + sizeof size, size};
    at += sizeof size + size;
  }
  return texts;
}

std::uint32_t short_hash(std::string_view text) {
  return static_cast<std::uint32_t>(std::hash<std::string_view>()(text));
}

}  // namespace

template <class... Texts>
const char* LogbookSlice::keep(char head, const Texts&... texts) {
  const std::size_t size = 1 + (... + (sizeof(std::uint32_t) + texts.size()));
  if (size > left_) {
    left_ = std::max(size, blocks_.empty() ? kFirstBlock : kBlock);
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(left_));
    free_ = blocks_.back().get();
    bytes_ += left_;
  }
  const char* const start = free_;
  *free_++ = head;
  const auto put = [&](std::string_view text) {
    const auto length = static_cast<std::uint32_t>(text.size());
    std::memcpy(free_, &length, sizeof length);
    free_ += sizeof length;
    free_ += text.copy(free_, text.size());
  };
  (put(texts), ...);
  left_ -= size;
  return start;
}

void LogbookSlice::add(const LogbookEntry& entry) {
  Packed packed{entry.when, nullptr, nullptr, nullptr};
  if (!entries_.empty()) {
    const Packed& last = entries_.back();
    if (kept_texts<3>(last.subject) == std::array{entry.entity_id, entry.name, entry.domain})
      packed.subject = last.subject;
    if (kept_texts<1>(last.user)[0] == entry.user_id) packed.user = last.user;
  }
  if (!packed.subject) packed.subject = keep(0, entry.entity_id, entry.name, entry.domain);
  if (!packed.user) packed.user = keep(0, entry.user_id);
  packed.texts =
      keep(static_cast<char>(entry.kind), entry.state, entry.message, entry.source, entry.context_id, entry.parent_id);
  entries_.push_back(packed);
}

double LogbookSlice::fill() const {
  const std::size_t bytes = bytes_ + entries_.size() * sizeof(Packed);
  return std::max(static_cast<double>(entries_.size()) / kMaxEntries, static_cast<double>(bytes) / kMaxBytes);
}

void LogbookSlice::clear() {
  entries_.clear();
  entries_.shrink_to_fit();
  blocks_.clear();
  by_context_.clear();
  by_context_.shrink_to_fit();
  free_ = nullptr;
  left_ = bytes_ = 0;
}

std::optional<base::Timestamp> LogbookSlice::drop_later_half() {
  std::vector<base::Timestamp> times;
  times.reserve(entries_.size());
  for (const Packed& entry : entries_) times.push_back(entry.when);
  const auto greatest = std::ranges::max(times);
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::ranges::nth_element(times, middle);
  std::optional<base::Timestamp> last;
  if (*middle < greatest) {
    last = *middle;
  } else {
    // More than half are of the last time: those before it.
    for (const base::Timestamp time : times) {
      if (time < greatest) last = std::max(last.value_or(time), time);
    }
  }
  if (!last) return last;
  LogbookSlice kept;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].when <= *last) kept.add(at(i));
  }
  *this = std::move(kept);
  return last;
}

void LogbookSlice::sort() {
  std::ranges::sort(entries_, [](const Packed& a, const Packed& b) {
    if (a.when != b.when) return a.when < b.when;
    return kept_texts<1>(a.subject) < kept_texts<1>(b.subject);
  });
}

LogbookEntry LogbookSlice::at(std::size_t index) const {
  const Packed& packed = entries_[index];
  LogbookEntry entry;
  entry.when = packed.when;
  entry.kind = static_cast<LogbookEntry::Kind>(*packed.texts);
  std::tie(entry.entity_id, entry.name, entry.domain) = std::tuple_cat(kept_texts<3>(packed.subject));
  entry.user_id = kept_texts<1>(packed.user)[0];
  std::tie(entry.state, entry.message, entry.source, entry.context_id, entry.parent_id) =
      std::tuple_cat(kept_texts<5>(packed.texts));
  return entry;
}

std::size_t LogbookSlice::first_change_of(std::string_view context_id) {
  if (by_context_.empty()) {
    by_context_.reserve(entries_.size());
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const std::string_view context = kept_texts<5>(entries_[i].texts)[3];
      if (*entries_[i].texts == 0 && !context.empty())
        by_context_.emplace_back(short_hash(context), static_cast<std::uint32_t>(i));
    }
    std::ranges::sort(by_context_);
  }
  const std::uint32_t hash = short_hash(context_id);
  for (auto found = std::ranges::lower_bound(by_context_, std::pair(hash, std::uint32_t(0)));
       found != by_context_.end() && found->first == hash; ++found) {
    if (kept_texts<5>(entries_[found->second].texts)[3] == context_id) return found->second;
  }
  return entries_.size();
}

}  // namespace hearth::api
