// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/notify/mail_text.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>

#include "base/text/utf8.h"

namespace hearth::building_blocks {
namespace {

constexpr std::size_t kBytesOfLine = 57;  // 76 characters of base64
constexpr std::size_t kBytesOfWord = 39;  // 52 characters, and what an encoded word has around them

std::string base64(std::string_view bytes) {
  constexpr std::string_view kLetters64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t left = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t group = 0;
    for (std::size_t byte = 0; byte < 3; ++byte)
      group = group << 8 | (byte < left ? static_cast<unsigned char>(bytes[at + byte]) : 0U);
    for (std::size_t digit = 0; digit < 4; ++digit)
      text += digit <= left ? kLetters64[group >> (18 - 6 * digit) & 63] : '=';
  }
  return text;
}

std::string base64_lines(std::string_view bytes) {
  std::string lines;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(kBytesOfLine, bytes.size())))
    lines += base64(bytes.substr(0, kBytesOfLine)) + "\r\n";
  return lines;
}

// On one line, as a header has it: control characters become blanks.
std::string on_one_line(std::string_view text) {
  std::string line = base::utf8_repaired(text);
  std::ranges::replace_if(line, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  return line;
}

// RFC 2047: words of UTF-8 in base64, on lines of their own, each of whole characters.
std::string encoded_words(std::string_view text) {
  const std::string line = on_one_line(text);
  std::string words;
  for (std::string_view rest = line; !rest.empty();) {
    std::size_t length = std::min(kBytesOfWord, rest.size());
    while (length < rest.size() && (static_cast<unsigned char>(rest[length]) & 0xC0) == 0x80) --length;
    words += fmt::format("{}=?UTF-8?B?{}?=", words.empty() ? "" : "\r\n ", base64(rest.substr(0, length)));
    rest.remove_prefix(length);
  }
  return words;
}

std::string_view picture_type(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kTypes{{{".jpg", "image/jpeg"},
                                                                                 {".jpeg", "image/jpeg"},
                                                                                 {".png", "image/png"},
                                                                                 {".gif", "image/gif"},
                                                                                 {".webp", "image/webp"},
                                                                                 {".svg", "image/svg+xml"}}};
  for (const auto& [ending, type] : kTypes)
    if (name.ends_with(ending)) return type;
  return "application/octet-stream";
}

std::string text_part(std::string_view type, std::string_view text) {
  return fmt::format("Content-Type: {}; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n{}", type,
                     base64_lines(text));
}

std::string picture_part(const Mail::Picture& picture, bool within) {
  // Only these letters need no quoting, in any header.
  std::string name = picture.name;
  std::ranges::replace_if(
      name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '-' && c != '_'; },
      '_');
  return fmt::format(
      "Content-Type: {}\r\nContent-Transfer-Encoding: base64\r\nContent-ID: <{}>\r\n"
      "Content-Disposition: {};\r\n filename=\"{}\"\r\n\r\n{}",
      picture_type(name), name, within ? "inline" : "attachment", name, base64_lines(picture.bytes));
}

std::string multipart(std::string_view kind, const std::string& boundary, const std::vector<std::string>& parts) {
  std::string all = fmt::format("Content-Type: multipart/{};\r\n boundary=\"{}\"\r\n\r\n", kind, boundary);
  for (const std::string& part : parts) all += fmt::format("--{}\r\n{}\r\n", boundary, part);
  return all + fmt::format("--{}--\r\n", boundary);
}

}  // namespace

std::string mail_text(const Mail& mail) {
  std::string text = fmt::format("Date: {:%a, %d %b %Y %H:%M:%S} +0000\r\n",
                                 std::chrono::time_point_cast<std::chrono::seconds>(mail.time));
  text += mail.sender_name.empty() ? fmt::format("From: {}\r\n", mail.sender)
                                   : fmt::format("From: {}\r\n <{}>\r\n", encoded_words(mail.sender_name), mail.sender);
  std::string to;
  for (const std::string& recipient : mail.recipients) to += (to.empty() ? "" : ",\r\n ") + recipient;
  text += fmt::format("To: {}\r\nSubject: {}\r\nMessage-ID: <{}@hearth>\r\nX-Mailer: Hearth\r\nMIME-Version: 1.0\r\n",
                      to, encoded_words(mail.subject), mail.id);
  std::string body = text_part("text/plain", mail.text);
  if (!mail.html.empty())
    body = multipart("alternative", mail.id + "-a", {std::move(body), text_part("text/html", mail.html)});
  if (mail.pictures.empty()) return text + body;
  std::vector<std::string> parts{std::move(body)};
  for (const Mail::Picture& picture : mail.pictures) parts.push_back(picture_part(picture, !mail.html.empty()));
  return text + multipart(mail.html.empty() ? "mixed" : "related", mail.id + "-m", parts);
}

bool is_mail_address(std::string_view text) {
  const std::size_t at = text.find('@');
  return at != std::string_view::npos && at > 0 && at + 1 < text.size() && text.size() <= 254 &&
         std::ranges::none_of(text, [](char c) {
           return static_cast<unsigned char>(c) <= 0x20 || c == 0x7f || c == '<' || c == '>' || c == ',';
         });
}

}  // namespace hearth::building_blocks
