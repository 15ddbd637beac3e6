// SPDX-License-Identifier: Apache-2.0
#include "template/language/render.h"

#include <fmt/format.h>

#include "template/language/program.h"

namespace hearth::templates {
namespace {

constexpr std::size_t kMostDependencies = 10'000;  // beyond it counts as all

}  // namespace

const Value* Scope::find(int id) const {
  for (const Scope* scope = this; scope; scope = scope->outer_) {
    for (const auto& [own, value] : scope->values_) {
      if (own == id) return &value;
    }
  }
  return nullptr;
}

void Scope::set(int id, Value value) {
  for (auto& [own, former] : values_) {
    if (own != id) continue;
    former = std::move(value);
    return;
  }
  charge();
  values_.emplace_back(id, std::move(value));
}

base::Timestamp Render::now() {
  if (!now_) now_ = environment.clock ? environment.clock->now() : base::SystemClock().now();
  return *now_;
}

std::mt19937_64& Render::random() {
  if (!random_) random_.emplace(std::random_device()());
  return *random_;
}

Render::~Render() {
  for (const auto& object : owned_) {
    if (const ObjectPtr alive = object.lock()) alive->let_go();
  }
}

Value Render::own(ObjectPtr object) {
  charge();
  owned_.push_back(object);
  return object;
}

Scope& Render::new_scope(Scope* outer) {
  charge();
  return *scopes_.emplace_back(std::make_unique<Scope>(outer));
}

const Program& Render::imported(const std::string& name) {
  auto& program = imports_[name];
  if (program) return *program;
  const Imports* const texts = environment.imports.get();
  const auto found = texts ? texts->find(name) : Imports::const_iterator();
  if (!texts || found == texts->end()) {
    fail(FailureKind::name, fmt::format("there is no custom_templates/{}", name));
  }
  program = std::make_shared<const Program>(found->second);
  return *program;
}

void Render::saw_entity(std::string_view entity_id) {
  saw_beyond_lists();
  Dependencies* const seen = environment.dependencies;
  if (!seen || seen->all || seen->entities.contains(entity_id)) return;
  if (seen->entities.size() >= kMostDependencies) return saw_all();
  seen->entities.emplace(entity_id);
}

void Render::saw_domain(std::string_view domain) {
  saw_beyond_lists();
  Dependencies* const seen = environment.dependencies;
  if (seen && !seen->domains.contains(domain)) seen->domains.emplace(domain);
}

void Render::saw_all() {
  saw_beyond_lists();
  if (environment.dependencies) environment.dependencies->all = true;
}

void Render::saw_time() {
  if (environment.dependencies) environment.dependencies->time = true;
}

void Render::saw_registry() {
  if (environment.dependencies) environment.dependencies->registry = true;
}

void Render::saw_beyond_lists() {
  if (environment.dependencies) environment.dependencies->beyond_lists = true;
}

}  // namespace hearth::templates
