// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/markup/xml_json.h"

#include <fmt/format.h>

#include "building_blocks/markup/document.h"
#include "building_blocks/text_template.h"

namespace hearth::building_blocks {
namespace {

std::string qualified(std::string_view name, const xmlNs* space) {
  return space && space->prefix ? fmt::format("{}:{}", reinterpret_cast<const char*>(space->prefix), name)
                                : std::string(name);
}

// Further ones of a name make a list of it.
void add_child(json::object& object, const std::string& name, json::value value) {
  const auto [known, is_new] = object.emplace(name, value);
  if (is_new) return;
  if (!known->value().is_array()) known->value() = json::array{std::move(known->value())};
  known->value().get_array().push_back(std::move(value));
}

base::Result<json::value> json_of(const xmlNode& node, std::size_t depth) {
  if (depth > base::kMaxJsonDepth)
    return base::fail(base::ErrorCode::invalid, fmt::format("has more than {} levels", base::kMaxJsonDepth));
  json::object object;
  for (const xmlNs* each = node.nsDef; each; each = each->next) {
    const std::string name =
        each->prefix ? fmt::format("@xmlns:{}", reinterpret_cast<const char*>(each->prefix)) : std::string("@xmlns");
    object[name] = each->href ? reinterpret_cast<const char*>(each->href) : "";
  }
  for (const xmlAttr* each = node.properties; each; each = each->next)
    object["@" + qualified(reinterpret_cast<const char*>(each->name), each->ns)] = value_of(*each);
  std::string text;
  for (const xmlNode* each = node.children; each; each = each->next) {
    if (each->type == XML_ELEMENT_NODE) {
      auto child = json_of(*each, depth + 1);
      if (!child) return child;
      add_child(object, qualified(name_of(*each), each->ns), std::move(*child));
    } else if ((each->type == XML_TEXT_NODE || each->type == XML_CDATA_SECTION_NODE) && each->content) {
      text += reinterpret_cast<const char*>(each->content);
    }
  }
  text = trimmed(text);
  if (object.empty()) return text.empty() ? json::value() : json::value(json::string(text));
  if (!text.empty()) object["#text"] = text;
  return object;
}

}  // namespace

base::Result<json::value> json_of_xml(std::string_view text) {
  const auto document = Document::parse_xml(text);
  if (!document) return std::unexpected(document.error());
  const xmlNode& root = *document->root();
  auto inner = json_of(root, 2);
  if (!inner) return inner;
  return json::object{{qualified(name_of(root), root.ns), std::move(*inner)}};
}

}  // namespace hearth::building_blocks
