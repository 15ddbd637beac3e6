// SPDX-License-Identifier: Apache-2.0
#include "core/states/pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/random_id.h"

namespace hearth::core {
namespace {

constexpr std::array<std::string_view, 7> kTypes{"image/jpeg", "image/png", "image/gif",    "image/webp",
                                                 "image/avif", "image/bmp", "image/svg+xml"};

bool equal_in_constant_time(std::string_view one, std::string_view other) {
  if (one.empty() || one.size() != other.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < one.size(); ++i) difference |= static_cast<unsigned char>(one[i] ^ other[i]);
  return difference == 0;
}

}  // namespace

std::optional<std::string_view> picture_type(std::string_view content_type) {
  const auto found = std::ranges::find(kTypes, content_type);
  return found == kTypes.end() ? std::nullopt : std::optional(*found);
}

base::Result<void> Pictures::set(std::string_view id, Picture picture) {
  const auto type = picture_type(picture.content_type);
  if (!type) {
    return base::fail(base::ErrorCode::invalid,
                      fmt::format("{} is no type of picture that browsers draw.", picture.content_type));
  }
  if (picture.bytes.size() > kMaxBytes) {
    return base::fail(base::ErrorCode::invalid, fmt::format("A picture of {} bytes is larger than {} MiB.",
                                                            picture.bytes.size(), kMaxBytes >> 20));
  }
  picture.content_type = *type;
  auto made = std::make_shared<const Picture>(std::move(picture));
  base::MutexLock lock(mutex_);
  entries_[std::string(id)].picture.swap(made);  // the former one is destroyed after the lock
  return {};
}

std::string Pictures::renew_token(std::string_view id) {
  std::string token = base::make_random_id();
  base::MutexLock lock(mutex_);
  Entry& entry = entries_[std::string(id)];
  entry.former = std::exchange(entry.token, token);
  return token;
}

void Pictures::remove(std::string_view id) {
  base::MutexLock lock(mutex_);
  if (const auto found = entries_.find(id); found != entries_.end()) entries_.erase(found);
}

PicturePtr Pictures::find(std::string_view id) const {
  base::MutexLock lock(mutex_);
  const auto found = entries_.find(id);
  return found == entries_.end() ? nullptr : found->second.picture;
}

bool Pictures::opens(std::string_view id, std::string_view token) const {
  base::MutexLock lock(mutex_);
  const auto found = entries_.find(id);
  if (found == entries_.end()) return false;
  const bool present = equal_in_constant_time(found->second.token, token);
  return equal_in_constant_time(found->second.former, token) || present;
}

}  // namespace hearth::core
