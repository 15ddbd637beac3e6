// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "core/registry/registry.h"

namespace hearth::core {
namespace {

constexpr int kRounds = 300;
const Context kContext{"C", {}, {}};

struct RegistryStress : testing::Test {
  RegistryStress() { bus.start(); }
  ~RegistryStress() override { bus.stop(); }

  base::SystemClock clock;
  EventBus bus{clock};
  Registry registry{bus, clock};
};

// True if the indexes match the maps, by building them again.
void expect_whole(const RegistryData& data) {
  RegistryData anew;
  for (const auto& [id, device] : data.devices) anew.set(device);
  for (const auto& [id, entity] : data.entities) {
    ASSERT_EQ(id, entity.entity_id);
    ASSERT_EQ(data.find_entity_by_id(entity.id), &entity);
    ASSERT_EQ(data.find_entity(entity.integration, entity.domain(), entity.unique_id), &entity);
    ASSERT_TRUE(!entity.area_id || data.areas.contains(*entity.area_id)) << id << " stands in a deleted area";
    anew.set(entity);
  }
  const auto same = [](const auto& one, const auto& other) {
    return std::equal(one.begin(), one.end(), other.begin(), other.end(), [](const auto& a, const auto& b) {
      return a.first == b.first && std::equal(a.second.begin(), a.second.end(), b.second.begin(), b.second.end());
    });
  };
  EXPECT_TRUE(same(data.entities_of_device, anew.entities_of_device));
  EXPECT_TRUE(same(data.entities_of_area, anew.entities_of_area));
  EXPECT_TRUE(same(data.entities_of_label, anew.entities_of_label));
  EXPECT_TRUE(same(data.devices_of_area, anew.devices_of_area));
  EXPECT_TRUE(same(data.devices_of_label, anew.devices_of_label));
  EXPECT_EQ(data.entities_by_id.size(), data.entities.size());
  EXPECT_EQ(data.entities_by_identity.size(), data.entities.size());
}

TEST_F(RegistryStress, IsConsistentInEverySnapshot) {
  std::atomic<bool> done{false};
  std::thread reader([&] {
    for (std::uint64_t last = 0; !done;) {
      const auto data = registry.snapshot();
      ASSERT_GE(data->version, last);
      last = data->version;
      expect_whole(*data);
    }
  });
  const auto write = [&](unsigned seed) {
    for (int i = 0; i < kRounds; ++i) {
      seed = seed * 1'664'525 + 1'013'904'223;
      const std::string number = std::to_string(seed >> 28), area = "area_" + std::to_string(seed >> 26 & 3);
      const std::string device = "test.device_" + std::to_string(seed >> 24 & 7);
      RegisteredEntity entity;
      entity.integration = "test";
      entity.unique_id = number;
      entity.device_id = device;
      const auto put = registry.put_entity(*EntityId::parse("light.l" + number), entity);
      switch (seed >> 20 & 7) {
        case 0:
          static_cast<void>(registry.delete_area(area, kContext));
          break;
        case 1:
          static_cast<void>(registry.create_area({.name = area}, kContext));
          break;
        case 2:
          registry.put_device({.id = device, .name = number});
          break;
        case 3:
          static_cast<void>(registry.update_device(device, {.area_id = area, .labels = Texts{number}}, kContext));
          break;
        case 4:
          registry.forget_entity(put->id);
          break;
        case 5:
          static_cast<void>(registry.update_entity(put->entity_id, {.new_entity_id = "light.n" + number}, kContext));
          break;
        default:
          static_cast<void>(registry.update_entity(put->entity_id, {.area_id = area, .labels = Texts{area}}, kContext));
      }
    }
  };
  std::vector<std::thread> writers;
  for (unsigned i = 1; i <= 3; ++i) writers.emplace_back(write, i);
  for (auto& writer : writers) writer.join();
  done = true;
  reader.join();
  EXPECT_GT(registry.snapshot()->version, 100u);
}

// Each event contains the field's former value: together they form one sequence.
TEST_F(RegistryStress, FiresEventsInTheOrderOfChanges) {
  registry.put_entity(*EntityId::parse("light.lamp"), {.unique_id = "1", .integration = "test"}).value();
  std::vector<json::value> before;
  const auto listener = bus.listen(event_type::kEntityRegistryUpdated, [&](const Event& event) {
    const json::value data = base::parse_json(std::get<std::string>(event.data)).value();
    if (data.at("action") == "update") before.push_back(data.at("changes").at("name"));
  });
  const auto rename = [&](int writer) {
    for (int i = 0; i < kRounds; ++i) {
      const std::string name = std::to_string(writer) + ' ' + std::to_string(i);
      registry.update_entity("light.lamp", {.name = name}, kContext).value();
    }
  };
  std::vector<std::thread> writers;
  for (int i = 0; i < 3; ++i) writers.emplace_back(rename, i);
  for (auto& writer : writers) writer.join();
  const auto last = registry.snapshot()->entities.at("light.lamp");
  bus.stop();
  ASSERT_EQ(before.size(), 3u * kRounds);
  EXPECT_TRUE(before.front().is_null());
  before.push_back(json::string(*last.name));
  // No name is lost or repeated, and each writer's are in order.
  std::vector<int> next(3, 0);
  for (std::size_t i = 1; i < before.size(); ++i) {
    const std::string name(before[i].as_string());
    const auto writer = static_cast<std::size_t>(name[0] - '0');
    ASSERT_EQ(std::stoi(name.substr(2)), next[writer]++);
  }
}

}  // namespace
}  // namespace hearth::core
