// SPDX-License-Identifier: Apache-2.0
#include "derived/engines/bayesian.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "automation/config/parsing.h"
#include "base/log/log.h"
#include "base/text/number.h"
#include "base/text/truth.h"
#include "derived/platforms.h"

namespace hearth::derived {
namespace {

using base::ConfigNode;
using base::ConfigReader;
using Observation = Bayesian::Observation;

constexpr std::size_t kMostObservations = 200;

// The meaning of a template's value; null if that is neither true nor false.
std::optional<bool> truth_of_value(const json::value& value) {
  if (value.is_bool()) return value.get_bool();
  if (value.is_number()) return value.to_number<double>() != 0;
  if (!value.is_string()) return {};
  const std::string_view text = value.get_string();
  if (const auto boolean = base::parse_boolean(text)) return boolean;
  const auto number = base::parse_number(text);
  return number ? std::optional<bool>(*number != 0) : std::nullopt;
}

// By Bayes' rule.
double updated(double prior, double if_true, double if_false) {
  const double is = if_true * prior, all = is + if_false * (1 - prior);
  return all > 0 ? is / all : prior;  // what cannot be seen at all says nothing
}

}  // namespace

void Bayesian::receive(const Reading& reading) {
  if (is_known(reading.state))
    states_[std::string(reading.entity_id)] = reading.state->value();
  else
    states_.erase(std::string(reading.entity_id));
}

void Bayesian::receive_values(std::span<const base::Result<json::value>> values) {
  templates_.assign(values.size(), {});
  complaints_.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string complaint = values[i] ? "" : values[i].error().message;
    if (values[i]) templates_[i] = truth_of_value(*values[i]);
    if (complaint != complaints_[i] && !complaint.empty()) base::log_warning("derived", "bayesian: {}", complaint);
    complaints_[i] = complaint;
  }
}

std::optional<bool> Bayesian::observed(const Observation& observation) const {
  if (observation.kind == Observation::Kind::by_template)
    return observation.index < templates_.size() ? templates_[observation.index] : std::nullopt;
  const auto state = states_.find(observation.entity_id);
  if (state == states_.end()) return {};
  bool fits = state->second == observation.to_state;
  if (observation.kind == Observation::Kind::numeric) {
    const auto number = base::parse_number(state->second);
    if (!number) return {};
    fits = (!observation.above || *number > *observation.above) && (!observation.below || *number < *observation.below);
  }
  if (!fits && observation.one_of_many) return {};
  return fits;
}

Output Bayesian::show(const Moment&) {
  double probability = options_.prior;
  json::array all;
  std::set<std::string> entities;
  for (const Observation& each : options_.observations) {
    const auto is_so = observed(each);
    json::object shown = each.written;
    if (is_so) {
      probability = *is_so ? updated(probability, each.if_true, each.if_false)
                           : updated(probability, 1 - each.if_true, 1 - each.if_false);
      shown["observed"] = *is_so;
      if (!each.entity_id.empty()) entities.insert(each.entity_id);
    }
    all.push_back(std::move(shown));
  }
  json::array occurred;
  for (const std::string& id : entities) occurred.emplace_back(json::string(id));
  return {.value = probability >= options_.threshold,
          .attributes = {{"observations", std::move(all)},
                         {"occurred_observation_entities", std::move(occurred)},
                         {"probability", std::round(probability * 100) / 100},
                         {"probability_threshold", options_.threshold}}};
}

namespace {

Observation read_observation(Keys& in, Plan& plan) {
  Observation made;
  in.require("platform");
  using Kind = Observation::Kind;
  in.option<Kind>("platform", made.kind,
                  {{"state", Kind::state}, {"numeric_state", Kind::numeric}, {"template", Kind::by_template}});
  for (const auto& [key, share] :
       {std::pair("prob_given_true", &made.if_true), std::pair("prob_given_false", &made.if_false)}) {
    in.number(key, *share, 0, 1);
    in.require(key);
  }
  if (made.kind == Kind::by_template) {
    if (auto code = in.code("value_template")) {
      made.index = plan.templates.size();
      plan.templates.push_back(std::move(*code));
    }
    in.require("value_template");
  } else {
    made.entity_id = in.entity("entity_id", made.kind == Kind::numeric ? kNumbers : core::Words());
  }
  if (made.kind == Kind::state) {
    made.to_state = in.text("to_state");
    in.require("to_state");
  }
  if (made.kind == Kind::numeric) {
    made.above = in.limit("above");
    made.below = in.limit("below");
    if (!made.above && !made.below) automation::note(in, in.node(), "expected above, below or both");
    if (made.above && made.below && *made.above > *made.below)
      automation::note(in, *in.find("below"),
                       fmt::format("no number is above {} and below {}", *made.above, *made.below));
  }
  const json::value written = automation::written_as(in.node());
  if (written.is_object()) made.written = written.get_object();
  return made;
}

}  // namespace

void parse_bayesian(Keys& in, Plan& plan) {
  Bayesian::Options options;
  in.number("prior", options.prior, 0, 1);
  in.require("prior");
  in.number("probability_threshold", options.threshold, 0, 1);
  plan.device_class = in.text("device_class");
  const ConfigNode* const observations = in.find("observations");
  in.require("observations");
  in.describe_list("observations", "platform", [&](Keys& each) { read_observation(each, plan); });
  const auto list = automation::one_or_many(observations);
  if (list.size() > kMostObservations)
    automation::note(in, *observations, fmt::format("expected at most {} observations", kMostObservations));
  for (const ConfigNode& item : list.first(std::min(list.size(), kMostObservations))) {
    if (!item.is_map()) {
      automation::note(in, item, item.mismatch("keys with values"));
      continue;
    }
    Keys each(item);
    Observation made = read_observation(each, plan);
    if (const auto read = each.finish(0); !read) {
      automation::note(in, item, read.error());
      continue;
    }
    if (!made.entity_id.empty() && std::ranges::find(plan.sources, made.entity_id) == plan.sources.end())
      plan.sources.push_back(made.entity_id);
    options.observations.push_back(std::move(made));
  }
  for (Observation& each : options.observations)
    each.one_of_many = !each.entity_id.empty() &&
                       std::ranges::count(options.observations, each.entity_id, &Observation::entity_id) > 1;
  plan.engine = [options] { return std::make_unique<Bayesian>(options); };
}

}  // namespace hearth::derived
