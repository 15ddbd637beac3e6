// SPDX-License-Identifier: Apache-2.0
// A value with a count of its owners, for boost::intrusive_ptr: one block of memory, and pointers of one word. Any
// thread may copy and drop pointers; the value never changes while others may see it.
#pragma once

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>
#include <utility>

namespace hearth::base {

template <class Value>
struct Shared : boost::intrusive_ref_counter<Shared<Value>> {
  template <class... Arguments>
  explicit Shared(Arguments&&... arguments) : value(std::forward<Arguments>(arguments)...) {}

  Value value;
};

template <class Value>
using SharedPtr = boost::intrusive_ptr<const Shared<Value>>;

}  // namespace hearth::base
