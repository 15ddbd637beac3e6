// SPDX-License-Identifier: Apache-2.0
// Rewrites the paths of pictures in attributes: the hub here answers them. Bus thread only.
#pragma once

#include <string_view>

#include "base/json/json.h"

namespace hearth::integrations::home_assistant {

class PicturePaths {
 public:
  virtual ~PicturePaths() = default;
  // Called for attributes that have `entity_picture` or `access_token`, which hold paths and tokens of the hub there.
  // Without a PicturePaths both are left out.
  virtual void rewrite(std::string_view entity_id_there, std::string_view entity_id_here, json::object& attributes) = 0;
};

}  // namespace hearth::integrations::home_assistant
