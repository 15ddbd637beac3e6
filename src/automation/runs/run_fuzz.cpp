// SPDX-License-Identifier: Apache-2.0
// Random well-formed automations and scripts in a random evening: states change, events come, time passes, the files
// are read again, the hub ends and starts. Whatever they are: a run calls nothing before the journal has it, and
// nothing after its end; the journal has the runs that are under way, and no others; all ends if it is told to.
#include <fmt/format.h>

#include <set>

#include "automation/store/keys.h"
#include "automation/test_automations.h"
#include "base/testing/fuzz_check.h"
#include "core/memory_journal.h"

namespace hearth::automation {
namespace {

// Choices, from the input; zeros after its end.
class Choices {
 public:
  Choices(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  bool is_over() const { return at_ >= size_; }
  unsigned below(unsigned bound) { return is_over() ? 0 : data_[at_++] % bound; }
  template <std::size_t N>
  std::string_view one_of(const std::string_view (&options)[N]) {
    return options[below(N)];
  }

 private:
  const std::uint8_t* const data_;
  const std::size_t size_;
  std::size_t at_ = 0;
};

class Writer {
 public:
  explicit Writer(Choices& choices) : choices_(choices) {}

  std::string triggers() {
    std::string all;
    for (unsigned count = 1 + choices_.below(2); count > 0; --count) all += (all.empty() ? "" : ",") + trigger();
    return "[" + all + "]";
  }

  std::string steps(unsigned depth) {
    std::string all;
    for (unsigned count = choices_.below(4); count > 0 && left_ > 0; --count, --left_)
      all += (all.empty() ? "" : ",") + step(depth);
    return "[" + all + "]";
  }

 private:
  std::string trigger() {
    switch (choices_.below(6)) {
      case 0:
        return fmt::format(R"({{"trigger": "event", "event_type": "e{}"}})", choices_.below(3));
      case 1:
        return fmt::format(R"({{"trigger": "state", "entity_id": "sensor.s{}", "to": "{}"}})", choices_.below(2),
                           choices_.below(4));
      case 2:
        return fmt::format(R"({{"trigger": "state", "entity_id": ["sensor.s0", "sensor.s1"], "for": {},
                               "skip_unavailable": {}}})",
                           choices_.below(9), choices_.below(2) == 0);
      case 3:
        return fmt::format(R"({{"trigger": "numeric_state", "entity_id": "sensor.s{}", "above": {}, "for": {}}})",
                           choices_.below(2), choices_.below(4), choices_.below(9));
      case 4:
        return fmt::format(R"({{"trigger": "template", "value_template": "{{{{ states('sensor.s0') == '{}' }}}}",
                               "for": {}}})",
                           choices_.below(4), choices_.below(9));
      default:
        return fmt::format(R"({{"trigger": "time_pattern", "seconds": "/{}"}})", 5 + choices_.below(20));
    }
  }

  std::string condition() {
    static constexpr std::string_view kConditions[] = {
        R"("{{ true }}")",
        R"("{{ false }}")",
        R"({"condition": "state", "entity_id": "sensor.s0", "state": "1"})",
        R"({"condition": "numeric_state", "entity_id": "sensor.s1", "above": 1})",
        R"({"not": {"condition": "state", "entity_id": "sensor.none", "state": "1"}})",
        R"({"or": ["{{ repeat.index > 2 }}", "{{ n | default(0) == 1 }}"]})"};
    return std::string(choices_.one_of(kConditions));
  }

  std::string step(unsigned depth) {
    const unsigned kind = choices_.below(depth > 0 ? 14 : 9);
    switch (kind) {
      case 0:
      case 1:
        return R"({"action": "test.note", "data": {"text": "{{ n | default(0) }}"}})";
      case 2:
        return fmt::format(R"({{"delay": {}}})", choices_.below(12));
      case 3:
        return fmt::format(R"({{"event": "e{}"}})", choices_.below(3));
      case 4:
        return fmt::format(R"({{"wait_template": "{{{{ is_state('sensor.s1', '{}') }}}}", "timeout": {}}})",
                           choices_.below(4), choices_.below(20));
      case 5:
        return fmt::format(R"({{"wait_for_trigger": {}, "timeout": {}, "continue_on_timeout": {}{}}})", trigger(),
                           choices_.below(20), choices_.below(2) == 0,
                           choices_.below(2) == 0 ? R"(, "since": "previous_step")" : "");
      case 6:
        return R"({"variables": {"n": "{{ n | default(0) + 1 }}"}})";
      case 7:
        return fmt::format(R"({{"action": "script.{}", "continue_on_error": {}}})",
                           choices_.below(2) == 0 ? "one" : "two", choices_.below(2) == 0);
      case 8:
        return choices_.below(3) == 0 ? R"({"stop": "enough", "error": true})" : condition();
      case 9:
        return fmt::format(R"({{"if": [{}], "then": {}, "else": {}}})", condition(), steps(depth - 1),
                           steps(depth - 1));
      case 10:
        return fmt::format(R"({{"choose": [{{"conditions": {}, "sequence": {}}}], "default": {}}})", condition(),
                           steps(depth - 1), steps(depth - 1));
      case 11:
        return fmt::format(R"({{"repeat": {{"count": {}, "sequence": {}}}}})", choices_.below(4), steps(depth - 1));
      case 12:
        return fmt::format(R"({{"repeat": {{"until": [{}, "{{{{ repeat.index > 3 }}}}"], "sequence": {}}}}})",
                           R"("{{ true }}")", steps(depth - 1));
      default:
        return fmt::format(R"({{"parallel": [{{"sequence": {}}}, {{"sequence": {}}}]}})", steps(depth - 1),
                           steps(depth - 1));
    }
  }

  Choices& choices_;
  unsigned left_ = 30;  // steps
};

