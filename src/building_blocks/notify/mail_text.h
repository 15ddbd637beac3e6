// SPDX-License-Identifier: Apache-2.0
// A message as an e-mail (RFC 5322, MIME): its text, perhaps the same as HTML, and pictures. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace hearth::building_blocks {

struct Mail {
  struct Picture {
    std::string name;  // door.jpg; the HTML names it by cid:door.jpg
    std::string bytes;
  };

  std::string sender;
  std::string sender_name = {};  // for people; may be empty
  std::vector<std::string> recipients;
  std::string subject, text;
  std::string html = {};  // empty if there is none
  std::vector<Picture> pictures = {};
  base::Timestamp time;
  std::string id;  // random, of letters and digits
};

// Lines end with CR and LF, and have at most 78 characters, unless an address is longer. No text can add a header.
std::string mail_text(const Mail& mail);

// True of what an address of a mail may be: somebody@host, without blanks, control characters and angle brackets.
bool is_mail_address(std::string_view text);

}  // namespace hearth::building_blocks
