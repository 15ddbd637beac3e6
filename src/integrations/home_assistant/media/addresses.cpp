// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/media/addresses.h"

#include <fmt/format.h>

#include <vector>

#include "core/services/other_hub.h"

namespace hearth::integrations::home_assistant {
namespace {

constexpr std::string_view kHls = "/api/hls/";
constexpr std::string_view kProxies[] = {"/api/camera_proxy/", "/api/camera_proxy_stream/", "/api/image_proxy/",
                                         "/api/media_player_proxy/"};
constexpr std::size_t kMostPath = 2'048;

// The value of the parameter; empty if there is none.
std::string_view query_value(std::string_view path, std::string_view name) {
  std::size_t at = path.find('?');
  while (at != std::string_view::npos) {
    const std::string_view rest = path.substr(at + 1);
    const std::string_view one = rest.substr(0, rest.find('&'));
    if (one.size() > name.size() && one.starts_with(name) && one[name.size()] == '=')
      return one.substr(name.size() + 1);
    at = path.find('&', at + 1);
  }
  return {};
}

std::string attribute_text(const json::object& attributes, std::string_view key) {
  const json::value* const found = attributes.if_contains(key);
  return found && found->is_string() ? std::string(std::string_view(found->get_string())) : std::string();
}

// Tells one path from another, so that pages ask again (FNV-1a).
std::uint64_t mark_of_path(std::string_view text) {
  std::uint64_t hash = 14'695'981'039'346'656'037U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1'099'511'628'211U;
  return hash;
}

bool is_plain_value(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-") ==
                              std::string_view::npos;
}

std::string provider_name(const Options& options) {
  return "home_assistant." + options.name;
}

}  // namespace

std::string_view proxy_of(std::string_view entity_id) {
  if (entity_id.starts_with("camera.")) return "camera_proxy";
  if (entity_id.starts_with("media_player.")) return "media_player_proxy";
  return "image_proxy";
}

bool has_proxy(std::string_view entity_id) {
  return entity_id.starts_with("image.") || proxy_of(entity_id) != "image_proxy";
}

Addresses::Addresses(core::Hub& hub, const Options& options)
    : hub_(hub),
      provider_(provider_name(options)),
      url_(options.url.substr(0, options.url.find_last_not_of('/') + 1)) {}

Addresses::~Addresses() {
  std::vector<std::string> ids;
  for (const auto& [id, known] : known_) ids.push_back(id);
  for (const std::string& id : ids) forget(id);
}

// An entity that has found another provider has a token of that one.
void Addresses::forget(const std::string& registry_id) {
  known_.erase(registry_id);
  const auto registry = hub_.registry.snapshot();
  const core::RegisteredEntity* const entity = registry->find_entity_by_id(registry_id);
  if (!entity || entity->provider == provider_) hub_.pictures.remove(registry_id);
}

void Addresses::prune() {
  const auto registry = hub_.registry.snapshot();
  std::vector<std::string> gone;
  for (const auto& [id, known] : known_) {
    const core::RegisteredEntity* const entity = registry->find_entity_by_id(id);
    if (!entity || entity->provider != provider_) gone.push_back(id);
  }
  for (const std::string& id : gone) forget(id);
}

std::string Addresses::registry_id(std::string_view entity_id_here) const {
  const auto registry = hub_.registry.snapshot();
  const core::RegisteredEntity* const entity = registry->entities.find(entity_id_here);
  return entity ? entity->id : std::string();
}

Addresses::Known* Addresses::known(const std::string& registry_id) {
  if (registry_id.empty()) return nullptr;
  Known& known = known_[registry_id];
  if (known.token.empty()) known.token = hub_.pictures.renew_token(registry_id);
  return &known;
}

std::string Addresses::path_there(std::string_view address) const {
  if (address.starts_with('/')) {
    const bool elsewhere = address.starts_with("//") || address.contains('\\');
    return elsewhere ? std::string() : std::string(address);
  }
  const auto given = net::parse_url(address), own = net::parse_url(url_);
  if (!given || !own || !given->same_origin(*own)) return {};
  const std::string_view before = own->target == "/" ? std::string_view() : own->target;
  return given->target.starts_with(before) ? given->target.substr(before.size()) : std::string();
}

void Addresses::rewrite(std::string_view, std::string_view entity_id_here, json::object& attributes) {
  const std::string picture = attribute_text(attributes, "entity_picture");
  const std::string path = picture.size() > kMostPath ? std::string() : path_there(picture);
  std::string token_there = attribute_text(attributes, "access_token");
  if (token_there.empty()) token_there = query_value(path, "token");
  const bool any = !path.empty() || !token_there.empty();
  const std::string id = any ? registry_id(entity_id_here) : std::string();
  Known* const known = this->known(id);
  if (known && known->token_there != token_there) {
    if (!known->token_there.empty()) known->token = hub_.pictures.renew_token(id);
    known->token_there = token_there;
  }
  if (known) known->path_there = path;
  if (attributes.contains("access_token")) {
    if (known)
      attributes["access_token"] = known->token;
    else
      attributes.erase("access_token");
  }
  if (path.empty()) return;  // what leads elsewhere is the browser's affair
  if (!known) {
    attributes.erase("entity_picture");
    return;
  }
  std::string here = fmt::format("/api/{}/{}?token={}", proxy_of(entity_id_here), entity_id_here, known->token);
  if (const std::string_view cache = query_value(path, "cache"); is_plain_value(cache))
    here.append("&cache=").append(cache);
  else if (!has_proxy(entity_id_here))
    here += fmt::format("&cache={:x}", mark_of_path(path));
  attributes["entity_picture"] = here;
}

std::string Addresses::picture_of(std::string_view entity_id_here, const MirroredIds& ids) const {
  const std::string_view there = ids.entity_there(entity_id_here);
  if (there.empty()) return {};
  if (has_proxy(there)) return fmt::format("/api/{}/{}", proxy_of(there), there);
  const auto found = known_.find(registry_id(entity_id_here));
  return found == known_.end() ? std::string() : found->second.path_there;
}

std::string Addresses::rewritten_path(std::string_view path, const MirroredIds& ids) {
  if (path.starts_with(kHls)) {
    const std::size_t slash = path.find('/', kHls.size());
    if (slash == std::string_view::npos) return {};
    const std::string token = hub_.other_hubs->lend(provider_, path.substr(0, slash), hub_.clock.steady_now());
    return fmt::format("{}{}{}", kHls, token, path.substr(slash));
  }
  const std::string_view before = path.substr(0, path.find('?'));
  for (const std::string_view proxy : kProxies) {
    if (!before.starts_with(proxy)) continue;
    const std::string_view rest = before.substr(proxy.size()), id = rest.substr(0, rest.find('/'));
    const std::string_view here = ids.entity_here(id);
    const Known* const of_entity = here.empty() ? nullptr : known(registry_id(here));
    if (!of_entity) return {};
    return fmt::format("{}{}{}?token={}", proxy, here, rest.substr(id.size()), of_entity->token);
  }
  // A signed path is of use there only, and its signature is a token.
  const bool secret = !query_value(path, "token").empty() || !query_value(path, "authSig").empty();
  return std::string(secret ? before : path);
}

json::value Addresses::rewritten(json::value answer, const MirroredIds& ids) {
  if (json::string* const text = answer.if_string()) {
    const std::string_view address(*text);
    const bool may_be = address.starts_with('/') || address.starts_with(url_);
    if (const std::string path = may_be ? path_there(address) : std::string(); !path.empty())
      *text = rewritten_path(path, ids);
  } else if (json::array* const list = answer.if_array()) {
    for (json::value& each : *list) each = rewritten(std::move(each), ids);
  } else if (json::object* const object = answer.if_object()) {
    for (auto& member : *object) member.value() = rewritten(std::move(member.value()), ids);
  }
  return answer;
}

}  // namespace hearth::integrations::home_assistant
