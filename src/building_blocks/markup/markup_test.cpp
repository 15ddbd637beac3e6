// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "building_blocks/markup/selector.h"
#include "building_blocks/markup/xml_json.h"

namespace hearth::building_blocks {
namespace {

std::string xml(std::string_view text) {
  const auto json = json_of_xml(text);
  return json ? base::to_json(*json) : json.error().message;
}

TEST(XmlJson, NamesValuesByTag) {
  EXPECT_EQ(xml("<a><b c=\"1\">x</b><b/><d> 2 </d></a>"), R"({"a":{"b":[{"@c":"1","#text":"x"},null],"d":"2"}})");
  EXPECT_EQ(xml("<?xml version='1.0' encoding='iso-8859-1'?><a>ä<![CDATA[<]]>&amp;</a>"), R"({"a":"ä<&"})");
  EXPECT_EQ(xml("<x:a xmlns:x='urn:y' x:b='1'><x:c>2</x:c></x:a>"),
            R"({"x:a":{"@xmlns:x":"urn:y","@x:b":"1","x:c":"2"}})");
  EXPECT_EQ(xml("<a><b><c/></b><b>2</b></a>"), R"({"a":{"b":[{"c":null},"2"]}})");
}

TEST(XmlJson, RefusesWhatIsNoXml) {
  EXPECT_EQ(xml("<a><b></a>"), "is not well-formed XML");
  EXPECT_EQ(xml("{\"a\": 1}"), "is not well-formed XML");
  EXPECT_EQ(xml(""), "is not well-formed XML");
  std::string deep;
  for (int level = 0; level < 100; ++level) deep += "<a>";
  for (int level = 0; level < 100; ++level) deep += "</a>";
  EXPECT_EQ(xml(deep), "has more than 64 levels");
  EXPECT_EQ(xml(std::string(5 * 1024 * 1024, ' ')), "is larger than 4 MiB");
}

TEST(XmlJson, ReplacesNoEntityOfTheDocument) {
  EXPECT_EQ(xml("<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>1&x;</a>"), R"({"a":"1"})");
  std::string bomb = "<!DOCTYPE a [<!ENTITY e0 'x'>";
  for (int each = 1; each < 30; ++each)
    bomb += "<!ENTITY e" + std::to_string(each) + " '&e" + std::to_string(each - 1) + ";&e" + std::to_string(each - 1) +
            ";'>";
  EXPECT_LT(xml(bomb + "]><a b='1'>&e29;</a>").size(), 100U);
}

constexpr std::string_view kPage = R"(<!doctype html><html><body id=top class="wide">
  <div class="box first"><h1>Title</h1><p>one <b>two</b></p><p data-x="p-2 q">three</p></div>
  <div class=box><p lang=de-AT>four</p><span>five</span><p>six</p></div>
  <ul><li>1<li>2<li>3<li>4<li>5</ul><a href="HTTP://x.test/a?b&amp;c" rel="next up">link</a></body></html>)";

// The texts of all that it selects, with blanks between them.
std::string selected(std::string_view text, std::string_view page = kPage) {
  const auto document = Document::parse_html(page);
  const auto selector = Selector::parse(text);
  if (!selector) return selector.error().message;
  std::string all;
  for (std::int64_t index = 0;; ++index) {
    const xmlNode* const found = selector->find(*document, index);
    if (!found) return all;
    all += (all.empty() ? "" : "|") + text_within(*found);
  }
}

TEST(Selector, SelectsAsPagesDo) {
  EXPECT_EQ(selected("p"), "one two|three|four|six");
  EXPECT_EQ(selected("P b"), "two");
  EXPECT_EQ(selected(".first p"), "one two|three");
  EXPECT_EQ(selected("div.box.first > p"), "one two|three");
  EXPECT_EQ(selected("#top > p"), "");
  EXPECT_EQ(selected("body#top.wide div>p:nth-child( 2n + 1 )"), "three|four|six");
  EXPECT_EQ(selected("h1 + p"), "one two");
  EXPECT_EQ(selected("h1 ~ p"), "one two|three");
  EXPECT_EQ(selected("li:nth-child(2), span"), "five|2");
  EXPECT_EQ(selected("li:nth-child(odd)"), "1|3|5");
  EXPECT_EQ(selected("li:nth-child(-n+2)"), "1|2");
  EXPECT_EQ(selected("li:first-child, li:last-child"), "1|5");
  EXPECT_EQ(selected("p:nth-of-type(2)"), "three|six");
  EXPECT_EQ(selected("div > *:first-of-type"), "Title|one two|four|five");
  EXPECT_EQ(selected("[lang]"), "four");
  EXPECT_EQ(selected("[lang|=de]"), "four");
  EXPECT_EQ(selected("[data-x~='q']"), "three");
  EXPECT_EQ(selected("[data-x^=p]"), "three");
  EXPECT_EQ(selected("a[href*=\"x.test\"]"), "link");
  EXPECT_EQ(selected("a[href^=http]"), "");
  EXPECT_EQ(selected("a[href^=http i]"), "link");
  EXPECT_EQ(selected("a[href$=c]"), "link");
  EXPECT_EQ(selected("a[rel=next]"), "");
  EXPECT_EQ(selected("html body div p b"), "two");
  EXPECT_EQ(selected(".b\\6 ox"), "");
}

TEST(Selector, CountsFromTheEndWithANegativeIndex) {
  const auto document = Document::parse_html(kPage);
  const auto items = Selector::parse("li").value();
  EXPECT_EQ(text_within(*items.find(*document, -1)), "5");
  EXPECT_EQ(text_within(*items.find(*document, -5)), "1");
  EXPECT_EQ(items.find(*document, -6), nullptr);
}

TEST(Selector, SaysWhatIsWrong) {
  EXPECT_EQ(selected(""), "the selector cannot be read: expected a tag, #id, .class or [attribute] at byte 0");
  EXPECT_TRUE(selected("p >").contains("expected a tag, #id, .class or [attribute] at byte 3"));
  EXPECT_TRUE(selected("p,").contains("at byte 2"));
  EXPECT_TRUE(selected("p#").contains("expected an id at byte 2"));
  EXPECT_TRUE(selected("p.").contains("expected a class"));
  EXPECT_TRUE(selected("[a").contains("expected ] at byte 2"));
  EXPECT_TRUE(selected("[a='x]").contains("expected the quote that closes the value"));
  EXPECT_TRUE(selected("p:hover").contains("expected nth-child, nth-of-type, first-child, last-child"));
  EXPECT_TRUE(selected("p:nth-child(x)").contains("expected a number, odd, even"));
  EXPECT_TRUE(selected("p:nth-child(99999999999999999999n)").contains("expected a number, odd, even"));
  EXPECT_TRUE(selected("p)").contains("expected a blank, >, +, ~ or a comma at byte 1"));
  std::string many = "a";
  for (int each = 0; each < 40; ++each) many += " a";
  EXPECT_TRUE(selected(many).contains("expected fewer parts"));
}

TEST(Selector, LooksAtDeepPagesOnce) {
  std::string page, selector = "div";
  for (int level = 0; level < 240; ++level) page += "<div>";
  page += "x";
  for (int each = 1; each < 31; ++each) selector += " div";
  EXPECT_EQ(selected(selector + " p", page), "");
  EXPECT_EQ(selected("p", "no tags at all"), "no tags at all");  // as the parser mends it
  EXPECT_EQ(selected("p", ""), "");
}

}  // namespace
}  // namespace hearth::building_blocks
