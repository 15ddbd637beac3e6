// SPDX-License-Identifier: Apache-2.0
// A table of the keys of template entities of one domain: keys with templates and the values of the entity that they
// set, keys with steps and the services that run them. The entity itself follows from its Kind. Immutable; any thread.
#pragma once

#include <span>
#include <string_view>

#include "core/values/words.h"
#include "domains/entities/kind.h"

namespace hearth::template_entities {

// A text of a template, in small letters, that means a value of the entity.
struct Word {
  std::string_view text, value;
};

// A key with a template.
struct Reading {
  std::string_view key;           // in a template block
  std::string_view old_key = {};  // of `platform: template`; empty: the same
  std::string_view sets = "state";
  std::span<const Word> words = {};  // beside the values themselves
  bool required = false;
};

// The actions of a service: the steps under the key. Those with a field run only if the call names it.
struct Sending {
  std::string_view service;
  std::string_view key;
  std::string_view field = {};
  std::string_view instead_of = {};  // only if the entity has no steps under that key
  std::string_view variable = {};    // that the steps see beside the call's data,
  int number = -1;                   // with this value; negative: that of the field
};

// The entity can do this if it has one of the keys.
struct Ability {
  core::Words features;
  core::Words keys;
};

// A key whose value never changes.
struct Fixed {
  enum class Type { text, texts, boolean, number };
  std::string_view key;
  std::string_view attribute;
  Type type = Type::text;
  core::Words options = {};  // the allowed texts; empty: all
};

struct Form {
  const domains::Kind* kind;
  std::span<const Reading> readings;
  std::span<const Sending> sendings = {};
  std::span<const Ability> abilities = {};
  std::span<const Fixed> fixed = {};
  core::Words required = {};   // keys with steps that must be there
  core::Words ignored = {};    // keys that older files have
  core::Words as_asked = {};   // services whose own rows count, even if the domain makes another one of them
  bool delays = false;         // has delay_on, delay_off and auto_off
  bool only_new = false;       // there is no `platform: template` of the domain
  std::string_view list = {};  // of that platform: the key with the entities by object id; empty: it is one entity

  std::string_view domain() const { return kind->domain; }
};

// All of them.
std::span<const Form* const> forms();
// Null if there is none.
const Form* find_form(std::string_view domain);

}  // namespace hearth::template_entities
