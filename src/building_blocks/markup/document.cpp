// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/markup/document.h"

#include <fmt/format.h>

namespace hearth::building_blocks {
namespace {

base::Result<const base::XmlLibrary*> library_for(std::string_view text) {
  if (text.size() > Document::kMaxBytes)
    return base::fail(base::ErrorCode::invalid,
                      fmt::format("is larger than {} MiB", Document::kMaxBytes / (1024 * 1024)));
  return base::load_xml();
}

bool is_text(const xmlNode& node) {
  return node.type == XML_TEXT_NODE || node.type == XML_CDATA_SECTION_NODE;
}

void append_content(std::string& text, const xmlNode& node) {
  if (is_text(node) && node.content) text += reinterpret_cast<const char*>(node.content);
}

}  // namespace

base::Result<Document> Document::parse_xml(std::string_view text) {
  const auto library = library_for(text);
  if (!library) return std::unexpected(library.error());
  constexpr int kOptions = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_IGNORE_ENC;
  Document made(**library,
                (*library)->xmlReadMemory(text.data(), static_cast<int>(text.size()), nullptr, "UTF-8", kOptions));
  if (!made.root_) return base::fail(base::ErrorCode::invalid, "is not well-formed XML");
  return made;
}

base::Result<Document> Document::parse_html(std::string_view text) {
  const auto library = library_for(text);
  if (!library) return std::unexpected(library.error());
  constexpr int kOptions =
      HTML_PARSE_RECOVER | HTML_PARSE_NONET | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_IGNORE_ENC;
  return Document(**library,
                  (*library)->htmlReadMemory(text.data(), static_cast<int>(text.size()), nullptr, "UTF-8", kOptions));
}

std::string value_of(const xmlAttr& attribute) {
  std::string value;
  for (const xmlNode* each = attribute.children; each; each = each->next) append_content(value, *each);
  return value;
}

std::string text_within(const xmlNode& node) {
  std::string text;
  const xmlNode* at = node.children;
  while (at) {
    append_content(text, *at);
    if (at->type == XML_ELEMENT_NODE && at->children) {
      at = at->children;
      continue;
    }
    while (at != &node && !at->next) at = at->parent;
    at = at == &node ? nullptr : at->next;
  }
  return text;
}

}  // namespace hearth::building_blocks
