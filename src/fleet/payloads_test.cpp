// SPDX-License-Identifier: Apache-2.0
// Messages between sites and portals, besides batches.
#include <gtest/gtest.h>

#include "fleet/frame.h"
#include "fleet/site_call.h"
#include "fleet/site_registry.h"
#include "fleet/snapshot.h"

namespace hearth::fleet {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kHistory = "0123456789abcdef0123456789abcdef";
constexpr base::Timestamp kNoon{std::chrono::sys_days(std::chrono::year(2026) / 11 / 21) + 12h};

core::StatePtr state(std::string_view id, std::string_view value, std::string_view attributes = "{}") {
  return core::State::create(core::EntityId::parse(id).value(), value, attributes, {kNoon, kNoon + 1s}, {"C", "P", {}});
}

TEST(Snapshot, ReadsBackAsItWas) {
  const core::StatePtr a = state("light.a", "on", R"({"brightness":7})"), b = state("sensor.b", "21.5");
  const std::vector<const core::State*> states{a.get(), b.get()};
  const auto parts = encode_snapshot("lake", kHistory, 42, states).value();
  ASSERT_EQ(1u, parts.size());
  const SnapshotPart part = decode_snapshot(parts[0]).value();
  EXPECT_EQ(0u, part.part);
  EXPECT_EQ(1u, part.parts);
  EXPECT_EQ(42, part.as_of);
  EXPECT_EQ("lake", part.states.site);
  EXPECT_EQ(kHistory, part.states.epoch);
  ASSERT_EQ(2u, part.states.entries.size());
  const recorder::TailEntry& entry = part.states.entries[0];
  EXPECT_EQ("light.a", entry.entity_id);
  EXPECT_EQ("on", entry.change.value);
  EXPECT_EQ(R"({"brightness":7})", entry.change.attributes);
  EXPECT_EQ(kNoon, entry.change.changed);
  EXPECT_EQ(kNoon + 1s, entry.change.updated);
  EXPECT_EQ("C", entry.change.context_id);
  EXPECT_EQ("P", entry.change.parent_id);
}

TEST(Snapshot, HasPartsIfThereIsMuch) {
  const std::string large = R"({"text":")" + std::string(900'000, 'x') + "\"}";
  std::vector<core::StatePtr> kept;
  std::vector<const core::State*> states;
  for (int i = 0; i < 5; ++i) {
    kept.push_back(state("sensor.s" + std::to_string(i), "1", large));
    states.push_back(kept.back().get());
  }
  const auto parts = encode_snapshot("lake", kHistory, 1, states).value();
  ASSERT_EQ(3u, parts.size());
  std::size_t found = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const SnapshotPart part = decode_snapshot(parts[i]).value();
    EXPECT_EQ(i, part.part);
    EXPECT_EQ(3u, part.parts);
    found += part.states.entries.size();
  }
  EXPECT_EQ(5u, found);
  EXPECT_EQ(1u, encode_snapshot("lake", kHistory, 1, {})->size());
}

TEST(Snapshot, NamesWhatIsWrong) {
  EXPECT_EQ("This is no snapshot: it has no format.", decode_snapshot("").error().message);
  EXPECT_EQ("The format 9 of snapshots is not known here: a newer hub has made it.",
            decode_snapshot("\x09").error().message);
  EXPECT_EQ(base::ErrorCode::unavailable, decode_snapshot("\x09").error().code);
  EXPECT_EQ("This is no snapshot: its head is damaged.",
            decode_snapshot(std::string_view("\1\5\2", 3)).error().message);
}

SiteRegistry registry() {
  SiteRegistry made{"lake", "Lake house", {}, {}, {}};
  made.areas["kitchen"] = {"Kitchen", "mdi:fridge"};
  made.areas["hall"] = {"Hall", {}};
  made.devices["d1"] = {"Lamp", "Maker", "M1", "1.0", "2", "kitchen"};
  made.entities["light.lamp"] = {"Lamp", "mdi:lamp", "", "d1", "", "", true};
  made.entities["sensor.out"] = {"Outside", "", "temperature", "", "hall", "diagnostic", false};
  return made;
}

TEST(SiteRegistry, ReadsBackAsItWas) {
  EXPECT_EQ(registry(), decode_registry(encode_registry(registry())).value());
}

TEST(SiteRegistry, NamesWhatIsWrong) {
  const auto failure = [](std::string_view json) { return decode_registry(pack_frame(json)).error().message; };
  EXPECT_EQ("This is no registry of a site: it is no frame of zstd.", decode_registry("garbage").error().message);
  EXPECT_EQ("This is no registry of a site: it is no object.", failure("[]"));
  EXPECT_EQ("The format 2 of registries is not known here: a newer hub has made it.", failure(R"({"format":2})"));
  EXPECT_EQ("This is no registry of a site: the site's name is no slug of 1 to 32 characters.",
            failure(R"({"format":1,"site":"A b"})"));
  EXPECT_EQ("This is no registry of a site: areas is no list.", failure(R"({"format":1,"site":"a"})"));
  EXPECT_EQ("This is no registry of a site: one of its areas is none.",
            failure(R"({"format":1,"site":"a","areas":[{"id":"x"}]})"));
  EXPECT_EQ("This is no registry of a site: one of its entities is none.",
            failure(R"({"format":1,"site":"a","areas":[],"devices":[],"entities":[{"entity_id":"no id"}]})"));
  SiteRegistry many = registry();
  for (std::size_t i = 0; i <= SiteRegistry::kMaxAreas; ++i) many.areas["a" + std::to_string(i)] = {"A", {}};
  EXPECT_EQ("This is no registry of a site: it has more than 2000 areas.",
            decode_registry(encode_registry(many)).error().message);
}

