// SPDX-License-Identifier: Apache-2.0
#include "app/commands/documentation_commands.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "app/commands/account_commands.h"
#include "app/commands/automation_commands.h"
#include "app/commands/backup_commands.h"
#include "app/commands/command_tree.h"
#include "app/commands/completions.h"
#include "app/commands/man_page.h"

namespace hearth::app {
namespace {

class DocumentationCommandsTest : public testing::Test {
 protected:
  DocumentationCommandsTest() {
    add_documentation_commands(app_, context_);  // first: what is added later must be described, too
    add_account_commands(app_, context_);
    add_backup_commands(app_, context_);
    add_automation_commands(app_, context_);
  }

  int run(std::vector<std::string> arguments) { return run_command_line(app_, context_, std::move(arguments)); }
  std::string script(std::string_view shell) { return completion(command_tree(app_), shell).value(); }

  std::istringstream in_;
  std::ostringstream out_, err_;
  base::ManualClock clock_;
  CommandContext context_{in_, out_, err_, clock_, {}, {}, {}};
  CLI::App app_{"Hearth", "hearth"};
};

// A word that is no part of a longer one.
bool has_word(const std::string& text, const std::string& word) {
  const auto part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_'; };
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const auto end = at + word.size();
    if ((at == 0 || !part(text[at - 1])) && (end == text.size() || !part(text[end]))) return true;
  }
  return false;
}

std::string unescaped(std::string text) {
  for (auto at = text.find("\\-"); at != std::string::npos; at = text.find("\\-", at)) text.erase(at, 1);
  return text;
}

TEST_F(DocumentationCommandsTest, TheTreeHasEveryCommandWithItsOptionsAndArguments) {
  const CommandEntry tree = command_tree(app_);
  const auto all = all_commands(tree);
  const auto add = std::ranges::find(all, "user add", &CommandEntry::path);
  ASSERT_NE(all.end(), add);
  EXPECT_EQ("add", (*add)->name());
  ASSERT_EQ(1, (*add)->arguments.size());
  EXPECT_EQ("NAME", (*add)->arguments[0].name);
  EXPECT_TRUE((*add)->arguments[0].required);
  EXPECT_FALSE((*add)->arguments[0].repeated);
  const auto& options = (*add)->options;
  const auto admin = std::ranges::find(options, std::vector<std::string>{"--admin"}, &OptionEntry::names);
  ASSERT_NE(options.end(), admin);
  EXPECT_EQ("", admin->value);
  const auto config = std::ranges::find(options, std::vector<std::string>{"--config"}, &OptionEntry::names);
  ASSERT_NE(options.end(), config);
  EXPECT_EQ("DIR", config->value);

  const auto test = std::ranges::find(all, "automation test", &CommandEntry::path);
  ASSERT_NE(all.end(), test);
  EXPECT_TRUE((*test)->arguments.at(0).repeated);
}

TEST_F(DocumentationCommandsTest, HiddenCommandsAndOptionsAreLeftOut) {
  app_.add_subcommand("secret", "")->group("");
  app_.get_subcommand("user")->add_flag("--secret")->group("");
  for (const CommandEntry* const command : all_commands(command_tree(app_))) {
    EXPECT_NE("secret", command->path);
    for (const OptionEntry& option : command->options) EXPECT_NE("--secret", option.names.at(0));
  }
}

TEST_F(DocumentationCommandsTest, EveryCommandOptionAndArgumentIsInTheManPageAndInTheCompletions) {
  const CommandEntry tree = command_tree(app_);
  const std::string page = unescaped(man_page(tree, "1.0"));
  const std::string bash = script("bash"), zsh = script("zsh"), fish = script("fish");
  for (const CommandEntry* const command : all_commands(tree)) {
    if (command->path.empty()) continue;
    for (const std::string* const text : {&bash, &zsh, &fish}) EXPECT_TRUE(has_word(*text, command->path)) << *text;
    if (!command->commands.empty()) continue;
    EXPECT_TRUE(has_word(page, command->path)) << command->path;
    for (const ArgumentEntry& argument : command->arguments)
      EXPECT_TRUE(page.contains("\\fI" + argument.name + "\\fR"));
    for (const OptionEntry& option : command->options) {
      for (const std::string& name : option.names) {
        EXPECT_TRUE(page.contains("\\fB" + name + "\\fR")) << name;
        EXPECT_TRUE(has_word(bash, name)) << name;
        EXPECT_TRUE(has_word(zsh, name)) << name;
        EXPECT_TRUE(fish.contains(name.starts_with("--") ? "-l " + name.substr(2) : "-s " + name.substr(1))) << name;
      }
    }
  }
}

TEST_F(DocumentationCommandsTest, QuotesAndDotsOfDescriptionsStayText) {
  CLI::App app("", "hearth");
  app.add_subcommand("odd", "'Tis ann's \\ one");
  const CommandEntry tree = command_tree(app);
  EXPECT_TRUE(man_page(tree, "1.0").contains("\n\\&'Tis ann's \\e one.\n"));
  EXPECT_TRUE(completion(tree, "zsh")->contains(R"('odd:'\''Tis ann'\''s \ one')"));
  EXPECT_TRUE(completion(tree, "fish")->contains(R"(-d '\'Tis ann\'s \\ one')"));
}

TEST_F(DocumentationCommandsTest, PrintsTheManPageAndTheScripts) {
  EXPECT_EQ(0, run({"man"}));
  EXPECT_TRUE(out_.str().starts_with(".TH HEARTH 1"));
  for (const std::string& shell : completed_shells()) {
    out_.str("");
    EXPECT_EQ(0, run({"completion", shell}));
    EXPECT_EQ(script(shell), out_.str());
  }
}

TEST_F(DocumentationCommandsTest, AnUnknownShellIsAnErrorThatNamesTheKnown) {
  EXPECT_EQ(1, run({"completion", "tcsh"}));
  EXPECT_EQ("hearth: There is no completion for tcsh; there is one for bash, zsh, fish.\n", err_.str());
  EXPECT_EQ("", out_.str());
}

}  // namespace
}  // namespace hearth::app
