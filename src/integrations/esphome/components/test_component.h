// SPDX-License-Identifier: Apache-2.0
// For tests of components: a node with one entity.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "integrations/esphome/node/test_node.h"

namespace hearth::integrations::esphome {

// A node with one entity, "Test Node Thing" with the key 1.
class TestComponent : public testing::Test {
 protected:
  template <class List>
  List thing() {
    return made_list<List>("Thing");
  }
  void connect(std::uint32_t type, const google::protobuf::MessageLite& list) {
    node.connect({{type, list.SerializeAsString()}});
  }
  template <class State>
  void says(std::uint32_t type, State state) {
    state.set_key(1);
    node.says(type, state);
  }
  // The command that the hub sends for a call to the entity.
  template <class Command>
  Command commanded(const std::string& service, const std::string& more = "") {
    node.sent.clear();
    call = node.home.begin(service, fmt::format(R"({{"entity_id":"{}.test_node_thing"{}}})",
                                                service.substr(0, service.find('.')), more.empty() ? "" : "," + more));
    Command command;
    EXPECT_FALSE(node.sent.empty()) << service << ": " << call->text();
    if (node.sent.empty()) return command;
    const std::string last = node.sent.back();
    EXPECT_TRUE(command.ParseFromString(bytes_of_hex(last.substr(last.find(' ') + 1))));
    return command;
  }
  std::string value(const std::string& domain) { return node.home.value(domain + ".test_node_thing"); }
  std::string attribute(const std::string& domain, std::string_view name) {
    return node.home.attribute(domain + ".test_node_thing", name);
  }

  TestNode node;
  std::shared_ptr<domains::TestHome::Call> call;
};

}  // namespace hearth::integrations::esphome
