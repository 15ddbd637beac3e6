// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <charconv>

#include "template/language/parser.h"
#include "template/values/integer.h"

namespace hearth::templates {
namespace {

Value integer_of(const Token& token) {
  const std::string_view text = token.text;
  const int base = text[0] == 'x' ? 16 : text[0] == 'o' ? 8 : text[0] == 'b' ? 2 : 10;
  const std::string_view digits = base == 10 ? text : text.substr(1);
  return with_line(token.line, [&] { return *read_integer(digits, base); });
}

Value number_of(const Token& token) {
  double number = 0;
  std::from_chars(token.text.data(), token.text.data() + token.text.size(), number);
  return number;
}

}  // namespace

ExpressionPtr Parser::parse_expression(bool with_condition) {
  const Deeper deeper;
  if (!with_condition) return parse_or();
  const int line = now().line;
  ExpressionPtr value = parse_or();
  while (take_name("if")) {
    ExpressionPtr test = parse_or();
    ExpressionPtr otherwise = take_name("else") ? parse_expression() : nullptr;
    value = std::make_unique<Condition>(std::move(test), std::move(value), std::move(otherwise), line);
  }
  return value;
}

// One expression, or several with commas, which are a tuple.
ExpressionPtr Parser::parse_row(bool with_condition) {
  const int line = now().line;
  const auto ends = [&] {
    return now().kind == TokenKind::print_end || now().kind == TokenKind::block_end || is_sign(")") ||
           is_name("recursive");
  };
  if (ends()) refuse(fmt::format("Expected an expression, got '{}'", described()));
  Expressions items;
  bool tuple = false;
  while (!ends()) {
    items.push_back(parse_expression(with_condition));
    if (!take_sign(",")) break;
    tuple = true;
  }
  if (!tuple) return std::move(items[0]);
  return std::make_unique<Row>(Row::Kind::tuple, std::move(items), line);
}

ExpressionPtr Parser::parse_or() {
  const int line = now().line;
  ExpressionPtr left = parse_and();
  while (take_name("or")) left = std::make_unique<Logic>(Logic::Kind::either, std::move(left), parse_and(), line);
  return left;
}

ExpressionPtr Parser::parse_and() {
  const int line = now().line;
  ExpressionPtr left = parse_not();
  while (take_name("and")) left = std::make_unique<Logic>(Logic::Kind::both, std::move(left), parse_not(), line);
  return left;
}

ExpressionPtr Parser::parse_not() {
  const Deeper deeper;
  const int line = now().line;
  if (take_name("not")) return std::make_unique<Logic>(Logic::Kind::not_, parse_not(), nullptr, line);
  return parse_comparison();
}

ExpressionPtr Parser::parse_comparison() {
  using enum Comparison::Kind;
  constexpr std::pair<std::string_view, Comparison::Kind> signs[] = {
      {"==", equal}, {"!=", unequal}, {"<", less}, {"<=", at_most}, {">", greater}, {">=", at_least}};
  const int line = now().line;
  ExpressionPtr first = parse_sum();
  std::vector<Comparison::Operand> rest;
  while (true) {
    bool found = false;
    for (const auto& [sign, kind] : signs) {
      if (!take_sign(sign)) continue;
      rest.push_back({kind, parse_sum()});
      found = true;
      break;
    }
    if (found) continue;
    if (take_name("in")) {
      rest.push_back({in, parse_sum()});
    } else if (is_name("not") && next_one().kind == TokenKind::name && next_one().text == "in") {
      position_ += 2;
      rest.push_back({not_in, parse_sum()});
    } else {
      break;
    }
  }
  if (rest.empty()) return first;
  return std::make_unique<Comparison>(std::move(first), std::move(rest), line);
}

ExpressionPtr Parser::parse_sum() {
  ExpressionPtr left = parse_concatenation();
  while (is_sign("+") || is_sign("-")) {
    const Token token = take();
    const Operator op = token.text == "+" ? Operator::add : Operator::subtract;
    left = std::make_unique<Binary>(op, std::move(left), parse_concatenation(), token.line);
  }
  return left;
}

ExpressionPtr Parser::parse_concatenation() {
  const int line = now().line;
  Expressions parts;
  parts.push_back(parse_product());
  while (take_sign("~")) parts.push_back(parse_product());
  if (parts.size() == 1) return std::move(parts[0]);
  return std::make_unique<Concatenation>(std::move(parts), line);
}

ExpressionPtr Parser::parse_product() {
  constexpr std::pair<std::string_view, Operator> signs[] = {
      {"*", Operator::multiply}, {"/", Operator::divide}, {"//", Operator::floor_divide}, {"%", Operator::modulo}};
  ExpressionPtr left = parse_power();
  while (true) {
    const std::pair<std::string_view, Operator>* found = nullptr;
    for (const auto& sign : signs) {
      if (is_sign(sign.first)) found = &sign;
    }
    if (!found) return left;
    const int line = take().line;
    left = std::make_unique<Binary>(found->second, std::move(left), parse_power(), line);
  }
}

ExpressionPtr Parser::parse_power() {
  ExpressionPtr left = parse_unary();
  while (is_sign("**")) {
    const int line = take().line;
    left = std::make_unique<Binary>(Operator::power, std::move(left), parse_unary(), line);
  }
  return left;
}

ExpressionPtr Parser::parse_unary(bool with_filters) {
  const Deeper deeper;
  const int line = now().line;
  ExpressionPtr operand;
  if (is_sign("-") || is_sign("+")) {
    const bool negative = take().text == "-";
    operand = std::make_unique<Unary>(negative, parse_unary(false), line);
  } else {
    operand = parse_primary();
  }
  operand = parse_postfix(std::move(operand));
  return with_filters ? parse_filters_and_tests(std::move(operand)) : std::move(operand);
}

ExpressionPtr Parser::parse_primary() {
  const Token token = take();
  switch (token.kind) {
    case TokenKind::name:
      if (token.text == "true" || token.text == "True") return std::make_unique<Constant>(true, token.line);
      if (token.text == "false" || token.text == "False") return std::make_unique<Constant>(false, token.line);
      if (token.text == "none" || token.text == "None") return std::make_unique<Constant>(Value(), token.line);
      return std::make_unique<Name>(names_.id(token.text), token.text, token.line);
    case TokenKind::text: {
      std::string text = token.text;
      while (now().kind == TokenKind::text) text += take().text;
      return std::make_unique<Constant>(Value(std::move(text)), token.line);
    }
    case TokenKind::integer:
      return std::make_unique<Constant>(integer_of(token), token.line);
    case TokenKind::number:
      return std::make_unique<Constant>(number_of(token), token.line);
    case TokenKind::sign:
      if (token.text == "(") {
        ExpressionPtr inner;
        if (is_sign(")"))
          inner = std::make_unique<Row>(Row::Kind::tuple, Expressions(), token.line);
        else
          inner = parse_row();
        expect_sign(")");
        return inner;
      }
      if (token.text == "[") {
        Expressions items;
        while (!is_sign("]")) {
          if (!items.empty()) expect_sign(",");
          if (is_sign("]")) break;
          items.push_back(parse_expression());
        }
        expect_sign("]");
        return std::make_unique<Row>(Row::Kind::list, std::move(items), token.line);
      }
      if (token.text == "{") return parse_dict(token.line);
      [[fallthrough]];
    default:
      --position_;
      refuse(fmt::format("unexpected '{}'", described()));
  }
}

ExpressionPtr Parser::parse_dict(int line) {
  DictExpression::Entries entries;
  while (!is_sign("}")) {
    if (!entries.empty()) expect_sign(",");
    if (is_sign("}")) break;
    ExpressionPtr key = parse_expression();
    expect_sign(":");
    entries.emplace_back(std::move(key), parse_expression());
  }
  expect_sign("}");
  return std::make_unique<DictExpression>(std::move(entries), line);
}

ExpressionPtr Parser::parse_postfix(ExpressionPtr operand) {
  while (true) {
    const int line = now().line;
    if (take_sign(".")) {
      const Token token = take();
      if (token.kind == TokenKind::name) {
        operand = std::make_unique<Attribute>(std::move(operand), token.text, line);
      } else if (token.kind == TokenKind::integer) {
        operand = std::make_unique<Item>(std::move(operand), std::make_unique<Constant>(integer_of(token), line), line);
      } else {
        --position_;
        refuse("expected name or number");
      }
    } else if (take_sign("[")) {
      operand = parse_subscript(std::move(operand), line);
    } else if (is_sign("(")) {
      operand = std::make_unique<CallExpression>(std::move(operand), parse_arguments(), line);
    } else {
      return operand;
    }
  }
}

ExpressionPtr Parser::parse_subscript(ExpressionPtr operand, int line) {
  Expressions keys;
  while (!is_sign("]")) {
    if (!keys.empty()) expect_sign(",");
    ExpressionPtr parts[3];
    if (!is_sign(":")) parts[0] = parse_expression();
    if (keys.empty() && take_sign(":")) {
      const auto ends = [&] { return is_sign(":") || is_sign("]") || is_sign(","); };
      if (!ends()) parts[1] = parse_expression();
      if (take_sign(":") && !ends()) parts[2] = parse_expression();
      expect_sign("]");
      return std::make_unique<Slice>(std::move(operand), std::move(parts[0]), std::move(parts[1]), std::move(parts[2]),
                                     line);
    }
    if (!parts[0]) refuse("unexpected ':'");
    keys.push_back(std::move(parts[0]));
  }
  expect_sign("]");
  ExpressionPtr key =
      keys.size() == 1 ? std::move(keys[0]) : std::make_unique<Row>(Row::Kind::tuple, std::move(keys), line);
  return std::make_unique<Item>(std::move(operand), std::move(key), line);
}

ExpressionPtr Parser::parse_filters_and_tests(ExpressionPtr operand) {
  while (true) {
    const int line = now().line;
    if (take_sign("|"))
      operand = parse_filter(std::move(operand));
    else if (take_name("is"))
      operand = parse_test(std::move(operand));
    else if (is_sign("("))
      operand = std::make_unique<CallExpression>(std::move(operand), parse_arguments(), line);
    else
      return operand;
  }
}

Function Parser::find_filter_here(const std::string& name, int line) const {
  if (const Function function = find_filter(name)) return function;
  throw Failure{FailureKind::name, fmt::format("No filter named '{}'.", name), line};
}

std::unique_ptr<const FilterExpression> Parser::parse_filter(ExpressionPtr operand) {
  const int line = now().line;
  std::string name = expect_any_name();
  while (take_sign(".")) name += '.' + expect_any_name();
  const Function function = find_filter_here(name, line);
  ArgumentList arguments;
  if (is_sign("(")) arguments = parse_arguments();
  return std::make_unique<const FilterExpression>(std::move(operand), function, std::move(arguments), line);
}

ExpressionPtr Parser::parse_test(ExpressionPtr operand) {
  const int line = now().line;
  const bool negated = take_name("not");
  std::string name = expect_any_name();
  while (take_sign(".")) name += '.' + expect_any_name();
  const Function function = find_test(name);
  if (!function) throw Failure{FailureKind::name, fmt::format("No test named '{}'.", name), line};
  ArgumentList arguments;
  const TokenKind kind = now().kind;
  const bool literal = kind == TokenKind::text || kind == TokenKind::integer || kind == TokenKind::number ||
                       is_sign("[") || is_sign("{");
  const bool named = kind == TokenKind::name && !is_name("else") && !is_name("or") && !is_name("and");
  if (is_sign("(")) {
    arguments = parse_arguments();
  } else if (literal || named) {
    if (is_name("is")) refuse("You cannot chain multiple tests with is");
    arguments.positional.push_back(parse_postfix(parse_primary()));
  }
  ExpressionPtr test = std::make_unique<FilterExpression>(std::move(operand), function, std::move(arguments), line);
  if (negated) test = std::make_unique<Logic>(Logic::Kind::not_, std::move(test), nullptr, line);
  return test;
}

ArgumentList Parser::parse_arguments() {
  ArgumentList arguments;
  expect_sign("(");
  const auto ensure = [&](bool right) {
    if (!right) refuse("invalid syntax for function call expression");
  };
  bool first = true;
  while (!is_sign(")")) {
    if (!std::exchange(first, false)) expect_sign(",");
    if (is_sign(")")) break;
    if (take_sign("*")) {
      ensure(!arguments.rest && !arguments.named_rest);
      arguments.rest = parse_expression();
    } else if (take_sign("**")) {
      ensure(!arguments.named_rest);
      arguments.named_rest = parse_expression();
    } else if (now().kind == TokenKind::name && next_one().kind == TokenKind::sign && next_one().text == "=") {
      ensure(!arguments.named_rest);
      std::string name = take().text;
      take();
      arguments.named.emplace_back(std::move(name), parse_expression());
    } else {
      ensure(!arguments.rest && !arguments.named_rest && arguments.named.empty());
      arguments.positional.push_back(parse_expression());
    }
  }
  expect_sign(")");
  return arguments;
}

}  // namespace hearth::templates
