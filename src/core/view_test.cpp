// SPDX-License-Identifier: Apache-2.0
#include "core/view.h"

#include "core/rights/policy_json.h"
#include "core/services/service_test_home.h"

namespace hearth::core {
namespace {

class ViewTest : public testing::Test {
 protected:
  ViewTest() {
    kitchen = hub.registry.ensure_area("Kitchen", hub.registry.ensure_floor("Ground").id).id;
    hall = hub.registry.ensure_area("Hall", hub.registry.ensure_floor("Upper").id).id;
    hub.registry.put_device({.id = "d.stove", .integration = "d", .area_id = kitchen});
    hub.registry.put_device({.id = "d.bell", .integration = "d", .area_id = hall});
    put("light.stove", "d.stove");
    put("light.bell", "d.bell");
    for (const char* id : {"light.stove", "light.bell", "sensor.loose"}) write(all, id, "off");
  }

  void put(const std::string& id, const char* device) {
    const auto wanted = EntityId::parse(id).value();
    hub.registry.put_entity(wanted, {.unique_id = id, .integration = "d", .device_id = device}).value();
  }
  base::Result<StateMachine::Written> write(const View& view, std::string_view id, std::string_view value) {
    return view.set(EntityId::parse(id).value(), {value, "{}", Context{"A", {}, {}}});
  }
  View view(Role role, std::string_view policy) {
    return {hub, Rights(role, std::make_shared<const Policy>(parse_policy(policy).value()))};
  }
  static std::string ids(const ReadableStates& states) {
    std::set<std::string> sorted;
    states.for_each([&](const State& state) { sorted.emplace(state.entity_id()); });
    std::string list;
    for (const auto& id : sorted) list += id + " ";
    return list;
  }
  static Event event(std::string_view type, std::string data) {
    return {std::string(type), std::move(data), Origin::local, Context{"A", {}, {}}};
  }
  // As the registry fires it.
  static Event changed(std::string_view type, std::string id) {
    Event made = event(type, "{}");
    made.registry_change = std::make_shared<const RegistryChange>(std::move(id));
    return made;
  }

