// SPDX-License-Identifier: Apache-2.0
#include "integrations/calendars/dav/multistatus.h"

#include <fmt/format.h>

#include <cstdlib>
#include <memory>

#include "base/net/xml_library.h"
#include "base/text/utf8.h"

namespace hearth::integrations::calendars {
namespace {

constexpr std::string_view kDav = "DAV:", kCaldav = "urn:ietf:params:xml:ns:caldav",
                           kServer = "http://calendarserver.org/ns/";
constexpr std::size_t kMaxProperty = 4'096;  // bytes of a name, a tag, an address

std::string_view text_view(const xmlChar* text) {
  return text ? std::string_view(reinterpret_cast<const char*>(text)) : std::string_view();
}

bool is(const xmlNode* node, std::string_view space, std::string_view name) {
  return node->type == XML_ELEMENT_NODE && text_view(node->name) == name && node->ns &&
         text_view(node->ns->href) == space;
}

template <class Visit>
void for_each_child(const xmlNode* node, const Visit& visit) {
  for (const xmlNode* each = node ? node->children : nullptr; each; each = each->next) {
    if (each->type == XML_ELEMENT_NODE) visit(each);
  }
}

const xmlNode* child(const xmlNode* node, std::string_view space, std::string_view name) {
  for (const xmlNode* each = node ? node->children : nullptr; each; each = each->next) {
    if (is(each, space, name)) return each;
  }
  return nullptr;
}

// The text of the element itself, without blanks around it.
std::string text_of(const xmlNode* node) {
  std::string text;
  for (const xmlNode* each = node ? node->children : nullptr; each; each = each->next) {
    if (each->type == XML_TEXT_NODE || each->type == XML_CDATA_SECTION_NODE) text += text_view(each->content);
  }
  constexpr const char* kBlanks = " \t\r\n";
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string short_text_of(const xmlNode* node) {
  std::string text = text_of(node);
  return text.size() <= kMaxProperty ? text : std::string();
}

std::string attribute_of(const xmlNode* node, std::string_view name) {
  for (const xmlAttr* each = node->properties; each; each = each->next) {
    if (text_view(each->name) == name && each->children) return std::string(text_view(each->children->content));
  }
  return {};
}

// "HTTP/1.1 404 Not Found".
int status_of(const xmlNode* node) {
  const std::string text = short_text_of(child(node, kDav, "status"));
  const auto blank = text.find(' ');
  if (blank == std::string::npos) return 200;
  return std::atoi(text.c_str() + blank);
}

void read_property(const xmlNode* property, DavResource& into) {
  if (is(property, kDav, "displayname")) into.name = short_text_of(property);
  if (is(property, kServer, "getctag")) into.ctag = short_text_of(property);
  // As good as a ctag.
  if (is(property, kDav, "sync-token") && into.ctag.empty()) into.ctag = short_text_of(property);
  if (is(property, kDav, "getetag")) into.etag = short_text_of(property);
  if (is(property, kCaldav, "calendar-data")) into.data = text_of(property);
  if (is(property, kDav, "current-user-principal")) into.principal = short_text_of(child(property, kDav, "href"));
  if (is(property, kCaldav, "calendar-home-set")) into.home_set = short_text_of(child(property, kDav, "href"));
  if (is(property, kDav, "resourcetype")) into.is_calendar = child(property, kCaldav, "calendar") != nullptr;
  if (is(property, kCaldav, "supported-calendar-component-set")) {
    bool any = false, events = false;
    for_each_child(property, [&](const xmlNode* each) {
      any = true;
      events = events || attribute_of(each, "name") == "VEVENT";
    });
    into.has_events = !any || events;
  }
  if (is(property, kDav, "current-user-privilege-set")) {
    bool writes = false;
    for_each_child(property, [&](const xmlNode* privilege) {
      for_each_child(privilege, [&](const xmlNode* each) {
        writes = writes || is(each, kDav, "all") || is(each, kDav, "write") || is(each, kDav, "write-content");
      });
    });
    into.writable = writes;
  }
}

DavResource read_resource(const xmlNode* response) {
  DavResource made;
  made.href = short_text_of(child(response, kDav, "href"));
  made.gone = status_of(response) >= 400;
  for_each_child(response, [&](const xmlNode* each) {
    if (!is(each, kDav, "propstat") || status_of(each) >= 300) return;
    for_each_child(child(each, kDav, "prop"), [&](const xmlNode* property) { read_property(property, made); });
  });
  return made;
}

}  // namespace

base::Result<std::vector<DavResource>> parse_multistatus(std::string_view text) {
  const auto xml = base::load_xml();
  if (!xml) return std::unexpected(xml.error());
  const auto wrong = [](std::string_view why) {
    return base::fail(base::ErrorCode::invalid, fmt::format("expected an answer of CalDAV: {}.", why));
  };
  const std::unique_ptr<xmlDoc, decltype(&::xmlFreeDoc)> document(
      (*xml)->xmlReadMemory(text.data(), static_cast<int>(text.size()), nullptr, nullptr,
                            XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING),
      (*xml)->xmlFreeDoc);
  if (!document) return wrong("it is not XML");
  if (document->intSubset || document->extSubset) return wrong("it has a DTD");
  const xmlNode* const root = (*xml)->xmlDocGetRootElement(document.get());
  if (!root || !is(root, kDav, "multistatus")) return wrong("it is no multistatus");
  std::vector<DavResource> found;
  for (const xmlNode* each = root->children; each; each = each->next) {
    if (!is(each, kDav, "response")) continue;
    if (found.size() == kMaxResources) return wrong(fmt::format("it has more than {} resources", kMaxResources));
    found.push_back(read_resource(each));
  }
  return found;
}

std::string xml_escaped(std::string_view text) {
  std::string escaped;
  for (const char each : text) {
    if (each == '&')
      escaped += "&amp;";
    else if (each == '<')
      escaped += "&lt;";
    else if (each == '>')
      escaped += "&gt;";
    else if (each == '"')
      escaped += "&quot;";
    else
      escaped += each;
  }
  return escaped;
}

}  // namespace hearth::integrations::calendars
