// SPDX-License-Identifier: Apache-2.0
// In a network of the test's own, with one interface: for that it must be root.
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <map>

#include "net/mdns/mdns.h"
#include "net/testing/fake_bus.h"

namespace hearth::net {
namespace {

constexpr char kType[] = "_esphomelib._tcp";

// This thread, and the threads that it begins, are on a machine of their own with the address 192.0.2.1.
class OwnNetwork {
 public:
  OwnNetwork() : before_(::open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC)) {
    made_ = before_ >= 0 && ::unshare(CLONE_NEWNET) == 0 && run("ip link set lo up") && add("wire", "192.0.2.1/24");
  }
  ~OwnNetwork() {
    if (before_ >= 0) {
      EXPECT_EQ(::setns(before_, CLONE_NEWNET), 0);
      ::close(before_);
    }
  }
  OwnNetwork(const OwnNetwork&) = delete;
  OwnNetwork& operator=(const OwnNetwork&) = delete;

  explicit operator bool() const { return made_; }
  // An interface, whose other end nobody uses.
  static bool add(const std::string& name, const std::string& address) {
    return run(
        fmt::format("ip link add {0} type veth peer name {0}-end && ip link set {0}-end addrgenmode none up && "
                    "ip link set {0} up && ip address add {1} dev {0}",
                    name, address));
  }
  static bool run(const std::string& command) { return std::system((command + " 2>/dev/null").c_str()) == 0; }

 private:
  const int before_;
  bool made_ = false;
};

struct AvahiMdnsTest : ::testing::Test {
  void SetUp() override {
    if (!network) GTEST_SKIP() << "needs the right to make a network";
  }
  base::Handle announce(Mdns& by, std::string name, std::string version = "1") {
    return by.announce({.service = [name, version, this] {
      return MdnsService{.name = name,
                         .type = kType,
                         .port = 6053,
                         .texts = {{"version", version}, {"calls", std::to_string(++calls)}}};
    }});
  }
  base::Handle browse(Mdns& by) {
    return by.browse({kType, "_hap._tcp"}, bus.post(), [this](const std::vector<MdnsChange>& changes) {
      for (const MdnsChange& each : changes) {
        if (each.gone)
          there.erase(each.instance.name);
        else
          there[each.instance.name] = each.instance;
      }
    });
  }

  const OwnNetwork network;
  testing::FakeBus bus;
  std::map<std::string, MdnsInstance> there;
  std::atomic<int> calls = 0;
};

TEST_F(AvahiMdnsTest, FindsWhatAnotherMachineAnnounces) {
  Mdns device({.host = "bedroom"}), hub({.host = "hub"});
  base::Handle announced = announce(device, "Bedroom");
  const base::Handle browsing = browse(hub);
  bus.run_until([&] { return there.contains("Bedroom"); });
  const MdnsInstance& found = there["Bedroom"];
  EXPECT_EQ(found.type, kType);
  EXPECT_EQ(found.host, "bedroom.local");
  EXPECT_EQ(found.port, 6053);
  EXPECT_EQ(found.addresses.front().to_string(), "192.0.2.1");
  ASSERT_TRUE(found.text("version"));
  EXPECT_EQ(*found.text("version"), "1");

  EXPECT_EQ(hub.lookup()("Bedroom.local.").value(), (Addresses{boost::asio::ip::make_address("192.0.2.1")}));

  device.refresh();  // its texts are others then
  const std::string before = *found.text("calls");
  bus.run_until([&] { return *there["Bedroom"].text("calls") != before; });

  announced = {};
  bus.run_until([&] { return there.empty(); });
}

TEST_F(AvahiMdnsTest, TellsALateBrowserWhatIsThere) {
  Mdns device({.host = "bedroom"}), hub({.host = "hub"});
  const base::Handle announced = announce(device, "Bedroom");
  base::Handle first = browse(hub);
  bus.run_until([&] { return there.contains("Bedroom"); });
  there.clear();
  const base::Handle second = browse(hub);
  first = {};
  bus.run_until([&] { return there.contains("Bedroom"); });
}

TEST_F(AvahiMdnsTest, TriesAFullBusAgain) {
  Mdns device({.host = "bedroom"}), hub({.host = "hub"});
  const base::Handle announced = announce(device, "Bedroom");
  bus.set_full(true);
  const base::Handle browsing = browse(hub);
  base::wait_until([&] { return bus.refused() > 1; });
  bus.set_full(false);
  bus.run_until([&] { return there.contains("Bedroom"); });
}

TEST_F(AvahiMdnsTest, TellsNothingOfItsOwnServices) {
  Mdns device({.host = "bedroom"}), hub({.host = "hub"});
  const base::Handle browsing = browse(hub);
  const base::Handle own = announce(hub, "Own");
  const base::Handle announced = announce(device, "Bedroom");
  bus.run_until([&] { return there.contains("Bedroom"); });
  EXPECT_FALSE(there.contains("Own"));
}

TEST_F(AvahiMdnsTest, UsesOnlyTheInterfacesThatItMay) {
  ASSERT_TRUE(OwnNetwork::add("other", "198.51.100.1/24"));
  Mdns device({.host = "bedroom"}), hub({.host = "hub", .interfaces = {"other"}});
  const base::Handle announced = announce(device, "Bedroom");
  const base::Handle browsing = browse(hub);
  bus.run_until([&] { return there.contains("Bedroom"); });
  EXPECT_EQ(there["Bedroom"].addresses.front().to_string(), "198.51.100.1");
  EXPECT_EQ(std::ranges::count_if(there["Bedroom"].addresses, [](const Address& each) { return each.is_v4(); }), 1);
}

TEST_F(AvahiMdnsTest, AnswersNobodyAfterItsEnd) {
  Lookup lookup;
  {
    Mdns hub({.host = "hub"});
    hub.refresh();
    lookup = hub.lookup();
    const base::Handle browsing = browse(hub);
  }
  EXPECT_FALSE(lookup("nobody.local"));
}

}  // namespace
}  // namespace hearth::net
