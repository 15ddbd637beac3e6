// SPDX-License-Identifier: Apache-2.0
// Rules for every kind: its tables are complete, and its services, attributes and values follow them.
#include "domains/entities/kinds.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "base/text/timestamp.h"
#include "domains/entities/kind_edges.h"
#include "domains/entities/test_device.h"
#include "domains/test_home.h"

namespace hearth::domains {
namespace {

std::string names_of(const Kind& kind, std::string_view but = {}) {
  std::string names;
  for (const Feature& feature : kind.features) {
    if (feature.name != but && !feature.always) names += (names.empty() ? "" : " ") + std::string(feature.name);
  }
  return names;
}

// With what a rule of the kind requires beside the data.
json::object completed(const Kind& kind, json::object data) {
  if (kind.domain == "input_datetime" && (data.empty() || (data.size() == 1 && data.contains("entity_id"))))
    data["date"] = "2026-04-20";
  if (kind.domain != "calendar") return data;
  const auto pair = [&](const char* start, const char* end, const char* early, const char* late) {
    if (data.contains(start) && !data.contains(end)) data[end] = late;
    if (data.contains(end) && !data.contains(start)) data[start] = early;
  };
  const bool asks = data.contains("duration");
  if (!asks) pair("start_date_time", "end_date_time", "2025-01-01 00:00", "2027-01-01 00:00");
  pair("start_date", "end_date", "0000-12-31", "2035-01-01");
  const bool when = data.contains("start_date_time") || data.contains("start_date") || data.contains("in");
  if (data.contains("summary") && !data.contains("uid") && !when) data["in"] = {{"days", 1}};
  return data;
}

// A home with one entity of the kind, with all features except one.
class OneOfAKind {
 public:
  explicit OneOfAKind(const Kind& of, std::string_view but = {}) : kind(of), features(names_of(of, but)) {
    Abilities can{.features = features.c_str()};
    for (const Attribute& each : kind.attributes) {
      if (each.shown == Shown::once) can.attributes[each.name] = capability(each);
    }
    device.thing = &home.add(std::make_unique<Thing>(kind, test_entity("it"), std::move(can), &device));
    if (kind.domain == "update") thing().report({.attributes = {{"installed_version", "1"}, {"latest_version", "2"}}});
  }
  Thing& thing() { return *device.thing; }
  std::string id() const { return std::string(kind.domain) + ".it"; }
  std::string call(const Action& action, json::object data) {
    data["entity_id"] = id();
    data = completed(kind, std::move(data));
    return home.call(fmt::format("{}.{}", kind.domain, action.service), base::to_json(data));
  }

