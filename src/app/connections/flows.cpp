// SPDX-License-Identifier: Apache-2.0
#include "app/connections/flows.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/connections/flow_form.h"
#include "base/log/log.h"
#include "base/random_id.h"
#include "base/text/utf8.h"

namespace hearth::app {
namespace {

constexpr std::size_t kMaxName = 64;  // code points of what a stranger calls itself

std::unexpected<base::Error> no_such_flow(std::string_view flow_id) {
  return base::fail(base::ErrorCode::not_found, fmt::format("There is no flow {}.", base::utf8_excerpt(flow_id)));
}

std::string stranger(std::string_view text) {
  return base::utf8_excerpt(base::utf8_repaired(text), kMaxName);
}

}  // namespace

struct Flows::One {
  std::string flow_id;
  const IntegrationFactory* factory;
  Subject subject;
  std::unique_ptr<domains::IntegrationBus> bus;
  std::unique_ptr<domains::ConnectionFlow> flow;
  bool touched = false;                   // a person has answered it
  std::optional<domains::FlowForm> form;  // the present question
  Done waiting;                           // for the next one; null if nobody does
  core::Timer end;
};

Flows::Flows(core::Hub& hub, domains::Failures& failures, Finish finish, std::function<void()> changed)
    : hub_(hub), failures_(failures), finish_(std::move(finish)), changed_(std::move(changed)) {}

Flows::~Flows() = default;

Flows::One& Flows::add(const IntegrationFactory& factory, Subject subject) {
  if (all_.size() >= kMostFlows) {
    const auto persons = std::ranges::find_if(all_, [](const auto& one) { return !one->subject.found; });
    erase(persons == all_.end() ? all_.begin() : persons);
  }
  auto one = std::make_unique<One>();
  one->flow_id = base::make_random_id();
  one->factory = &factory;
  one->subject = std::move(subject);
  one->bus = std::make_unique<domains::IntegrationBus>(hub_, failures_, std::string(factory.name));
  watch(*one);
  return *all_.emplace_back(std::move(one));
}

void Flows::watch(One& one) {
  const base::Duration most = one.subject.found && !one.touched ? base::Duration(kSilent) : base::Duration(kLongest);
  one.end = hub_.bus.schedule(most, [this, flow_id = one.flow_id] {
    if (const auto place = place_of(flow_id); place != all_.end()) erase(place);
  });
}

Flows::Place Flows::place_of(std::string_view flow_id) {
  return std::ranges::find_if(all_, [&](const auto& one) { return one->flow_id == flow_id; });
}

const Flows::One* Flows::find(std::string_view flow_id) const {
  const auto place = std::ranges::find_if(all_, [&](const auto& one) { return one->flow_id == flow_id; });
  return place == all_.end() ? nullptr : place->get();
}

void Flows::erase(Place place) {
  const std::unique_ptr<One> one = std::move(*place);
  all_.erase(place);
  one->end = {};
  answer(*one, no_such_flow(one->flow_id));
  guard(*one, [&] { one->flow.reset(); });
  if (one->subject.found) tell(*one, "removed");
}

void Flows::guard(One& one, const std::function<void()>& work) {
  std::string error;
  try {
    return work();
  } catch (const std::exception& thrown) {
    error = thrown.what();
  } catch (...) {
    error = "something that is no exception was thrown";
  }
  base::log_error("integrations", "adding a connection of {} failed: {}", one.factory->name, error);
  end_with(one.flow_id, std::string(to_string(core::ConnectionError::unknown)));
}

void Flows::begin(const IntegrationFactory& factory, std::optional<domains::ConnectionChange> change, Done done) {
  One& one = add(factory, {.change = std::move(change)});
  one.waiting = std::move(done);
  const std::string flow_id = one.flow_id;
  guard(one, [&] {
    const domains::FlowHome home{hub_, *one.bus, reactor_, http_};
    one.flow = one.subject.change ? factory.change_flow(home, *one.subject.change) : factory.flow(home, nullptr);
    one.flow->begin([this, flow_id](domains::FlowStep step) { heard(flow_id, std::move(step)); });
  });
}

void Flows::submit(const std::string& flow_id, json::object fields, Done done) {
  const auto place = place_of(flow_id);
  if (place == all_.end()) return done(no_such_flow(flow_id));
  One& one = **place;
  if (one.waiting)
    return done(base::fail(base::ErrorCode::conflict, "busy: the flow still looks at the former answer."));
  if (!one.form) return done(base::fail(base::ErrorCode::invalid, "The flow has asked nothing yet."));
  auto answers = answers_to(*one.form, std::move(fields));
  if (!answers) return done(std::unexpected(std::move(answers.error())));
  one.waiting = std::move(done);
  one.touched = true;
  watch(one);
  guard(one, [&] {
    one.flow->submit(*answers, [this, flow_id](domains::FlowStep step) { heard(flow_id, std::move(step)); });
  });
}

base::Result<json::object> Flows::show(const std::string& flow_id) const {
  const One* const one = find(flow_id);
  if (!one) return no_such_flow(flow_id);
  if (one->form) return form_json(flow_id, one->factory->name, *one->form);
  return form_json(flow_id, one->factory->name, {.step_id = "init", .fields = {}});
}

base::Result<void> Flows::end(const std::string& flow_id) {
  const auto place = place_of(flow_id);
  if (place == all_.end()) return no_such_flow(flow_id);
  erase(place);
  return {};
}

void Flows::found(const IntegrationFactory& factory, domains::Discovered what) {
  what.title = stranger(what.title);
  for (auto& [name, text] : what.placeholders) text = stranger(text);
  for (const auto& one : all_) {
    if (!one->subject.found || one->factory != &factory || one->subject.found->unique_id != what.unique_id) continue;
    if (!one->touched) watch(*one);  // it is still there
    return;
  }
  // Announcements of strangers must not end what a person does.
  const auto strangers = std::ranges::count_if(all_, [](const auto& one) { return one->subject.found.has_value(); });
  if (strangers >= static_cast<std::ptrdiff_t>(kMostFlows / 2) || all_.size() >= kMostFlows) return;
  One& one = add(factory, {.found = std::move(what)});
  const std::string flow_id = one.flow_id;
  guard(one, [&] {
    one.flow = factory.flow({hub_, *one.bus, reactor_, http_}, &*one.subject.found);
    one.flow->begin([this, flow_id](domains::FlowStep step) { heard(flow_id, std::move(step)); });
  });
  if (const One* const added = find(flow_id)) tell(*added, "added");
}

void Flows::gone(std::string_view handler, std::string_view unique_id) {
  const auto place = std::ranges::find_if(all_, [&](const auto& one) {
    return one->subject.found && one->factory->name == handler && one->subject.found->unique_id == unique_id;
  });
  if (place != all_.end()) erase(place);
}

const domains::Discovered* Flows::found_by(const std::string& flow_id, std::string& handler) const {
  const One* const one = find(flow_id);
  if (!one || !one->subject.found) return nullptr;
  handler = one->factory->name;
  return &*one->subject.found;
}

json::array Flows::in_progress() const {
  json::array list;
  for (const auto& one : all_) {
    if (!one->subject.found) continue;
    json::object placeholders{{"name", one->subject.found->title}};
    for (const auto& [name, text] : one->subject.found->placeholders) placeholders[name] = text;
    list.push_back(json::object{{"flow_id", one->flow_id},
                                {"handler", one->factory->name},
                                {"context", json::object{{"source", core::to_string(one->subject.source())},
                                                         {"unique_id", one->subject.found->unique_id},
                                                         {"title_placeholders", std::move(placeholders)}}},
                                {"step_id", one->form ? json::value(one->form->step_id) : json::value()}});
  }
  return list;
}

void Flows::clear() {
  while (!all_.empty()) erase(all_.begin());
}

void Flows::heard(const std::string& flow_id, domains::FlowStep step) {
  const auto place = place_of(flow_id);
  if (place == all_.end()) return;
  One& one = **place;
  if (auto* const form = std::get_if<domains::FlowForm>(&step)) {
    one.form = std::move(*form);
    return answer(one, form_json(flow_id, one.factory->name, *one.form));
  }
  if (auto* const result = std::get_if<domains::FlowResult>(&step)) return finish(one, std::move(*result));
  // After this, because the flow is not destroyed within its own call.
  hub_.bus.post([this, flow_id, reason = std::get<domains::FlowAbort>(step).reason] { end_with(flow_id, reason); });
}

void Flows::finish(One& one, domains::FlowResult result) {
  hub_.bus.post([this, flow_id = one.flow_id, result = std::move(result)]() mutable {
    const auto place = place_of(flow_id);
    if (place == all_.end()) return;
    One& done = **place;
    finish_(*done.factory, done.subject, std::move(result), [this, flow_id](base::Result<json::object> entry) {
      const auto still = place_of(flow_id);
      if (still == all_.end()) return;
      One& ended = **still;
      const std::string_view handler = ended.factory->name;
      if (entry && ended.subject.change) {
        answer(ended, abort_json(flow_id, handler, "reconfigure_successful"));
      } else if (entry) {
        json::object created{{"type", "create_entry"},
                             {"flow_id", flow_id},
                             {"handler", handler},
                             {"title", entry->at("title")},
                             {"result", std::move(*entry)}};
        answer(ended, std::move(created));
      } else if (entry.error().code == base::ErrorCode::conflict) {
        answer(ended, abort_json(flow_id, handler, to_string(core::ConnectionError::already_configured)));
      } else {
        answer(ended, std::unexpected(std::move(entry.error())));
      }
      erase(still);
    });
  });
}

void Flows::answer(One& one, base::Result<json::object> with) {
  if (!one.waiting) return;
  Done done = std::move(one.waiting);
  one.waiting = nullptr;
  done(std::move(with));
}

void Flows::end_with(const std::string& flow_id, const std::string& reason) {
  const auto place = place_of(flow_id);
  if (place == all_.end()) return;
  answer(**place, abort_json(flow_id, (*place)->factory->name, reason));
  erase(place);
}

void Flows::tell(const One& one, std::string_view type) {
  changed_();
  hub_.bus.fire(core::IfFull::pass, core::event_type::kFlowUpdated,
                base::to_json(json::object{{"flow_id", one.flow_id}, {"handler", one.factory->name}, {"type", type}}),
                core::Origin::local, core::Context::create(hub_.clock.now()));
}

}  // namespace hearth::app
