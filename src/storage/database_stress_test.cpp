// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <latch>
#include <thread>
#include <vector>

#include "storage/home_uuid.h"
#include "storage/temporary_folder.h"

namespace hearth::storage {
namespace {

TEST(Database, IsCreatedByManyAtOnceWithOneResult) {
  for (int round = 0; round < 20; ++round) {
    TemporaryFolder folder;
    constexpr int kThreads = 4;
    std::latch together(kThreads);
    std::vector<std::string> uuids(kThreads);
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, i] {
        together.arrive_and_wait();
        auto database = Database::open(folder / "home.db");
        if (!database) return void(uuids[i] = database.error().message);
        const auto uuid = home_uuid(*database);
        uuids[i] = uuid ? *uuid : uuid.error().message;
      });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(32u, uuids[0].size()) << uuids[0];
    for (const auto& uuid : uuids) EXPECT_EQ(uuids[0], uuid);
  }
}

}  // namespace
}  // namespace hearth::storage
