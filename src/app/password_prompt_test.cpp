// SPDX-License-Identifier: Apache-2.0
#include "app/password_prompt.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <future>

namespace hearth::app {
namespace {

// A terminal with nobody but the test on the other side.
class PasswordPromptTest : public testing::Test {
 protected:
  void SetUp() override {
    person_ = ::posix_openpt(O_RDWR | O_NOCTTY);
    ASSERT_EQ(0, ::grantpt(person_));
    ASSERT_EQ(0, ::unlockpt(person_));
    terminal_ = ::open(::ptsname(person_), O_RDWR | O_NOCTTY);
    ASSERT_GE(terminal_, 0);
  }
  ~PasswordPromptTest() override {
    ::close(terminal_);
    ::close(person_);
  }

  // Answers once the question is on the screen; returns all that the screen showed.
  base::Result<std::string> ask(const std::string& answer) {
    auto asked = std::async(std::launch::async, [&] { return ask_password(terminal_, terminal_, "Password: "); });
    while (!screen_.ends_with("Password: ")) read_screen();
    EXPECT_EQ(static_cast<ssize_t>(answer.size()), ::write(person_, answer.data(), answer.size()));
    auto password = asked.get();
    while (!screen_.ends_with("\r\n")) read_screen();
    return password;
  }
  void read_screen() {
    std::array<char, 256> buffer;
    if (const auto count = ::read(person_, buffer.data(), buffer.size()); count > 0)
      screen_.append(buffer.data(), count);
  }

  int person_ = -1;
  int terminal_ = -1;
  std::string screen_;
};

TEST_F(PasswordPromptTest, ReadsALineThatTheScreenDoesNotShow) {
  EXPECT_EQ("secret ë", ask("secret ë\n").value());
  EXPECT_EQ("Password: \r\n", screen_);
}

TEST_F(PasswordPromptTest, PutsTheTerminalRight) {
  ask("secret\n").value();
  ::termios after;
  ASSERT_EQ(0, ::tcgetattr(terminal_, &after));
  EXPECT_NE(0u, after.c_lflag & ECHO);
}

TEST_F(PasswordPromptTest, TakesTheEndOfInputForNoPassword) {
  EXPECT_EQ("No password was given.", ask("\x04").error().message);
}

TEST_F(PasswordPromptTest, RefusesALineWithoutEnd) {
  EXPECT_EQ("The password is too long.", ask(std::string(kMaxPasswordBytes + 1, 'a') + "\n").error().message);
}

TEST(PasswordPrompt, NeedsATerminal) {
  const int file = ::open("/dev/null", O_RDWR);
  EXPECT_EQ("Standard input is no terminal to ask on; pass the password there with --password-stdin.",
            ask_password(file, file, "Password: ").error().message);
  ::close(file);
}

}  // namespace
}  // namespace hearth::app
