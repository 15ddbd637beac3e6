// SPDX-License-Identifier: Apache-2.0
// Objects that change while a template is rendered: `loop`, namespaces, cyclers; and imported templates. They belong to
// one rendering, so to one thread.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "template/values/call.h"

namespace hearth::templates {

class Loop final : public Object {
 public:
  class End;
  // `again` renders the loop over other items; empty if it is not recursive.
  Loop(const Values& items, int depth, std::function<Value(Render&, const Value&)> again)
      : items_(items), depth_(depth), again_(std::move(again)) {}
  std::string_view type_name() const override { return "LoopContext"; }
  std::string to_text() const override;
  std::optional<Value> attribute(std::string_view name) const override;
  bool callable() const override { return static_cast<bool>(again_); }
  Value call(Call& call) const override;
  std::optional<std::int64_t> length() const override { return static_cast<std::int64_t>(items_.size()); }

  std::size_t index = 0;
  // True if the value differs from the last call's; after the loop's end it always does.
  bool changed(const Value& value) const;
  const Value& cycled(const Values& values) const { return values[index % values.size()]; }

 private:
  const Values items_;
  const int depth_;
  const std::function<Value(Render&, const Value&)> again_;
  mutable std::optional<Value> last_;
  bool ended_ = false;
};

// The loop ends with this: it may not hold itself any longer.
class Loop::End {
 public:
  explicit End(Loop& loop) : loop_(loop) {}
  ~End() {
    loop_.ended_ = true;
    loop_.last_.reset();
  }
  End(const End&) = delete;
  End& operator=(const End&) = delete;

 private:
  Loop& loop_;
};

class Namespace final : public Object {
 public:
  explicit Namespace(Dict values) : values_(std::move(values)) {}
  std::string_view type_name() const override { return "Namespace"; }
  std::string to_text() const override;
  std::optional<Value> attribute(std::string_view name) const override { return item(Value(name)); }
  std::optional<Value> item(const Value& key) const override;
  void set(std::string_view name, Value value) const { values_.set(Value(name), std::move(value)); }
  void let_go() const override { values_ = Dict(); }

 private:
  mutable Dict values_;
};

class Cycler final : public Object {
 public:
  explicit Cycler(Values items) : items_(std::move(items)) {}
  std::string_view type_name() const override { return "Cycler"; }
  std::optional<Value> attribute(std::string_view name) const override;
  const Value& next() const { return items_[position_++ % items_.size()]; }
  void reset() const { position_ = 0; }

 private:
  const Values items_;
  mutable std::size_t position_ = 0;
};

class Joiner final : public Object {
 public:
  explicit Joiner(std::string separator) : separator_(std::move(separator)) {}
  std::string_view type_name() const override { return "Joiner"; }
  bool callable() const override { return true; }
  Value call(Call&) const override { return Value(std::exchange(used_, true) ? separator_ : std::string()); }

 private:
  const std::string separator_;
  mutable bool used_ = false;
};

// {% import 'x' as this %}
class Module final : public Object {
 public:
  explicit Module(Dict exports) : exports_(std::move(exports)) {}
  std::string_view type_name() const override { return "TemplateModule"; }
  std::optional<Value> attribute(std::string_view name) const override;

 private:
  const Dict exports_;
};

}  // namespace hearth::templates
