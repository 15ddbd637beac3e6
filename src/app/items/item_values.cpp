// SPDX-License-Identifier: Apache-2.0
#include "app/items/item_values.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/files/configuration_file.h"
#include "app/items/item_revisions.h"
#include "automation/config/parsing.h"
#include "automation/items/key_renames.h"
#include "yaml/unresolved_yaml.h"

namespace hearth::app {
namespace {

namespace fs = std::filesystem;
using automation::ItemKind;
using base::ConfigNode;
using base::ErrorCode;

// True if the tag with its file or folder, as load_marked has it, brings in the file.
bool brings_in(const ConfigNode& value, const std::string& file) {
  for (const ConfigNode& item : value.items()) {
    if (brings_in(item, file)) return true;
  }
  if (!value.is_text()) return false;
  const std::string text = value.text().value();
  if (!text.starts_with(yaml::kTagMark + std::string("!include"))) return false;
  const std::string path = fs::path(text.substr(std::min(text.find(' ') + 1, text.size()))).lexically_normal().native();
  return file == path || file.starts_with(path.ends_with('/') ? path : path + "/");
}

}  // namespace

json::value with_present_keys(const std::string& domain, json::value written) {
  if (domain == "scene") return written;
  return automation::with_new_keys(domain == "script" ? ItemKind::script : ItemKind::automation, std::move(written));
}

base::Result<json::object> meaning_in(const yaml::LoadedYaml& file, const std::string& domain, const std::string& id,
                                      const std::string& key) {
  const ConfigNode* const node = yaml::node_at(file.root, key);
  json::value meaning = node ? with_present_keys(domain, automation::written_as(*node)) : json::value();
  if (!meaning.is_object())
    return base::fail(ErrorCode::unsupported,
                      fmt::format("cannot change {}: it shares lines with other items. Edit the file by hand", id));
  return std::move(meaning.get_object());
}

std::string differing_key(const json::object& one, const json::object& other) {
  for (const auto* const object : {&one, &other}) {
    for (const auto& [key, value] : *object) {
      const json::value *const a = one.if_contains(key), *const b = other.if_contains(key);
      if (key != "id" && !(a && b && *a == *b)) return std::string(key);
    }
  }
  return {};
}

base::Result<json::object> with_marks(const json::object& wanted, const json::object& shown,
                                      const json::object& source) {
  json::object made;
  for (const auto& [key, value] : wanted) {
    const json::value *const was = shown.if_contains(key), *const from = source.if_contains(key);
    if (was && from && *was == value) {
      made[key] = *from;
      continue;
    }
    auto known = yaml::unmasked(value, was ? *was : json::value(), from ? *from : json::value());
    if (!known) {
      return base::fail(
          ErrorCode::invalid,
          fmt::format("{}: {} stands for a secret, and it is not certain which one; leave it where it was",
                      std::string_view(key), automation::kMaskedSecret));
    }
    made[key] = std::move(*known);
  }
  return made;
}

base::Result<void> check_label(const fs::path& folder, const std::string& domain, const std::string& id,
                               const std::string& file, const std::string& key) {
  const std::size_t label = key.starts_with(domain + " ") ? 0 : key.find("." + domain + " ");
  if (label != std::string::npos) {
    return base::fail(
        ErrorCode::unsupported,
        fmt::format("{}: {} is changed by people only, because it stands under a label, at {}", file, id, key));
  }
  const std::string configuration(kConfigurationFile);
  if (file == ItemRevisions::default_file(domain) || file == configuration) return {};
  const auto text = read_text_file(folder / configuration);
  if (!text && text.error().code == ErrorCode::unavailable) return std::unexpected(text.error());
  const auto loaded = text ? yaml::load_marked(*text, configuration) : std::unexpected(text.error());
  if (!loaded) return {};
  for (const ConfigNode::Entry& entry : loaded->root.entries()) {
    if (entry.key.starts_with(domain + " ") && brings_in(entry.value, file)) {
      return base::fail(ErrorCode::unsupported,
                        fmt::format("{}: {} is changed by people only, because {} includes it by the label \"{}\"",
                                    file, id, configuration, entry.key));
    }
  }
  return {};
}

}  // namespace hearth::app
