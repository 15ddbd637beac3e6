// SPDX-License-Identifier: Apache-2.0
// The pictures of entities, such as cameras, kept apart from the states because they are large. Each has a token:
// whoever has the address with it may read the picture, because a page cannot send a header for an image.
//
// Any thread. At most kMaxBytes each; as many as there are entities with a picture.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "base/result.h"

namespace hearth::core {

struct Picture {
  std::string_view content_type;  // as picture_type gives it
  std::string bytes;
};
using PicturePtr = std::shared_ptr<const Picture>;

// The type as a literal; null if browsers cannot show it: image/jpeg, png, gif, webp, avif, bmp, svg+xml.
std::optional<std::string_view> picture_type(std::string_view content_type);

// Entities are named by their permanent id in the registry.
class Pictures {
 public:
  static constexpr std::size_t kMaxBytes = 8 * 1024 * 1024;

  // Fails with invalid if it is larger or of another type; the former picture stays.
  base::Result<void> set(std::string_view id, Picture picture);
  // Returns a new token; the former one still opens the picture, earlier ones do not.
  std::string renew_token(std::string_view id);
  // Removes the picture and its tokens.
  void remove(std::string_view id);

  // Null if absent.
  PicturePtr find(std::string_view id) const;
  // True if the token is the picture's present or former one. Constant time.
  bool opens(std::string_view id, std::string_view token) const;

 private:
  struct Entry {
    PicturePtr picture;
    std::string token, former;
  };

  mutable base::Mutex mutex_;
  std::map<std::string, Entry, std::less<>> entries_ __attribute__((guarded_by(mutex_)));
};

}  // namespace hearth::core
