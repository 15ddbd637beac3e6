// SPDX-License-Identifier: Apache-2.0
#include "app/items/item_revisions.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "app/files/revised_file.h"

namespace hearth::app {
namespace {

namespace fs = std::filesystem;

class ItemRevisionsTest : public testing::Test {
 protected:
  ItemRevisionsTest() {
    std::string name = (fs::temp_directory_path() / "hearth-XXXXXX").native();
    home_ = ::mkdtemp(name.data());
  }
  ~ItemRevisionsTest() override { fs::remove_all(home_); }

  // As the hub does when somebody changes the item.
  void write(const std::string& text, const std::string& id, const std::string& file = "automations.yaml") {
    ASSERT_TRUE(write_revised(home_, home_ / file, text_, text, ItemRevisions::note({"automation", id}, "ann", "[0]")));
    text_ = text;
  }
  std::string kinds(const std::string& id) const {
    std::string text;
    const json::object answer = ItemRevisions(home_).list(
        {"automation", id}, ItemRevisions::Source{"automations.yaml", {{yaml::ItemForm::list}}});
    for (const json::value& row : answer.at("revisions").as_array()) {
      text += std::string(row.at("kind").as_string()) + " " + (row.at("user_id").is_string() ? "by ann" : "by hand");
      for (const json::value& change : row.at("changes").as_array())
        text += " " + std::string(change.at("kind").as_string()) + " " + std::string(change.at("path").as_string());
      text += "\n";
    }
    return text;
  }

  fs::path home_;
  std::string text_;
};

constexpr const char *kOne = "- id: one\n  alias: One\n  trigger: []\n", *kTwo = "- id: two\n  alias: Two\n",
                     *kNew = "- id: one\n  alias: One\n  triggers: []\n  mode: single\n";

TEST_F(ItemRevisionsTest, ListsOnlyWhatChangedTheItem) {
  write(kOne, "one");
  write(std::string(kOne) + kTwo, "two");
  write(std::string(kNew) + kTwo, "one");
  write(kTwo, "one");
  write(std::string(kTwo) + kOne, "one");
  EXPECT_EQ(kinds("one"), "added by ann\nremoved by ann\nchanged by ann added mode\n");
  EXPECT_EQ(kinds("two"), "added by ann\n");
  const json::object answer = ItemRevisions(home_).list(
      {"automation", "one"}, ItemRevisions::Source{"automations.yaml", {{yaml::ItemForm::list}}});
  EXPECT_EQ(answer.at("current").as_string(), kOne);
  EXPECT_TRUE(answer.at("revisions").at(0).at("before").is_null());
  EXPECT_EQ(answer.at("revisions").at(1).at("before").as_string(), kNew);
}

TEST_F(ItemRevisionsTest, KnowsWhatPeopleChangedInTheFileBetween) {
  write(std::string(kOne) + kTwo, "one");
  text_ = std::string(kNew) + kTwo;  // by hand
  std::ofstream(home_ / "automations.yaml") << text_;
  write(std::string(kNew) + "- id: two\n  alias: Second\n", "two");
  write(std::string(kOne) + "- id: two\n  alias: Second\n", "one");
  EXPECT_EQ(kinds("one"), "changed by ann removed mode\n");
  EXPECT_EQ(kinds("two"), "changed by ann changed alias\n");
}

TEST_F(ItemRevisionsTest, ListsWhatIsNoLongerThere) {
  write(std::string(kOne) + kTwo, "one");
  write(kTwo, "one");
  write("[]\n", "two");
  const json::array rows = ItemRevisions(home_).deleted("automation", {});
  ASSERT_EQ(rows.size(), 2);
  EXPECT_EQ(rows[0].at("item_id").as_string(), "two");
  EXPECT_EQ(rows[1].at("name").as_string(), "One");
  EXPECT_EQ(rows[1].at("user_id").as_string(), "ann");
  EXPECT_EQ(ItemRevisions(home_).deleted("automation", {"two"}).size(), 1);
  EXPECT_TRUE(ItemRevisions(home_).deleted("scene", {}).empty());
  const auto former = ItemRevisions(home_).find({"automation", "one"}, std::string(rows[1].at("revision").as_string()));
  ASSERT_TRUE(former);
  EXPECT_EQ(former->file, "automations.yaml");
  EXPECT_EQ(former->lines, kOne);
}

TEST_F(ItemRevisionsTest, FindsTheDeletedOfAnotherFileByItsNotes) {
  fs::create_directories(home_ / "more");
  write(kOne, "one", "more/hall.yaml");
  write("[]\n", "one", "more/hall.yaml");
  EXPECT_EQ(ItemRevisions(home_).deleted("automation", {}).size(), 1);
  EXPECT_TRUE(ItemRevisions(home_).find({"automation", "one"}, "more/hall.yaml/00000001"));
}

TEST_F(ItemRevisionsTest, LeadsNowhereElse) {
  write(kOne, "one");
  write(kTwo, "one");
  for (const char* const revision : {"", "/", "automations.yaml", "automations.yaml/", "automations.yaml/00000009",
                                     "../automations.yaml/00000001", "secrets.yaml/00000001"})
    EXPECT_EQ(ItemRevisions(home_).find({"automation", "one"}, revision).error().code, base::ErrorCode::not_found);
  EXPECT_FALSE(ItemRevisions(home_).find({"automation", "two"}, "automations.yaml/00000001"));
}

TEST_F(ItemRevisionsTest, KeepsFiftyWithTheirNotes) {
  for (std::size_t i = 0; i < kRevisions + 5; ++i) write("- id: one\n  alias: n" + std::to_string(i) + "\n", "one");
  const fs::path folder = revisions_of(home_, home_ / "automations.yaml");
  EXPECT_EQ(revisions_in(home_, home_ / "automations.yaml").size(), kRevisions);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 2 * kRevisions);
}

}  // namespace
}  // namespace hearth::app
