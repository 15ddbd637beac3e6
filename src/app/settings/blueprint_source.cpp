// SPDX-License-Identifier: Apache-2.0
#include "app/settings/blueprint_source.h"

#include <fmt/format.h>

#include <vector>

#include "base/json/json.h"
#include "base/json/json_fields.h"
#include "core/values/entity_id.h"

namespace hearth::app {
namespace {

std::vector<std::string> parts_of(std::string_view path) {
  std::vector<std::string> parts;
  path = path.substr(0, path.find_first_of("?#"));
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    if (end > 0) parts.emplace_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return parts;
}

// The name of a file without its folder and its ending, with small letters, digits and underscores.
std::string stem(std::string_view name) {
  name = name.substr(name.rfind('/') == std::string_view::npos ? 0 : name.rfind('/') + 1);
  for (const std::string_view ending : {".yaml", ".yml"}) {
    if (name.ends_with(ending)) name.remove_suffix(ending.size());
  }
  const std::string slug = core::slugify(name);
  return slug.empty() ? "blueprint" : slug;
}

std::string filename(std::string_view author, std::string_view name) {
  const std::string folder = core::slugify(author);
  return fmt::format("{}/{}", folder.empty() ? "imported" : folder, stem(name));
}

std::unexpected<base::Error> nothing_there(std::string_view what) {
  return base::fail(base::ErrorCode::invalid,
                    fmt::format("{} has no blueprint: a text in YAML with the key blueprint", what));
}

// The text of HTML that has no tags.
std::string unescaped(std::string_view html) {
  constexpr std::pair<std::string_view, std::string_view> kEntities[] = {
      {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}, {"&#x27;", "'"}, {"&amp;", "&"}};
  std::string text;
  while (!html.empty()) {
    bool found = false;
    for (const auto& [entity, character] : kEntities) {
      if (!html.starts_with(entity)) continue;
      text += character;
      html.remove_prefix(entity.size());
      found = true;
      break;
    }
    if (found) continue;
    text += html.front();
    html.remove_prefix(1);
  }
  return text;
}

base::Result<std::string> in_gist(const json::object& gist, BlueprintSource& source) {
  const json::value* const files = gist.if_contains("files");
  if (!files || !files->is_object()) return nothing_there("The gist");
  for (const auto& [name, file] : files->get_object()) {
    if (!file.is_object() || !(name.ends_with(".yaml") || name.ends_with(".yml"))) continue;
    const std::string_view text = base::text_view_at(file.get_object(), "content");
    if (!text.contains("blueprint:")) continue;
    const json::value* const owner = gist.if_contains("owner");
    source.suggested_filename = filename(
        owner && owner->is_object() ? base::text_view_at(owner->get_object(), "login") : std::string_view(), name);
    return std::string(text);
  }
  return nothing_there("The gist");
}

// The first code in the first post.
base::Result<std::string> in_topic(const json::object& topic, BlueprintSource& source) {
  boost::system::error_code error;
  const json::value whole(topic);
  const json::value* const post = whole.find_pointer("/post_stream/posts/0", error);
  if (!post || !post->is_object()) return nothing_there("The topic");
  std::string_view html = base::text_view_at(post->get_object(), "cooked");
  while (true) {
    const std::size_t begin = html.find("<code");
    if (begin == std::string_view::npos) return nothing_there("The topic");
    html.remove_prefix(begin);
    const std::size_t open = html.find('>'), close = html.find("</code>");
    if (open == std::string_view::npos || close == std::string_view::npos || close < open)
      return nothing_there("The topic");
    std::string text = unescaped(html.substr(open + 1, close - open - 1));
    html.remove_prefix(close);
    if (!text.contains("blueprint:")) continue;
    source.suggested_filename =
        filename(base::text_view_at(post->get_object(), "username"), base::text_view_at(topic, "slug"));
    return text;
  }
}

}  // namespace

BlueprintSource source_of(const std::string& url) {
  const std::size_t scheme = url.find("://");
  const std::string rest = scheme == std::string::npos ? url : url.substr(scheme + 3);
  const std::vector<std::string> parts = parts_of(rest);
  const std::string_view host = parts.empty() ? std::string_view() : std::string_view(parts[0]);
  if ((host == "github.com" || host == "www.github.com") && parts.size() >= 6 &&
      (parts[3] == "blob" || parts[3] == "raw")) {
    std::string raw = fmt::format("https://raw.githubusercontent.com/{}/{}", parts[1], parts[2]);
    for (std::size_t index = 4; index < parts.size(); ++index) raw += "/" + parts[index];
    return {raw, BlueprintSource::Kind::text, filename(parts[1], parts.back())};
  }
  if (host == "gist.github.com" && parts.size() >= 3)
    return {"https://api.github.com/gists/" + parts[2], BlueprintSource::Kind::gist, ""};
  if (host == "community.home-assistant.io" && parts.size() >= 4 && parts[1] == "t")
    return {fmt::format("https://community.home-assistant.io/t/{}.json", parts[3]), BlueprintSource::Kind::topic, ""};
  const bool has_author = host == "raw.githubusercontent.com" && parts.size() >= 3;
  return {url, BlueprintSource::Kind::text,
          filename(has_author ? std::string_view(parts[1]) : host.substr(0, host.find(':')),
                   parts.size() > 1 ? std::string_view(parts.back()) : std::string_view())};
}

base::Result<std::string> blueprint_in(const std::string& answer, BlueprintSource& source) {
  if (source.kind == BlueprintSource::Kind::text) return answer;
  const auto parsed = base::parse_json(answer);
  if (!parsed || !parsed->is_object()) return nothing_there("The answer");
  return source.kind == BlueprintSource::Kind::gist ? in_gist(parsed->get_object(), source)
                                                    : in_topic(parsed->get_object(), source);
}

std::string with_source(const std::string& text, const std::string& source_url) {
  constexpr std::string_view kKey = "blueprint:\n";
  if (source_url.empty()) return text;
  const std::size_t key = text.starts_with(kKey) ? 0 : text.find("\n" + std::string(kKey));
  if (key == std::string::npos) return text;
  const std::size_t first = key + kKey.size() + (key == 0 && text.starts_with(kKey) ? 0 : 1);
  const std::size_t indent = text.find_first_not_of(' ', first) - first;
  if (indent == 0 || text.find_first_not_of(' ', first) == std::string::npos) return text;
  return text.substr(0, first) + std::string(indent, ' ') + "source_url: " + base::to_json(json::string(source_url)) +
         "\n" + text.substr(first);
}

}  // namespace hearth::app