  const Kind& kind;
  const std::string features;
  TestDevice device;
  TestHome home;
};

// A value that the field accepts.
json::value example(const Input& input) {
  return input.bounds.options.empty() ? input.field.example.to_json() : json::value("low");
}

// The minimal data of the action.
json::object least_data(const Action& action) {
  json::object data;
  for (const Input& each : action.fields) {
    if (each.field.required || each.field.name == "code") data[each.field.name] = example(each);
  }
  return data;
}

json::object data_with(const Action& action, const Input& input, const json::value& value) {
  json::object data = least_data(action);
  data[input.field.name] = value;
  return data;
}

// Kinds whose entities are Things; code has tests of its own.
std::vector<const Kind*> tables() {
  std::vector<const Kind*> found;
  std::ranges::copy_if(kKinds, std::back_inserter(found), [](const Kind* kind) { return !kind->code; });
  return found;
}

class EveryKind : public testing::TestWithParam<const Kind*> {
 protected:
  const Kind& kind = *GetParam();
};
class EveryTable : public EveryKind {};

TEST_P(EveryKind, IsComplete) {
  EXPECT_EQ(find_kind(kind.domain), &kind);
  EXPECT_TRUE(kind.description.ends_with('.')) << kind.description;
  std::set<unsigned> bits;
  for (const Feature& feature : kind.features) {
    EXPECT_EQ(feature.bit & (feature.bit - 1), 0u) << feature.name;
    EXPECT_TRUE(bits.insert(feature.bit).second) << feature.name << " has a bit of another";
  }
  const auto known = [&](core::Words features, std::string_view who, bool asked) {
    for (const std::string_view name : features) {
      const Feature* const feature = kind.find_feature(name);
      ASSERT_TRUE(feature) << who << " needs " << name;
      EXPECT_TRUE(!asked || feature->always || !feature->cannot.empty()) << name << " has no words for its lack";
    }
  };
  const auto lists = [&](std::string_view name) {
    const Attribute* const list = name.empty() ? nullptr : kind.find_attribute(name);
    EXPECT_TRUE(name.empty() || (list && list->shown == Shown::once)) << name;
  };
  std::set<std::string_view> names;
  for (const Attribute& attribute : kind.attributes) {
    EXPECT_TRUE(names.insert(attribute.name).second) << attribute.name << " comes twice";
    known(attribute.needs, attribute.name, false);
    lists(attribute.options);
  }
  for (const Action& action : kind.actions) {
    EXPECT_FALSE(action.name.empty()) << action.service;
    EXPECT_TRUE(action.description.ends_with('.')) << action.service;
    known(action.needs, action.service, true);
    EXPECT_TRUE(action.value.empty() || value_text(kind, json::value(action.value))) << action.service;
    for (const std::string_view field : action.one_of) {
      EXPECT_TRUE(std::ranges::any_of(action.fields, [&](const Input& each) { return each.field.name == field; }));
    }
    for (const Input& input : action.fields) {
      EXPECT_TRUE(input.field.description.ends_with('.')) << input.field.name;
      EXPECT_TRUE(input.field.convert(input.field.example.to_json())) << input.field.name;
      EXPECT_TRUE(input.sets.empty() || input.sets == "state" || kind.find_attribute(input.sets)) << input.sets;
      known(input.needs, input.field.name, true);
      for (const auto name : {input.bounds.options, input.bounds.min, input.bounds.max, input.bounds.step}) lists(name);
    }
  }
  for (const Arrival& arrival : kind.arrivals) {
    EXPECT_TRUE(value_text(kind, json::value(arrival.from)) && value_text(kind, json::value(arrival.to)));
  }
  for (const std::string_view service : {kind.on, kind.off}) {
    EXPECT_TRUE(service.empty() || kind.find_action(service)) << service;
  }
}

TEST_P(EveryTable, TakesEachFieldWithinItsBoundsOnly) {
  for (const Action& action : kind.actions) {
    for (const Input& input : action.fields) {
      const Bounds& bounds = input.bounds;
      Edges edges = edges_of(input.field.type);
      if (kind.domain == "calendar" && std::holds_alternative<field::Object>(input.field.type))
        edges = {{{{"days", 1}}, {{"weeks", 2}, {"days", 1}}}, {1, "x", json::object(), {{"months", 1}}}};
      if (!bounds.options.empty()) edges = {{"low", "high"}, {"middle"}};
      if (!bounds.min.empty()) edges = {{10, 90, 42.0}, {9, 91}};
      if (kind.domain == "text" || kind.domain == "input_text")
        edges = {{std::string(10, 'x'), std::string(90, 'x')}, {"x", std::string(91, 'x')}};
      for (const json::value& value : edges.within) {
        OneOfAKind it(kind);
        const std::string answer = it.call(action, data_with(action, input, value));
        EXPECT_FALSE(answer.starts_with("invalid")) << action.service << ' ' << input.field.name << ": " << answer;
        EXPECT_NE(it.device.told, "") << action.service << ' ' << input.field.name << ' ' << base::to_json(value);
      }
      for (const json::value& value : edges.beyond) {
        OneOfAKind it(kind);
        const std::string answer = it.call(action, data_with(action, input, value));
        EXPECT_TRUE(answer.starts_with("invalid") && answer.find(input.field.name) != std::string::npos ||
                    !bounds.options.empty() && answer.find("it has low, high") != std::string::npos)
            << action.service << ' ' << input.field.name << ' ' << base::to_json(value) << ": " << answer;
        EXPECT_EQ(it.device.told, "");
      }
    }
  }
}

TEST_P(EveryTable, NamesTheFieldThatIsMissingOrUnknown) {
  for (const Action& action : kind.actions) {
    OneOfAKind it(kind);
    EXPECT_TRUE(it.call(action, {{"nonsense", 1}}).starts_with("invalid: nonsense: unknown field")) << action.service;
    for (const Input& input : action.fields) {
      if (!input.field.required) continue;
      json::object data = data_with(action, input, nullptr);
      data.erase(input.field.name);
      EXPECT_EQ(it.call(action, data), fmt::format("invalid: {}: required field of {}.{} is missing", input.field.name,
                                                   kind.domain, action.service));
    }
    EXPECT_EQ(it.device.told, "");
  }
}

TEST_P(EveryTable, DoesWhatItHasTheFeaturesForAndNothingElse) {
  for (const Feature& feature : kind.features) {
    OneOfAKind it(kind, feature.name), whole(kind);
    EXPECT_EQ(it.home.attribute(it.id(), "supported_features"), std::to_string(kind.features_of(it.features.c_str())));
    const std::string expected = fmt::format("invalid: {} cannot {}.", it.id(), feature.cannot);
    if (feature.always) continue;
    for (const Action& action : kind.actions) {
      for (const Input& each : action.fields) {
        if (!each.needs.contains(feature.name)) continue;
        const std::string answer = it.call(action, data_with(action, each, example(each)));
        if (each.essential) {
          EXPECT_EQ(answer, expected) << each.field.name;
          continue;
        }
        EXPECT_FALSE(answer.starts_with("invalid")) << each.field.name << ": " << answer;
        EXPECT_NE(it.device.told, "") << each.field.name;
        EXPECT_EQ(it.device.told.find(each.field.name), std::string::npos) << it.device.told;
        EXPECT_NE(whole.call(action, data_with(action, each, example(each))), "x");
        EXPECT_NE(whole.device.told.find(each.field.name), std::string::npos) << whole.device.told;
      }
      if (!action.needs.contains(feature.name)) continue;
      EXPECT_EQ(it.call(action, least_data(action)), expected) << action.service;
      EXPECT_FALSE(whole.call(action, least_data(action)).starts_with("invalid")) << action.service;
    }
    for (const Attribute& attribute : kind.attributes) {
      if (!attribute.needs.contains(feature.name)) continue;
      EXPECT_EQ(it.home.attribute(it.id(), attribute.name), "") << attribute.name;
      if (attribute.shown == Shown::if_reported) continue;
      EXPECT_NE(whole.home.attribute(whole.id(), attribute.name), "") << attribute.name;
    }
  }
}

TEST_P(EveryTable, ShowsReportsAndRestoresThem) {
  for (const Attribute& attribute : kind.attributes) {
    if (attribute.shown == Shown::once) continue;
    for (json::value value : edges_of(attribute.type).within) {
      if (!attribute.options.empty()) value = "high";
      OneOfAKind it(kind);
      it.thing().report({.attributes = {{attribute.name, value}}});
      const auto shown = field::convert(attribute.type, value);
      ASSERT_TRUE(shown);
      EXPECT_EQ(it.home.attribute(it.id(), attribute.name), base::to_json(*shown)) << base::to_json(value);
      const Report again = restored(kind, {}, *it.home.hub.states.find(it.id()));
      const bool kept = again.attributes.contains(attribute.name);
      const std::string_view state = it.home.value(it.id()) == "unknown" ? "unknown" : "known";
      EXPECT_EQ(kept, attribute.restored && state == "known") << attribute.name;
    }
  }
}

TEST_P(EveryTable, RestoresEveryValue) {
  if (kind.value_of) return;  // the value follows from the attributes
  for (const json::value& value : edges_of(kind.value).within) {
    if (value.is_object()) continue;  // a sensor's value can be anything except an object
    OneOfAKind it(kind);
    it.thing().report({.value = kind.bounds.options.empty() ? value : json::value("low")});
    const std::string shown = it.home.value(it.id());
    ASSERT_NE(shown, "unknown") << base::to_json(value);
    const Report again = restored(kind, {}, *it.home.hub.states.find(it.id()));
    std::string expected = shown;
    for (const Arrival& arrival : kind.arrivals) {
      if (arrival.from == shown) expected = arrival.to;
    }
    EXPECT_EQ(again.value, json::value(expected));
  }
}

TEST_P(EveryTable, KeepsItsStateIfAReportIsInvalid) {
  OneOfAKind it(kind);
  it.thing().report({});
  const auto before = it.home.hub.states.find(it.id());
  const bool any = std::holds_alternative<field::Any>(kind.value);
  if (!any && !kind.value_of) it.thing().report({.value = json::array{1}});
  for (const Attribute& attribute : kind.attributes) {
    for (const json::value& value : edges_of(attribute.type).beyond) {
      if (!value.is_null())
        it.thing().report({.value = json::value(before->value()), .attributes = {{attribute.name, value}}});
    }
    if (!std::holds_alternative<field::Any>(attribute.type)) {
      for (const double none : {std::nan(""), field::kEndless, -field::kEndless}) {
        it.thing().report({.value = json::value(before->value()), .attributes = {{attribute.name, none}}});
      }
    }
  }
  it.thing().report({.value = json::value(before->value()), .attributes = {{"no_such_attribute", 1}}});
  const auto after = it.home.hub.states.find(it.id());
  EXPECT_EQ(after->attributes_json(), before->attributes_json());
  EXPECT_EQ(after->value(), before->value());
}

TEST_P(EveryTable, IsUnknownIfTheNumberIsNan) {
  OneOfAKind it(kind);
  if (kind.value_of) return;
  it.thing().report({.value = std::nan("")});
  EXPECT_EQ(it.home.value(it.id()), "unknown");
}

TEST_P(EveryTable, AnswersToEveryServiceThatTakesNothing) {
  for (const Action& action : kind.actions) {
    if (std::ranges::any_of(action.fields, [](const Input& each) { return each.field.required; })) continue;
    OneOfAKind it(kind);
    const std::string answer = it.call(action, least_data(action));
    EXPECT_FALSE(answer.starts_with("invalid") || answer.starts_with("failed")) << action.service << ": " << answer;
    EXPECT_EQ(it.device.told.empty(), action.by_hub) << action.service;
    if (!action.value.empty()) EXPECT_EQ(it.home.value(it.id()), action.value) << action.service;
    if (kind.stamped == Stamped::when_done) {
      EXPECT_EQ(it.home.value(it.id()), base::to_string(it.home.clock.now())) << action.service;
    }
  }
}

TEST_P(EveryTable, AnswersForEachEntityIfItIsAskedAndCommandsNothing) {
  for (const Action& action : kind.actions) {
    OneOfAKind it(kind);
    json::object data = completed(kind, least_data(action));
    if (kind.domain == "text" || kind.domain == "input_text") data["value"] = std::string(10, 'x');
    data["entity_id"] = json::array{it.id(), std::string(kind.domain) + ".nobody"};
    const auto before = it.home.hub.states.find(it.id());
    const auto call = it.home.begin(fmt::format("{}.{}", kind.domain, action.service), base::to_json(data));
    it.home.advance(std::chrono::seconds(3));
    ASSERT_TRUE(call->outcome && *call->outcome) << action.service << ": " << call->text();
    const json::value expected =
        action.answers ? json::value{{it.id(), json::object{{"asked", action.service}}}} : json::value();
    EXPECT_EQ((*call->outcome)->response, expected) << action.service;
    if (action.answers) EXPECT_EQ(it.home.hub.states.find(it.id()), before) << action.service;
  }
}

TEST_P(EveryTable, TurnsOnAndOffByThePlatformsServices) {
  for (const auto& [service, own] : {std::pair("turn_on", kind.on), {"turn_off", kind.off}}) {
    OneOfAKind it(kind);
    it.home.call(std::string("platform.") + service, base::to_json(json::object{{"entity_id", it.id()}}));
    EXPECT_EQ(it.device.told, own.empty() ? "" : std::string(own) + ' ');
  }
}

const auto kName = [](const auto& info) { return std::string(info.param->domain); };
INSTANTIATE_TEST_SUITE_P(Kinds, EveryKind, testing::ValuesIn(kKinds), kName);
INSTANTIATE_TEST_SUITE_P(Kinds, EveryTable, testing::ValuesIn(tables()), kName);

}  // namespace
}  // namespace hearth::domains
