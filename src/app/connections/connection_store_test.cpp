// SPDX-License-Identifier: Apache-2.0
#include "app/connections/connection_store.h"

#include <gtest/gtest.h>

#include "storage/temporary_folder.h"

namespace hearth::app {
namespace {

class ConnectionStoreTest : public testing::Test {
 protected:
  ConnectionStoreTest() { store.open(folder / "home.db").value(); }

  static core::Connection connection(std::string entry_id, std::string unique_id) {
    return {.entry_id = std::move(entry_id),
            .domain = "bridge",
            .title = "Bridge " + unique_id,
            .unique_id = unique_id,
            .source = core::Connection::Source::user,
            .data = {{"host", unique_id}},
            .created_at = base::Timestamp(std::chrono::hours(1)),
            .modified_at = base::Timestamp(std::chrono::hours(2))};
  }

  storage::TemporaryFolder folder;
  ConnectionStore store;
};

TEST_F(ConnectionStoreTest, KeepsConnectionsAndTheirSecrets) {
  const core::Secrets secrets{{"key", core::Secret(std::string("\0\xFF key", 6))}};
  ASSERT_TRUE(store.save(connection("A", "a"), &secrets));
  core::Connection changed = connection("A", "a");
  changed.title = "Another";
  changed.disabled = true;
  ASSERT_TRUE(store.save(changed, nullptr));
  const auto all = store.read().value();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].connection, changed);
  EXPECT_EQ(all[0].secrets, secrets);
  ASSERT_TRUE(store.remove("A"));
  ASSERT_TRUE(store.save(connection("A", "a"), nullptr));
  EXPECT_TRUE(store.read().value()[0].secrets.empty());
}

TEST_F(ConnectionStoreTest, HasOneConnectionOfADevice) {
  ASSERT_TRUE(store.save(connection("A", "a"), nullptr));
  ASSERT_TRUE(store.save(connection("B", "a"), nullptr));
  const auto all = store.read().value();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].connection.entry_id, "B");
}

TEST_F(ConnectionStoreTest, LeavesOutWhatCannotBeRead) {
  ASSERT_TRUE(store.save(connection("A", "a"), nullptr));
  ASSERT_TRUE(store.save(connection("B", "b"), nullptr));
  auto database = storage::Database::open(folder / "home.db").value();
  for (const char* const change : {"data = '['", "data = '[]'", "source = 'moon'", "made = 'once'"}) {
    ASSERT_TRUE(database.execute(std::string("UPDATE connections SET ") + change + " WHERE entry_id = 'A'"));
    const auto all = store.read().value();
    ASSERT_EQ(all.size(), 1u) << change;
    EXPECT_EQ(all[0].connection.entry_id, "B");
    ASSERT_TRUE(store.save(connection("A", "a"), nullptr));
    ASSERT_TRUE(database.execute("UPDATE connections SET source = 'user', made = changed WHERE entry_id = 'A'"));
  }
}

TEST_F(ConnectionStoreTest, KeepsWhatIsIgnored) {
  ASSERT_TRUE(store.ignore("bridge", "a", "A"));
  ASSERT_TRUE(store.ignore("bridge", "a", "A again"));
  EXPECT_EQ(store.read_ignored().value(), (ConnectionStore::Ignored{{{"bridge", "a"}, "A again"}}));
  ASSERT_TRUE(store.heed("bridge", "b"));
  ASSERT_TRUE(store.heed("bridge", "a"));
  EXPECT_TRUE(store.read_ignored().value().empty());
}

}  // namespace
}  // namespace hearth::app
