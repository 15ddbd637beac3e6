// SPDX-License-Identifier: Apache-2.0
// Browsers for services of others, and questions for hosts, by the server of the responder. Thread `mdns` only.
#pragma once

#include <cstdint>
#include <future>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "net/mdns/avahi_objects.h"
#include "net/mdns/instance_table.h"
#include "net/mdns/mdns.h"

namespace hearth::net {

class AvahiBrowsing {
 public:
  struct Receiver {
    Mdns::Changed changed;
  };
  struct Subscriber {
    std::vector<std::string> types;
    PostToBus post;
    std::weak_ptr<const Receiver> receiver;  // only the bus thread looks at it
  };
  using Answer = std::promise<Addresses>;

  explicit AvahiBrowsing(const AvahiPoll* poll) : poll_(poll) {}
  ~AvahiBrowsing() { detach(); }
  AvahiBrowsing(const AvahiBrowsing&) = delete;
  AvahiBrowsing& operator=(const AvahiBrowsing&) = delete;

  void add(std::uint64_t id, Subscriber subscriber);
  void remove(std::uint64_t id);
  // Empty if nobody answers.
  void ask(const std::string& host, Answer answer);

  // The server runs, until detach, which comes before its end.
  void attach(AvahiServer* server);
  void detach();

 private:
  static constexpr std::chrono::milliseconds kSettling{100};      // several changes are told together
  static constexpr std::chrono::milliseconds kBetweenTries{100};  // of a full bus
  static constexpr std::size_t kMaxQuestions = 64;

  struct Waiting {
    Subscriber subscriber;
    std::map<InstanceTable::Key, MdnsChange> changes = {};  // that the bus has not taken
  };
  struct Question {
    AvahiBrowsing* owner;
    Answer answer;
    Addresses found = {};
    int open = 0;  // families without an answer
    AvahiHostResolverOwner v4 = {}, v6 = {};
  };
  // The question for an instance: its name and type as the network has them, and place.
  using Resolving = std::tuple<std::string, std::string, int>;

  void browse_types();
  void browsed(AvahiIfIndex interface, AvahiProtocol protocol, AvahiBrowserEvent event, const char* name,
               const char* type, AvahiLookupResultFlags flags);
  void resolved(AvahiIfIndex interface, AvahiProtocol protocol, const char* name, const char* type, const char* host,
                const AvahiAddress* address, std::uint16_t port, AvahiStringList* texts);
  void host_found(Question& question, AvahiIfIndex interface, const AvahiAddress* address);
  void look_soon();
  void look();
  void tell(Waiting& to, const MdnsChange& change);
  void post();

  const AvahiPoll* const poll_;
  AvahiServer* server_ = nullptr;
  InstanceTable table_;
  std::size_t told_ignored_ = 0;
  std::map<std::uint64_t, Waiting> subscribers_;
  std::map<std::string, AvahiServiceBrowserOwner> browsers_;  // by type
  std::map<Resolving, AvahiServiceResolverOwner> resolvers_;
  std::list<Question> questions_, answered_;
  AvahiTimer look_timer_, post_timer_;
  bool looks_soon_ = false;
};

}  // namespace hearth::net
