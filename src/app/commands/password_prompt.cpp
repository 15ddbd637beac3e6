// SPDX-License-Identifier: Apache-2.0
#include "app/commands/password_prompt.h"

#include <bsd/readpassphrase.h>
#include <sodium.h>

#include <array>
#include <istream>

namespace hearth::app {

base::Result<std::string> ask_password(const std::string& question) {
  std::array<char, kMaxPasswordBytes + 2> line;  // one more than allowed, and the terminating zero
  if (!::readpassphrase(question.c_str(), line.data(), line.size(), RPP_REQUIRE_TTY)) {
    return base::fail(base::ErrorCode::invalid,
                      "There is no terminal to ask on. Pass it on standard input, with --password-stdin or "
                      "--passphrase-stdin.");
  }
  std::string password(line.data());
  ::sodium_memzero(line.data(), line.size());
  if (password.empty()) return base::fail(base::ErrorCode::invalid, "No password was given.");
  if (password.size() > kMaxPasswordBytes) return base::fail(base::ErrorCode::invalid, "The password is too long.");
  return password;
}

base::Result<std::string> read_passphrase(std::istream& in) {
  std::string passphrase;
  for (char c; in.get(c) && c != '\n';) {
    if (passphrase.size() == kMaxPasswordBytes)
      return base::fail(base::ErrorCode::invalid, "The passphrase is too long.");
    passphrase += c;
  }
  if (passphrase.ends_with('\r')) passphrase.pop_back();
  if (passphrase.empty()) return base::fail(base::ErrorCode::invalid, "The passphrase is empty.");
  return passphrase;
}

}  // namespace hearth::app
