// SPDX-License-Identifier: Apache-2.0
// Paths and tokens of the hub there in attributes and answers: what stands for them here. No token of there reaches a
// client, and what leads to another host stays as it is and is never asked for. Bus thread only.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/hub.h"
#include "integrations/home_assistant/mirror/mirrored_ids.h"
#include "integrations/home_assistant/mirror/picture_paths.h"
#include "integrations/home_assistant/options/options.h"
#include "net/http/url.h"

namespace hearth::integrations::home_assistant {

class Addresses final : public PicturePaths {
 public:
  // Both must outlive it.
  Addresses(core::Hub& hub, const Options& options);
  ~Addresses() override;

  // Of a state: the entity's picture is at the hub here, with the token that core::Pictures has for it. The token is
  // renewed when that of there is.
  void rewrite(std::string_view entity_id_there, std::string_view entity_id_here, json::object& attributes) override;
  // Of an answer or event of the hub there.
  json::value rewritten(json::value answer, const MirroredIds& ids);

  // The path there of the entity's picture; empty if it has none there.
  std::string picture_of(std::string_view entity_id_here, const MirroredIds& ids) const;
  // Forgets entities that have gone.
  void prune();

 private:
  struct Known {
    std::string token_there, path_there, token;
  };

  // The path there: of a text that is one, or the hub's own address with one. Empty if it leads elsewhere.
  std::string path_there(std::string_view address) const;
  std::string rewritten_path(std::string_view path, const MirroredIds& ids);
  // Empty if it is not registered here.
  std::string registry_id(std::string_view entity_id_here) const;
  // Null for an empty id.
  Known* known(const std::string& registry_id);
  void forget(const std::string& registry_id);

  core::Hub& hub_;
  const std::string provider_;
  const std::string url_;                            // without a slash at its end
  std::map<std::string, Known, std::less<>> known_;  // by registry id
};

// "camera_proxy", "media_player_proxy"; "image_proxy" for all other domains.
std::string_view proxy_of(std::string_view entity_id);
// True for domains whose pictures are at a path that follows from the entity's id.
bool has_proxy(std::string_view entity_id);

}  // namespace hearth::integrations::home_assistant
