// SPDX-License-Identifier: Apache-2.0
#include "http/messages/form.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace hearth::http {
namespace {

constexpr std::string_view kUrlencoded = "application/x-www-form-urlencoded";
constexpr std::string_view kMultipart = "multipart/form-data; boundary=XY";

// As `name=value;…`, or the error message.
std::string parsed(std::string_view content_type, std::string_view body) {
  const auto form = Form::parse(content_type, body);
  if (!form) {
    EXPECT_EQ(form.error().code, base::ErrorCode::invalid);
    return form.error().message;
  }
  std::string text;
  for (const auto& [name, value] : form->fields()) text += name + "=" + value + ";";
  return text;
}

std::string part(std::string_view name, std::string_view value) {
  return fmt::format("--XY\r\nContent-Disposition: form-data; name=\"{}\"\r\n\r\n{}\r\n", name, value);
}

TEST(Form, ReadsUrlencodedFields) {
  EXPECT_EQ(parsed(kUrlencoded, "a=1&b=x+y%2B%C3%A4&&c&d=e=f"), "a=1;b=x y+\xC3\xA4;c=;d=e=f;");
  EXPECT_EQ(parsed("Application/X-WWW-Form-Urlencoded ; charset=utf-8", "a=1"), "a=1;");
  EXPECT_EQ(parsed("", "a=1"), "a=1;");
  EXPECT_EQ(parsed(kUrlencoded, ""), "");
  const auto form = Form::parse(kUrlencoded, "a=1&b=");
  EXPECT_EQ(form->field("a"), "1");
  EXPECT_EQ(form->field("b"), "");
  EXPECT_EQ(form->field("c"), std::nullopt);
}

TEST(Form, ReadsMultipartFields) {
  EXPECT_EQ(parsed(kMultipart, part("a", "1") + part("b", "two words") + "--XY--\r\n"), "a=1;b=two words;");
  EXPECT_EQ(parsed("Multipart/Form-Data; charset=utf-8; Boundary=\"X Y\"",
                   "--X Y\r\nContent-Type: text/plain\r\ncontent-disposition:form-data; filename=f; name=a\r\n\r\n1"
                   "\r\n--X Y--"),
            "a=1;");
  EXPECT_EQ(parsed(kMultipart, part("a", "") + "--XY--"), "a=;");
  EXPECT_EQ(parsed(kMultipart, part("a", "--X") + part("b", "--") + "--XY--"), "a=--X;b=--;");
  EXPECT_EQ(parsed(kMultipart, "--XY--\r\n"), "");
}

TEST(Form, RefusesOtherContentTypes) {
  const std::string message =
      "Invalid form: the Content-Type must be application/x-www-form-urlencoded or multipart/form-data.";
  EXPECT_EQ(parsed("application/json", "{}"), message);
  EXPECT_EQ(parsed("multipart/mixed; boundary=XY", "--XY--"), message);
}

TEST(Form, RefusesMalformedMultipartBodies) {
  const std::string boundary = "Invalid form: its Content-Type names no boundary of 1 to 70 characters.";
  EXPECT_EQ(parsed("multipart/form-data", ""), boundary);
  EXPECT_EQ(parsed("multipart/form-data; boundary=", ""), boundary);
  EXPECT_EQ(parsed("multipart/form-data; boundary=\"\"", "----"), boundary);
  EXPECT_EQ(parsed("multipart/form-data; boundary=" + std::string(71, 'b'), ""), boundary);

  const std::string start = "Invalid form: its body does not start with the boundary.";
  EXPECT_EQ(parsed(kMultipart, ""), start);
  EXPECT_EQ(parsed(kMultipart, "--X"), start);
  EXPECT_EQ(parsed(kMultipart, "hello\r\n" + part("a", "1")), start);

  const std::string behind = "Invalid form: a boundary is followed by something else than a line's end.";
  EXPECT_EQ(parsed(kMultipart, "--XY"), behind);
  EXPECT_EQ(parsed(kMultipart, "--XYZ\r\n"), behind);
  EXPECT_EQ(parsed(kMultipart, part("a", "1") + "--XY"), behind);
  EXPECT_EQ(parsed(kMultipart, part("a", "1") + "--XYZ\r\n--XY--"), behind);

  EXPECT_EQ(parsed(kMultipart, "--XY\r\nContent-Disposition: form-data; name=a"),
            "Invalid form: a part's head has no end.");
  // An empty value has a line end of its own.
  EXPECT_EQ(parsed(kMultipart, "--XY\r\nContent-Disposition: form-data; name=a\r\n\r\n--XY--"),
            "Invalid form: its body does not end with the boundary.");
  const std::string end = "Invalid form: its body does not end with the boundary.";
  EXPECT_EQ(parsed(kMultipart, part("a", "1")), end);
  EXPECT_EQ(parsed(kMultipart, part("a", "1\n--XY--")), end);

  const std::string nameless = "Invalid form: a part has no Content-Disposition: form-data with a name.";
  EXPECT_EQ(parsed(kMultipart, "--XY\r\n\r\n1\r\n--XY--"), nameless);
  EXPECT_EQ(parsed(kMultipart, "--XY\r\nContent-Disposition: attachment; name=a\r\n\r\n1\r\n--XY--"), nameless);
  EXPECT_EQ(parsed(kMultipart, "--XY\r\nContent-Disposition: form-data\r\n\r\n1\r\n--XY--"), nameless);
  EXPECT_EQ(parsed(kMultipart, "--XY\r\nContent-Disposition: form-data; name=\"a\r\n\r\n1\r\n--XY--"), nameless);
  EXPECT_EQ(parsed(kMultipart, part("", "1") + "--XY--"), "Invalid form: a field has no name.");
  EXPECT_EQ(parsed(kMultipart,
                   "--XY\r\nContent-Disposition: form-data; name=a\r\nContent-Transfer-Encoding: base64\r\n\r\nMQ==\r\n"
                   "--XY--"),
            "Invalid form: a part has a Content-Transfer-Encoding, which no form has (RFC 7578 §4.7).");
}

TEST(Form, RefusesRepeatedAndTooManyFields) {
  EXPECT_EQ(parsed(kUrlencoded, "a=1&b=2&a=3"), "Invalid form: the field a comes twice.");
  EXPECT_EQ(parsed(kMultipart, part("a", "1") + part("a", "1") + "--XY--"), "Invalid form: the field a comes twice.");
  std::string urlencoded, multipart;
  for (std::size_t i = 0; i < Form::kMaxFields; ++i) {
    urlencoded += fmt::format("f{}=x&", i);
    multipart += part(fmt::format("f{}", i), "x");
  }
  EXPECT_EQ(Form::parse(kUrlencoded, urlencoded)->fields().size(), Form::kMaxFields);
  EXPECT_EQ(Form::parse(kMultipart, multipart + "--XY--")->fields().size(), Form::kMaxFields);
  EXPECT_EQ(parsed(kUrlencoded, urlencoded + "g=x"), "Invalid form: it has more than 64 fields.");
  EXPECT_EQ(parsed(kMultipart, multipart + part("g", "x") + "--XY--"), "Invalid form: it has more than 64 fields.");
}

TEST(Form, RefusesInvalidText) {
  const std::string control = "Invalid form: it has a control character.";
  const std::string utf8 = "Invalid form: it has text that is not UTF-8.";
  for (const char* text : {"a=%00", "a%0A=1", "a=\n"}) EXPECT_EQ(parsed(kUrlencoded, text), control);
  EXPECT_EQ(parsed(kUrlencoded, "a=%FF"), utf8);
  EXPECT_EQ(parsed(kUrlencoded, "=1"), "Invalid form: a field has no name.");
  EXPECT_EQ(parsed(kMultipart, part("a", "1\n2") + "--XY--"), control);
  EXPECT_EQ(parsed(kMultipart, part("a", std::string_view("\0", 1)) + "--XY--"), control);
  EXPECT_EQ(parsed(kMultipart, part("a", "\xFF") + "--XY--"), utf8);
  EXPECT_EQ(parsed(kMultipart, part("\xFF", "1") + "--XY--"), utf8);
}

}  // namespace
}  // namespace hearth::http
