// SPDX-License-Identifier: Apache-2.0
// One rendering: the parts of the home that it may read, those that it has read, and its variables. One thread.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "template/values/environment.h"
#include "template/values/value.h"

namespace hearth::templates {

// Variables of a block, and of those around it.
class Scope {
 public:
  explicit Scope(Scope* outer) : outer_(outer) {}
  // Null if neither this nor an outer scope has it.
  const Value* find(int id) const;
  void set(int id, Value value);
  const std::vector<std::pair<int, Value>>& own() const { return values_; }

 private:
  Scope* const outer_;
  std::vector<std::pair<int, Value>> values_;
};

class Program;

class Render {
 public:
  Render(const Environment& seen, const VariablesView& variables) : environment(seen), variables_(variables) {}
  ~Render();
  Render(const Render&) = delete;
  Render& operator=(const Render&) = delete;

  const Value* variable(std::string_view name) const { return variables_.find(name); }
  base::Timestamp now();  // the same for all of a rendering
  std::mt19937_64& random();
  // A scope that lives as long as this: a macro may outlive its block.
  Scope& new_scope(Scope* outer);
  // An object that may hold itself: it lets go of its values at the end of the rendering.
  Value own(ObjectPtr object);
  // The program of {% import %}, compiled once a rendering. Fails with name if there is none.
  const Program& imported(const std::string& name);

  // The entities that the rendering has looked at; any call may be made without dependencies being wanted.
  void saw_entity(std::string_view entity_id);
  void saw_domain(std::string_view domain);
  void saw_all();
  void saw_time();
  void saw_registry();
  void saw_beyond_lists();

  const Environment& environment;

 private:
  const VariablesView& variables_;
  std::optional<base::Timestamp> now_;
  std::optional<std::mt19937_64> random_;
  std::vector<std::unique_ptr<Scope>> scopes_;
  std::vector<std::weak_ptr<const Object>> owned_;
  std::map<std::string, std::shared_ptr<const Program>> imports_;
};

// Where an expression is evaluated.
struct Frame {
  Render& render;
  Scope* scope;
};

}  // namespace hearth::templates
