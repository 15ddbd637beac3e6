// SPDX-License-Identifier: Apache-2.0
#include "integrations/calendars/dav/multistatus.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace hearth::integrations::calendars {
namespace {

std::string answer(std::string_view responses) {
  return fmt::format(R"(<?xml version="1.0"?><D:multistatus xmlns:D="DAV:" xmlns="urn:ietf:params:xml:ns:caldav" )"
                     R"(xmlns:CS="http://calendarserver.org/ns/">{}</D:multistatus>)",
                     responses);
}

std::string failure_of(std::string_view text) {
  const auto read = parse_multistatus(text);
  return read ? fmt::format("{} resources", read->size()) : read.error().message;
}

TEST(MultistatusTest, ReadsCalendars) {
  const auto read = parse_multistatus(answer(
      R"(<D:response><D:href>/ann/family/</D:href><D:propstat><D:prop><D:resourcetype><D:collection/><calendar/>)"
      R"(</D:resourcetype><D:displayname> Fam &amp; co </D:displayname><D:sync-token>s</D:sync-token>)"
      R"(<CS:getctag>"7"</CS:getctag><supported-calendar-component-set><comp name="VEVENT"/><comp name="VTODO"/>)"
      R"(</supported-calendar-component-set><D:current-user-privilege-set><D:privilege><D:read/></D:privilege>)"
      R"(</D:current-user-privilege-set></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>)"
      R"(<D:propstat><D:prop><D:getetag>no</D:getetag></D:prop><D:status>HTTP/1.1 404 Not Found</D:status>)"
      R"(</D:propstat></D:response><D:response><D:href>/gone</D:href><D:status>HTTP/1.1 404 Not Found</D:status>)"
      R"(</D:response><D:response><D:href>/todo/</D:href><D:propstat><D:prop><supported-calendar-component-set>)"
      R"(<comp name="VTODO"/></supported-calendar-component-set></D:prop></D:propstat></D:response>)"));
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->size(), 3);
  const DavResource& family = read->at(0);
  EXPECT_EQ(family.href, "/ann/family/");
  EXPECT_EQ(family.name, "Fam & co");
  EXPECT_EQ(family.ctag, "\"7\"");
  EXPECT_EQ(family.etag, "");
  EXPECT_TRUE(family.is_calendar && family.has_events && !family.gone);
  EXPECT_FALSE(family.writable);
  EXPECT_TRUE(read->at(1).gone);
  EXPECT_FALSE(read->at(2).has_events);
  EXPECT_TRUE(read->at(2).writable);
}

TEST(MultistatusTest, ReadsObjectsAndWhereCalendarsAre) {
  const auto read = parse_multistatus(answer(
      R"(<D:response><D:href>/a</D:href><D:propstat><D:prop><D:getetag>"1"</D:getetag><calendar-data><![CDATA[BEGIN:)"
      R"(VCALENDAR]]>&#13;
END:VCALENDAR</calendar-data><D:current-user-principal><D:href>/p/</D:href></D:current-user-principal>)"
      R"(<calendar-home-set><D:href>/h/</D:href></calendar-home-set></D:prop></D:propstat></D:response>)"));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->at(0).data, "BEGIN:VCALENDAR\r\nEND:VCALENDAR");
  EXPECT_EQ(read->at(0).etag, "\"1\"");
  EXPECT_EQ(read->at(0).principal, "/p/");
  EXPECT_EQ(read->at(0).home_set, "/h/");
}

TEST(MultistatusTest, RefusesWhatIsNone) {
  EXPECT_EQ(failure_of(""), "expected an answer of CalDAV: it is not XML.");
  EXPECT_EQ(failure_of("<html><body>"), "expected an answer of CalDAV: it is not XML.");
  EXPECT_EQ(failure_of("<multistatus/>"), "expected an answer of CalDAV: it is no multistatus.");
  const std::string bomb =
      R"(<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]><multistatus xmlns="DAV:">&b;</multistatus>)";
  EXPECT_EQ(failure_of(bomb), "expected an answer of CalDAV: it has a DTD.");
  std::string many, deep;
  for (std::size_t i = 0; i <= kMaxResources; ++i) many += "<D:response/>";
  EXPECT_EQ(failure_of(answer(many)), "expected an answer of CalDAV: it has more than 20000 resources.");
  for (int i = 0; i < 100'000; ++i) deep += "<D:response>";
  EXPECT_EQ(failure_of(answer(deep)), "expected an answer of CalDAV: it is not XML.");
}

}  // namespace
}  // namespace hearth::integrations::calendars
