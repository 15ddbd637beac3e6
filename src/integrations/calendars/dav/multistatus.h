// SPDX-License-Identifier: Apache-2.0
// The answers of CalDAV servers (RFC 4918 §13, RFC 4791): each resource with the properties that the hub asks for. Any
// thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace hearth::integrations::calendars {

// Properties are empty if the server does not have them.
struct DavResource {
  std::string href;                 // as it stands there
  bool gone = false;                // the server says that there is none
  std::string name;                 // displayname
  std::string ctag;                 // changes with each change of a calendar
  std::string etag;                 // changes with each change of an object
  std::string data;                 // calendar-data: an iCalendar
  std::string principal, home_set;  // hrefs
  bool is_calendar = false;
  bool has_events = true;  // false of a calendar for to-dos only
  bool writable = true;    // false if the server says that the user may only read
};

// Takes no DTD, and at most kMaxResources. Fails with invalid if the text is no multistatus; with unsupported if
// libxml2 is not installed.
constexpr std::size_t kMaxResources = 20'000;
base::Result<std::vector<DavResource>> parse_multistatus(std::string_view text);

// The text within an element or a quoted attribute.
std::string xml_escaped(std::string_view text);

}  // namespace hearth::integrations::calendars