SiteCall call() {
  SiteCall made;
  made.key = "k";
  made.user = "Anna";
  made.context = {"C", "P", {}};
  made.within = 20s;
  made.wait = 2s;
  made.domain = "light";
  made.service = "turn_on";
  made.entity_ids = {"light.a", "light.b"};
  made.data = {{"brightness", 7}};
  made.return_response = true;
  made.pin = "4711";
  return made;
}

TEST(SiteCall, ReadsBackAsItWas) {
  const SiteCall back = std::get<SiteCall>(decode_request(encode_request(call())).value());
  EXPECT_EQ("k", back.key);
  EXPECT_EQ("Anna", back.user);
  EXPECT_EQ(core::Role::user, back.role);
  EXPECT_EQ(call().context, back.context);
  EXPECT_EQ(20s, back.within);
  EXPECT_EQ(2s, back.wait);
  EXPECT_EQ("light", back.domain);
  EXPECT_EQ("turn_on", back.service);
  EXPECT_EQ(call().entity_ids, back.entity_ids);
  EXPECT_EQ(call().data, back.data);
  EXPECT_TRUE(back.return_response);
  EXPECT_EQ("4711", back.pin);
  const Resend range = std::get<Resend>(decode_request(encode_request(Resend{std::string(kHistory), 3, 9})).value());
  EXPECT_EQ(kHistory, range.epoch);
  EXPECT_EQ(3, range.after);
  EXPECT_EQ(9, range.until);
  EXPECT_TRUE(std::holds_alternative<SendSnapshot>(decode_request(encode_request(SendSnapshot{})).value()));
}

TEST(SiteCall, NeverCallsAsAnAdministrator) {
  SiteCall mighty = call();
  mighty.role = core::Role::administrator;
  EXPECT_EQ(core::Role::user, std::get<SiteCall>(decode_request(encode_request(mighty)).value()).role);
  mighty.role = core::Role::reader;
  EXPECT_EQ(core::Role::reader, std::get<SiteCall>(decode_request(encode_request(mighty)).value()).role);
}

TEST(SiteCall, NamesWhatIsWrong) {
  const auto failure = [](std::string_view text) { return decode_request(text).error().message; };
  EXPECT_TRUE(failure("{").starts_with("This is no request to a site: "));
  EXPECT_EQ("This is no request to a site: it is no object.", failure("7"));
  EXPECT_EQ("The format 2 of requests is not known here: a newer hub has made it.", failure(R"({"format":2})"));
  EXPECT_EQ(R"(This hub does not know how to "dance".)", failure(R"({"format":1,"do":"dance"})"));
  EXPECT_EQ("This is no request to a site: a call needs key, context, domain, service and entity_ids.",
            failure(R"({"format":1,"do":"call"})"));
  for (const Resend& range :
       {Resend{"e\r\nX: 1", 3, 9}, Resend{std::string(kHistory), 9, 9}, Resend{std::string(kHistory), -1, 9}}) {
    EXPECT_EQ("This is no request to a site: it does not say which changes of which history to send again.",
              failure(encode_request(range)));
  }
}

TEST(SiteAnswer, ReadsBackAsItWas) {
  core::CallOutcome outcome;
  outcome.changed.push_back(state("light.a", "on", R"({"brightness":7})"));
  outcome.response = json::object{{"light.a", 7}};
  const SiteAnswer back = decode_answer(encode_answer(outcome)).value();
  ASSERT_EQ(1u, back.changed.size());
  EXPECT_EQ("light.a", back.changed[0].entity_id);
  EXPECT_EQ("on", back.changed[0].value);
  EXPECT_EQ(R"({"brightness":7})", back.changed[0].attributes_json);
  EXPECT_EQ(kNoon + 1s, back.changed[0].times.last_updated);
  EXPECT_EQ("C", back.changed[0].context.id);
  EXPECT_EQ(outcome.response, back.response);
  const auto refused = decode_answer(encode_answer(base::fail(base::ErrorCode::forbidden, "Not you.")));
  EXPECT_EQ(base::ErrorCode::forbidden, refused.error().code);
  EXPECT_EQ("Not you.", refused.error().message);
  for (const auto code : {base::ErrorCode::pin_needed, base::ErrorCode::pin_wrong}) {
    const std::string text = encode_answer(base::fail(code, "No."));
    EXPECT_EQ(code, decode_answer(text).error().code);
    EXPECT_TRUE(text.contains(R"("code":"invalid")")) << text;  // for older portals
  }
}

TEST(SiteAnswer, NamesWhatIsWrong) {
  EXPECT_EQ("This is no answer of a site: it says neither that it worked nor why not.",
            decode_answer("{}").error().message);
  EXPECT_EQ("This is no answer of a site: it does not list what has changed.",
            decode_answer(R"({"ok":true})").error().message);
}

}  // namespace
}  // namespace hearth::fleet
