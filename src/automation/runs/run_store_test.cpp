// SPDX-License-Identifier: Apache-2.0
// The state of a run is a value: it is the same after it has been written down and read again, without any run.
#include "automation/runs/run_store.h"

#include <functional>

#include "automation/config/part_check.h"
#include "automation/test_automations.h"

namespace hearth::automation {
namespace {

using namespace std::chrono_literals;
using templates::Value;

class RunStoreTest : public testing::Test {
 protected:
  RunStoreTest() {
    item.actions = read_steps_of(base::parse_json(R"([
        {"repeat": {"for_each": ["a", "b"], "sequence": [{"delay": 1}, {"parallel": [{"delay": 2}, {"delay": 3}]}]}},
        {"delay": 4}])")
                                     .value(),
                                 "sequence")
                       .value();
    state.context = core::Context::create(base::Timestamp(5s), base::Id(std::string("ada")));
    state.variables = {{"x", Value(1)}, {"long", Value(std::string(1'000, 'x'))}};
    state.spoken = "said";
    Strand& first = state.add_strand(-1, item.actions);
    first.stack.back().next = 1;
    first.stack.back().variables = {{"y", Value("z")}};
    const auto& repeat = std::get<RepeatStep>(item.actions.steps[0].kind);
    Frame body{&repeat.block, 2};
    body.repeat = &repeat;
    body.loop = {.index = 2, .count = 2, .items = Value::list({Value("a"), Value("b")})};
    body.set_round();
    first.stack.push_back(body);
    first.children = 2;
    first.ending = {{RunEnd::failed, "why", json::object{{"a", 1}}, true}, true};
    for (const Block& branch : std::get<ParallelStep>(repeat.block.steps[1].kind).branches) {
      Strand& child = state.add_strand(1, branch);
      child.stack.back().next = 1;
      child.stack.back().ahead = std::make_shared<Ahead>();
      if (child.number == 3) child.stack.back().ahead->fired = Value("fired");
      child.wait = Wait{.number = ++state.last_wait, .deadline = base::Timestamp(7s)};
      child.wait->acts = child.number == 3;
    }
  }
  // As the journal gives it back.
  json::object stored(const RunState& of) {
    return base::parse_json(base::to_json(to_stored(of, entries))).value().as_object();
  }

  TestAutomations home;
  Item item;
  RunState state;
  RunEntries entries{home.engine.home().store, base::Id(std::string("run"))};
};

TEST_F(RunStoreTest, AStateIsTheSameWhenItIsReadAgain) {
  const json::object first = stored(state);
  const auto again = run_from_stored(item, first, entries);
  ASSERT_TRUE(again);
  EXPECT_EQ(stored(*again), first);
  EXPECT_EQ(again->last_strand, 3);
  EXPECT_EQ(again->last_wait, 2u);
  EXPECT_EQ(again->context.id, state.context.id);
  const auto& inner = again->strands.at(3);
  EXPECT_EQ(templates::to_text(*again->seen(inner).find("y")), "z");
  EXPECT_EQ(templates::to_text(templates::attribute_of(*again->seen(inner).find("repeat"), "item")), "b");
  EXPECT_EQ(inner.path(), state.strands.at(3).path());
  EXPECT_EQ(inner.wait->deadline, base::Timestamp(7s));
  EXPECT_TRUE(inner.wait->acts);
}

// Whatever part of it is missing or of another type: it is refused, or read without that part.
TEST_F(RunStoreTest, AnyPartOfItMayBeBroken) {
  const json::value whole = stored(state);
  std::size_t refused = 0, tried = 0;
  const std::function<void(const json::value&, const std::function<void(json::value)>&)> walk =
      [&](const json::value& part, const std::function<void(json::value)>& with) {
        for (const json::value& wrong : {json::value(), json::value(-1), json::value(1'000), json::value("x"),
                                         json::value(json::array()), json::value(json::object())})
          with(wrong);
        if (const auto* const object = part.if_object()) {
          for (const auto& [key, value] : *object)
            walk(value, [&](json::value made) {
              json::object other = *object;
              other[key] = std::move(made);
              with(std::move(other));
            });
        } else if (const auto* const list = part.if_array()) {
          for (std::size_t index = 0; index < list->size(); ++index)
            walk((*list)[index], [&](json::value made) {
              json::array other = *list;
              other[index] = std::move(made);
              with(std::move(other));
            });
        }
      };
  walk(whole, [&](const json::value& made) {
    if (!made.is_object()) return;
    ++tried;
    const auto read = run_from_stored(item, made.get_object(), entries);
    if (!read) return void(++refused);
    for (const auto& [number, strand] : read->strands) {
      for (const Frame& frame : strand.stack) EXPECT_LE(frame.next, frame.block->steps.size());
      if (strand.wait) EXPECT_GT(strand.stack.back().next, 0u);
    }
  });
  EXPECT_GT(tried, 200u);
  EXPECT_GT(refused, 50u);
}

}  // namespace
}  // namespace hearth::automation