  base::ManualClock clock;
  Hub hub{clock};
  std::string kitchen, hall;
  const View all{hub, Rights()};
  const View cook = view(Role::user, R"({"read":{"areas":["kitchen"],"entities":["sensor.loose"]},
                                         "control":{"areas":["kitchen"]}})");
};

TEST_F(ViewTest, ShowsStatesThatMayBeRead) {
  EXPECT_EQ(ids(all.states()), "light.bell light.stove sensor.loose ");
  EXPECT_EQ(ids(cook.states()), "light.stove sensor.loose ");
  EXPECT_TRUE(cook.find("light.stove"));
  EXPECT_FALSE(cook.find("light.bell"));
  EXPECT_EQ(ids(View(hub, Rights::none()).states()), "");
  std::vector<std::string> asked{"light.bell", "light.stove", "light.nowhere"};
  cook.keep_readable(asked);
  EXPECT_EQ(asked, std::vector<std::string>{"light.stove"});
}

TEST_F(ViewTest, WritesWhatMayBeControlled) {
  EXPECT_TRUE(write(cook, "light.stove", "on"));
  EXPECT_EQ(write(cook, "light.bell", "on").error().message, "This user may not control light.bell.");
  EXPECT_EQ(write(cook, "sensor.loose", "on").error().code, base::ErrorCode::forbidden);
  EXPECT_EQ(write(cook, "light.new", "on").error().code, base::ErrorCode::forbidden);
  EXPECT_EQ(write(View(hub, Rights(Role::reader)), "light.stove", "on").error().message, "This user may only read.");
  EXPECT_EQ(all.find("light.bell")->value(), "off");
}

TEST_F(ViewTest, TakesThePinOutOfACall) {
  ServiceDescription run;
  run.domain = "test";
  run.service = "run";
  std::vector<std::string> seen;
  const auto handler = [&](const ServiceCall& call, const ServiceReply& reply) {
    const PresentedPin* const given = call.request().rights.presented_pin();
    seen.push_back(base::to_json(call.data()) + (given ? given->pin + given->user : "none"));
    reply(nullptr);
  };
  auto service = hub.services.add(run, handler);
  std::string events;
  const auto listening = hub.bus.listen(event_type::kCallService,
                                        [&](const Event& event) { events += std::get<std::string>(event.data); });
  const auto call = [&](json::value pin) {
    ServiceRequest request{
        .domain = "test", .service = "run", .data = {{"entity_id", "light.stove"}}, .context = {"A", {}, "ann"}};
    if (!pin.is_null()) request.data["pin"] = std::move(pin);
    cook.call(std::move(request), [](const base::Result<CallOutcome>& outcome) { outcome.value(); });
    hub.bus.run_pending();
  };
  call("4711");
  call(4711);
  call(nullptr);
  EXPECT_EQ(seen, (std::vector<std::string>{"{}4711ann", "{}4711ann", "{}ann"}));
  EXPECT_FALSE(events.contains("pin") || events.contains("4711")) << events;
  // A script may have a field of that name, which no event shows.
  service = Registration();
  run.fields = {{.name = "pin", .description = "", .type = field::Text{}}};
  service = hub.services.add(run, handler);
  call("4711");
  EXPECT_EQ(seen.back(), R"({"pin":"4711"}4711ann)");
  EXPECT_FALSE(events.contains("4711")) << events;
}

TEST_F(ViewTest, RemovesWhatMayBeControlledAndFindsNothingThatMayNotBeRead) {
  const Context context{"A", {}, {}};
  EXPECT_EQ(cook.remove("light.bell", context).error().code, base::ErrorCode::not_found);
  EXPECT_EQ(cook.remove("sensor.loose", context).error().code, base::ErrorCode::forbidden);
  EXPECT_TRUE(cook.remove("light.stove", context));
  const View blind = view(Role::reader, "{}");
  EXPECT_EQ(blind.remove("light.bell", context).error().code, base::ErrorCode::forbidden);
}

TEST_F(ViewTest, ShowsRegistryEntriesThatContainSomethingReadable) {
  std::string seen;
  const auto note = [&](const auto& thing) { seen += thing.id + " "; };
  const ReadableRegistry registry = cook.registry();
  registry.for_each_floor(note);
  registry.for_each_area(note);
  registry.for_each_device(note);
  registry.for_each_entity([&](const RegisteredEntity& entity) { seen += entity.entity_id; });
  EXPECT_EQ(seen, "ground kitchen d.stove light.stove");
  EXPECT_FALSE(registry.find_entity("light.bell"));
  EXPECT_EQ(registry.entities_of_device("d.stove"), std::vector<std::string>{"light.stove"});
  EXPECT_TRUE(registry.entities_of_device("d.bell").empty());

  // In another room than its device, it shows the device and its own room, but not the device's room.
  EntityEdit moved;
  moved.area_id = OptionalText(kitchen);
  hub.registry.update_entity("light.bell", moved, Context{"A", {}, {}}).value();
  EXPECT_TRUE(cook.registry().reads_device("d.bell"));
  EXPECT_FALSE(cook.registry().reads_area(hall));
  EXPECT_FALSE(cook.registry().reads_floor("upper"));
}

TEST_F(ViewTest, ReceivesEventsOfWhatMayBeRead) {
  const auto change = [&](std::string_view id) {
    return Event(std::string(event_type::kStateChanged), StateChange{nullptr, hub.states.find(id)}, Origin::local,
                 Context{"A", {}, {}});
  };
  EXPECT_TRUE(cook.receives(change("light.stove")));
  EXPECT_FALSE(cook.receives(change("light.bell")));
  EXPECT_TRUE(cook.receives(changed("entity_registry_updated", "light.stove")));
  EXPECT_FALSE(cook.receives(changed("entity_registry_updated", "light.bell")));
  EXPECT_TRUE(cook.receives(changed("device_registry_updated", "d.stove")));
  EXPECT_FALSE(cook.receives(changed("device_registry_updated", "d.bell")));
  EXPECT_TRUE(cook.receives(changed("area_registry_updated", "kitchen")));
  EXPECT_FALSE(cook.receives(changed("area_registry_updated", "hall")));
  EXPECT_TRUE(cook.receives(changed("floor_registry_updated", "ground")));
  EXPECT_FALSE(cook.receives(changed("floor_registry_updated", "upper")));
  EXPECT_TRUE(cook.receives(event("core_config_updated", "{}")));
  EXPECT_FALSE(cook.receives(event("call_service", R"({"domain":"light"})")));
  Event made = event("core_config_updated", "{}");
  made.by_client = true;
  EXPECT_FALSE(cook.receives(made));
  EXPECT_TRUE(all.receives(made));
  EXPECT_TRUE(view(Role::reader, R"({"read":{"all":true}})").receives(event("call_service", "{}")));
}

// Of each kind of collection one item that belongs to the kitchen and one that does not.
TEST_F(ViewTest, ShowsItemsWhoseEntitiesMayBeRead) {
  const Context context{"A", {}, {}};
  const auto make = [&](std::string_view collection, const std::string& id, json::object fields = {}) {
    hub.registry.create_item(std::string(collection), id, std::move(fields), context).value();
  };
  // `unique_id`: of the entity that the item is.
  const auto entity = [&](const std::string& id, std::string integration, std::string unique_id,
                          std::optional<std::string> area_id) {
    const auto wanted = EntityId::parse(id).value();
    return hub.registry
        .put_entity(
            wanted,
            {.unique_id = std::move(unique_id), .integration = std::move(integration), .area_id = std::move(area_id)})
        .value();
  };
  for (const char* const collection : {"input_boolean", "timer", "person", "zone", "scene", "group", "average"}) {
    for (const auto& [id, area] : {std::pair{"stove", kitchen}, std::pair{"bell", hall}}) {
      const std::string name(id), of(collection);
      make(collection, name);
      // Groups and sensors of others are entities of several domains.
      if (of == "group")
        entity("light." + of + name, of, name, area);
      else if (of == "average")
        entity("sensor." + of + name, of, name + "_mean", area);
      else
        entity(of + '.' + name, of, name, area);
    }
    const ReadableRegistry registry = cook.registry();
    ASSERT_EQ(registry.items_of(collection).size(), 1u) << collection;
    EXPECT_EQ(registry.items_of(collection).front()->id, "stove") << collection;
    EXPECT_TRUE(registry.find_item(collection, "stove"));
    EXPECT_FALSE(registry.find_item(collection, "bell")) << collection;
    EXPECT_FALSE(registry.find_item(collection, "none"));
    EXPECT_EQ(all.registry().items_of(collection).size(), 2u);
  }
  // An entity whose unique id only begins like the item's is another's.
  make("counter", "stove");
  entity("counter.stove_2", "counter", "stove_2", kitchen);
  EXPECT_TRUE(cook.registry().items_of("counter").empty());

  // The lists of one entity each.
  const std::string mine = collection_of("todo", entity("todo.stove", "demo", "s", kitchen).id);
  const std::string other = collection_of("todo", entity("todo.bell", "demo", "b", hall).id);
  make(mine, "milk");
  make(other, "oil");
  EXPECT_EQ(cook.registry().items_of(mine).size(), 1u);
  EXPECT_TRUE(cook.registry().items_of(other).empty());

  // Without any entity: only for who may read everything. Any new collection is like these.
  for (const char* const collection : {"tag", "notification", "ignored_issue", "fleet_site", "discovery.d.0", "new"}) {
    make(collection, "one");
    EXPECT_TRUE(cook.registry().items_of(collection).empty()) << collection;
    EXPECT_FALSE(cook.registry().find_item(collection, "one")) << collection;
    EXPECT_TRUE(all.registry().find_item(collection, "one"));
  }
  // Collections that everybody needs, and those whose readers look into the text.
  for (const std::string_view collection : {kPageResources, kDashboards, kDashboardContents, kEnergy, kPageData}) {
    make(collection, "one");
    EXPECT_TRUE(cook.registry().find_item(collection, "one")) << collection;
  }
}

TEST_F(ViewTest, ReceivesChangesOfItemsWhoseEntitiesMayBeRead) {
  std::vector<EventPtr> events;
  const Subscription subscription = hub.bus.listen(event_type::kCollectionUpdated, [&](const Event& each) {
    events.push_back(std::make_shared<const Event>(each));
  });
  const auto received = [&](const View& view) {
    hub.bus.run_pending();
    std::string ids;
    for (const EventPtr& each : events)
      if (view.receives(*each)) ids += each->registry_change->collection + '/' + each->registry_change->id + ' ';
    return ids;
  };
  const Context context{"A", {}, {}};
  for (const char* const id : {"stove", "bell"}) {
    const auto wanted = EntityId::parse(std::string("timer.") + id).value();
    const auto& area = id == std::string_view("stove") ? kitchen : hall;
    hub.registry.put_entity(wanted, {.unique_id = id, .integration = "timer", .area_id = area}).value();
    hub.registry.create_item("timer", id, {}, context).value();
  }
  for (const std::string_view collection : {std::string_view("tag"), kDashboardContents, kDashboards, kEnergy})
    hub.registry.create_item(std::string(collection), "one", {}, context).value();
  EXPECT_EQ(received(cook), "timer/stove ");
  // A policy that names the domain needs no entity: it hears of what comes and what goes.
  const View keeper = view(Role::user, R"({"read":{"domains":["timer"]}})");
  hub.registry.create_item("timer", "new", {}, context).value();
  const std::string gone[] = {"new"};
  ASSERT_TRUE(hub.registry.delete_items("timer", gone, context));
  EXPECT_EQ(received(keeper), "timer/stove timer/bell timer/new timer/new ");
}

TEST_F(ViewTest, HidesFormerValuesOfAnEntryThatNameWhatMayNotBeRead) {
  std::vector<EventPtr> events;
  const Subscription subscription = hub.bus.listen(event_type::kEntityRegistryUpdated, [&](const Event& each) {
    events.push_back(std::make_shared<const Event>(each));
  });
  EntityEdit moved;
  moved.area_id = OptionalText(hall);
  hub.registry.update_entity("light.stove", moved, Context{"A", {}, {}}).value();
  moved.area_id = OptionalText(kitchen);
  moved.name = OptionalText("Lamp");
  hub.registry.update_entity("light.stove", moved, Context{"A", {}, {}}).value();
  hub.bus.run_pending();
  ASSERT_EQ(events.size(), 2u);
  const auto text = [](const EventPtr& event) { return std::get<std::string>(event->data); };
  EXPECT_EQ(text(all.shown(events[1])),
            R"({"action":"update","entity_id":"light.stove","changes":{"name":null,"area_id":"hall"}})");
  ASSERT_TRUE(cook.receives(*events[1]));
  EXPECT_EQ(text(cook.shown(events[1])), R"({"action":"update","entity_id":"light.stove","changes":{"name":null}})");
  EXPECT_EQ(cook.shown(events[1])->sequence, events[1]->sequence);
}

TEST_F(ViewTest, KnowsServicesOfEntitiesThatMayBeRead) {
  std::vector<EventPtr> events;
  const auto keep = [&](const Event& each) { events.push_back(std::make_shared<const Event>(each)); };
  const Subscription subscriptions[] = {hub.bus.listen(event_type::kServiceRegistered, keep),
                                        hub.bus.listen(event_type::kServiceRemoved, keep)};
  for (const auto& [id, area] : {std::pair{"cook", kitchen}, std::pair{"ring", hall}}) {
    const auto wanted = EntityId::parse(std::string("script.") + id + "_renamed").value();
    hub.registry.put_entity(wanted, {.unique_id = id, .integration = "script", .area_id = area}).value();
  }
  const auto describe = [](const char* domain, const char* service, std::string stands_for) {
    ServiceDescription description;
    description.domain = domain;
    description.service = service;
    description.has_target = false;
    description.stands_for = std::move(stands_for);
    return description;
  };
  const auto nothing = [](const ServiceCall&, const ServiceReply& reply) { reply(json::value()); };
  {
    const Registration made[] = {hub.services.add(describe("script", "cook", "cook"), nothing),
                                 hub.services.add(describe("script", "ring", "ring"), nothing),
                                 hub.services.add(describe("notify", "family", "family"), nothing),
                                 hub.services.add(describe("light", "flash", ""), nothing)};
    const auto known = [](const View& view) {
      std::string names;
      for (const auto services = view.services(); const auto& [domain, by_name] : *services)
        for (const auto& [name, service] : *by_name) names += domain + '.' + name + ' ';
      return names;
    };
    EXPECT_EQ(known(all), "light.flash notify.family script.cook script.ring ");
    EXPECT_EQ(known(cook), "light.flash script.cook ");
    const View chatty = view(Role::user, R"({"read":{"domains":["notify"]}})");
    EXPECT_EQ(known(chatty), "light.flash notify.family ");
    // An unknown service and a hidden one are refused alike.
    for (const char* const service : {"ring", "nothing"}) {
      EXPECT_TRUE(cook.may_call("script", service)) << service;
      base::ErrorCode code{};
      cook.call({.domain = "script", .service = service, .data = {}, .context = Context{"A", {}, {}}},
                [&](const base::Result<CallOutcome>& outcome) { code = outcome.error().code; });
      EXPECT_EQ(code, base::ErrorCode::not_found) << service;
    }
    // A script is called by who controls its entity.
    EXPECT_TRUE(cook.may_call("script", "cook"));
    const View looking = view(Role::user, R"({"read":{"all":true},"control":{"entities":["light.stove"]}})");
    EXPECT_EQ(looking.may_call("script", "cook").error().code, base::ErrorCode::forbidden);
  }
  hub.bus.run_pending();
  ASSERT_EQ(events.size(), 8u);
  const auto heard = [&](const View& view) {
    return std::ranges::count_if(events, [&](const EventPtr& each) { return view.receives(*each); });
  };
  EXPECT_EQ(heard(all), 8);
  EXPECT_EQ(heard(cook), 4);
}

TEST_F(ViewTest, FiresEventsOnlyForCallersThatMayControlEverything) {
  const auto fire = [&](const View& view) { return view.fire("bell", "{}", Origin::remote, Context{"A", {}, {}}); };
  EXPECT_TRUE(fire(all));
  EXPECT_TRUE(fire(View(hub, Rights(Role::user))));
  EXPECT_EQ(fire(cook).error().message, "Only who may control everything may fire events.");
  EXPECT_EQ(fire(View(hub, Rights(Role::reader))).error().message, "This user may only read.");
}

TEST_F(ViewTest, CallsServicesForWhatMayBeControlled) {
  std::vector<std::string> reached;
  ServiceDescription description;
  description.domain = "light";
  description.service = "flash";
  const auto service = hub.services.add(description, [&](const ServiceCall& call, const ServiceReply& reply) {
    reached = call.entity_ids();
    // As a scene would: it also changes entities that the caller does not know.
    for (const char* id : {"light.bell", "light.stove"}) {
      hub.states.set(EntityId::parse(id).value(), {"flashed", "{}", call.context()}).value();
    }
    reply(nullptr);
  });
  const auto call = [&](std::string_view target) -> std::string {
    std::string said = "nothing";
    ServiceRequest request{.domain = "light",
                           .service = "flash",
                           .data = base::parse_json(target)->get_object(),
                           .context = Context::create(clock.now())};
    cook.call(std::move(request), [&](base::Result<CallOutcome> outcome) {
      said = outcome ? "" : outcome.error().message;
      if (!outcome) return;
      for (const auto& state : outcome->changed) said.append(state->entity_id()).append(" ");
    });
    hub.bus.run_pending();
    return said;
  };
  EXPECT_EQ(call(R"({"entity_id":"all"})"), "light.stove ");
  EXPECT_EQ(reached, std::vector<std::string>{"light.stove"});
  EXPECT_EQ(call(R"({"entity_id":["light.bell","light.nowhere"]})"), "");
  EXPECT_TRUE(reached.empty());
  EXPECT_EQ(call(R"({"entity_id":"sensor.loose"})"), "This user may not control sensor.loose.");
}

TEST_F(ViewTest, FindsInSomebodysTextWhatMayNotBeRead) {
  for (const char* text :
       {R"({"entity":"light.bell"})", R"({"light.bell":1})", R"(["{{ states('light.bell') }} and more"])",
        R"("states.light.bell.state")", R"({"a":{"device_id":"d.bell"}})", R"({"area":"hall"})", R"({"floor":"upper"})",
        R"(["say \"light.bell\""])", R"("light.bell)"}) {
    EXPECT_TRUE(cook.names_hidden(text)) << text;
    EXPECT_FALSE(all.names_hidden(text)) << text;
  }
  for (const char* text :
       {R"({"entity":"light.stove","area":"kitchen"})", R"(["sensor.loose"])",
        R"(["light.turn_on","example.org","the hall"])", R"(["light.bells","alight.bell","light.bell_2"])",
        R"(["...","","a."])", R"("open)", "", R"({"n":1.5})"}) {
    EXPECT_FALSE(cook.names_hidden(text)) << text;
  }
}

}  // namespace
}  // namespace hearth::core