// Knows what it had, too: a call is on its way still while its run is cancelled, and gone from here.
class RememberingJournal final : public core::MemoryJournal {
 public:
  using MemoryJournal::MemoryJournal;
  void put(std::string key, std::string text) override {
    had.insert(key);
    MemoryJournal::put(std::move(key), std::move(text));
  }

  std::set<std::string> had;  // keys
};

// Its home may end and begin again.
class Evening {
 public:
  explicit Evening(Choices& choices) : choices_(choices) { write(); }

  void play() {
    begin({}, {}, {});
    for (unsigned events = 0; events < 20 && !choices_.is_over(); ++events) {
      happen();
      check();
    }
    for (const char* const service : {"automation.turn_off", "script.turn_off"})
      home_->call(service, R"({"entity_id": "all"})");
    home_->run();
    check();
    base::must(home_->engine.home().runs == 0, "all runs end if they are told to");
    base::must(
        std::ranges::none_of(journal_.entries, [](const auto& each) { return each.first.starts_with(keys::kRuns); }),
        "the journal has no run that has ended");
  }

 private:
  static constexpr std::string_view kModes[] = {"single", "restart", "queued", "parallel"};

  void write() {
    Writer writer(choices_);
    automations_ = "[";
    for (unsigned number = 0; number < 3; ++number)
      automations_ +=
          fmt::format(R"({}{{"id": "a{}", "alias": "A{}", "mode": "{}", "max_exceeded": "silent",
                                      "max_rate": 20, "triggers": {}, "actions": {}}})",
                      number ? "," : "", number, number, choices_.one_of(kModes), writer.triggers(), writer.steps(3));
    automations_ += "]";
    scripts_ = fmt::format(R"({{"one": {{"mode": "{}", "max_exceeded": "silent", "sequence": {}}},
                               "two": {{"mode": "{}", "max_exceeded": "silent", "sequence": {}}}}})",
                           choices_.one_of(kModes), writer.steps(2), choices_.one_of(kModes), writer.steps(2));
  }

  void begin(std::optional<base::Timestamp> now, std::vector<core::StatePtr> states,
             const core::Journal::Entries& entries) {
    home_ = std::make_unique<TestAutomations>();
    bus_ = &home_->home.hub.bus;
    if (now) home_->home.clock.set(*now);
    home_->home.hub.states.restore(std::move(states), nullptr);
    core::Journal::Entries at_start = entries;
    std::erase_if(at_start, [](const auto& entry) { return entry.first.starts_with(core::Journal::kArchive); });
    home_->during_note = [this] {
      const std::string id(home_->contexts.back().id.str());
      base::must(journal_.had.contains("run/" + id), "the journal has a run before it calls");
      base::must(!ended_.contains(id), "a run does nothing after its end");
      alive_.insert(id);
    };
    home_->engine.use(journal_, at_start);
    home_->apply(automations_, scripts_);
    home_->home.hub.run_state = core::RunState::running;
    home_->home.hub.bus.fire(core::event_type::kPlatformStarted, "{}", core::Origin::local,
                             core::Context::create(home_->home.clock.now()));
    home_->run();
  }

  void restart(base::Duration down) {
    std::vector<core::StatePtr> states;
    home_->home.hub.states.snapshot()->for_each(
        [&](const core::State& state) { states.push_back(home_->home.hub.states.find(state.entity_id())); });
    const auto now = home_->home.clock.now() + down;
    const auto entries = journal_.entries;
    home_.reset();
    base::must(journal_.entries == entries, "the end of the hub changes nothing in the journal");
    begin(now, std::move(states), entries);
  }

  void happen() {
    static constexpr std::string_view kValues[] = {"0", "1", "2", "3", "unavailable", "unknown"};
    switch (choices_.below(8)) {
      case 0:
      case 1:
        return home_->set(fmt::format("sensor.s{}", choices_.below(2)), choices_.one_of(kValues));
      case 2:
        return home_->fire(fmt::format("e{}", choices_.below(3)));
      case 3:
      case 4:
        return home_->advance(std::chrono::seconds(1 + choices_.below(15)));
      case 5:
        return restart(std::chrono::seconds(choices_.below(30)));
      case 6:
        if (choices_.below(2) == 0) write();
        return home_->apply(automations_, scripts_);
      default:
        home_->call(choices_.below(2) == 0 ? "automation.toggle" : "script.turn_on", R"({"entity_id": "all"})");
    }
  }

  std::size_t runs_in_journal(bool queued) const {
    return static_cast<std::size_t>(std::ranges::count_if(journal_.entries, [&](const auto& entry) {
      return keys::is_run(entry.first) && entry.second.contains(R"("queued":true)") == queued;
    }));
  }

  void check() {
    base::must(home_->engine.home().runs == runs_in_journal(false), "the journal has the runs that are under way");
    std::erase_if(alive_, [this](const std::string& id) {
      if (journal_.entries.contains("run/" + id)) return false;
      ended_.insert(id);
      return true;
    });
  }

  Choices& choices_;
  std::string automations_, scripts_;
  core::EventBus* bus_ = nullptr;
  RememberingJournal journal_{bus_};
  std::set<std::string> alive_, ended_;  // contexts of runs that have called
  std::unique_ptr<TestAutomations> home_;
};

}  // namespace
}  // namespace hearth::automation

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  hearth::automation::Choices choices(data, size);
  hearth::automation::Evening(choices).play();
  return 0;
}
