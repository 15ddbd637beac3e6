// SPDX-License-Identifier: Apache-2.0
// A parsed document of XML or HTML. Nothing is fetched for it, and no entity of its own is replaced. One thread at a
// time.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/net/xml_library.h"

namespace hearth::building_blocks {

class Document {
 public:
  static constexpr std::size_t kMaxBytes = 4 * 1024 * 1024;  // of the text

  // The text must be UTF-8. Fails with unsupported without the library, and with invalid if it is not XML, or larger
  // than kMaxBytes.
  static base::Result<Document> parse_xml(std::string_view text);
  // HTML as browsers take it: mistakes are mended.
  static base::Result<Document> parse_html(std::string_view text);

  // Null if there is none.
  const xmlNode* root() const { return root_; }

 private:
  using Owner = std::unique_ptr<xmlDoc, decltype(&::xmlFreeDoc)>;

  Document(const base::XmlLibrary& library, xmlDoc* document)
      : document_(document, library.xmlFreeDoc), root_(document ? library.xmlDocGetRootElement(document) : nullptr) {}

  Owner document_;
  const xmlNode* root_;
};

inline std::string_view name_of(const xmlNode& node) {
  return node.name ? std::string_view(reinterpret_cast<const char*>(node.name)) : std::string_view();
}
// Of an attribute.
std::string value_of(const xmlAttr& attribute);
// All text within, its own and that of all elements in it.
std::string text_within(const xmlNode& node);

}  // namespace hearth::building_blocks
