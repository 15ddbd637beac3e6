// SPDX-License-Identifier: Apache-2.0
// Parses tokens into expressions and statements, by Jinja2's grammar. One thread; used once.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "template/language/lexer.h"
#include "template/language/program.h"

namespace hearth::templates {

class Parser {
 public:
  Parser(std::vector<Token> tokens, NameTable& names) : tokens_(std::move(tokens)), names_(names) {}

  // The whole template.
  Block parse();

 private:
  // Tokens.
  const Token& now() const { return tokens_[position_]; }
  const Token& next_one() const { return tokens_[std::min(position_ + 1, tokens_.size() - 1)]; }
  Token take();
  bool is_sign(std::string_view sign) const { return now().kind == TokenKind::sign && now().text == sign; }
  bool is_name(std::string_view name) const { return now().kind == TokenKind::name && now().text == name; }
  bool take_sign(std::string_view sign);
  bool take_name(std::string_view name);
  void expect_sign(std::string_view sign);
  void expect_name(std::string_view name);
  std::string expect_any_name();
  void expect_block_end();
  [[noreturn]] void refuse(std::string message) const;
  std::string described() const;

  // Statements (parser.cpp).
  Block parse_until(std::initializer_list<std::string_view> ends);
  void parse_statement(Block& block);
  StatementPtr parse_for();
  StatementPtr parse_if();
  StatementPtr parse_set();
  StatementPtr parse_with();
  StatementPtr parse_macro();
  StatementPtr parse_call_block();
  StatementPtr parse_filter_block();
  StatementPtr parse_import();
  StatementPtr parse_from();
  void parse_parameters(MacroBody& body);
  void finish_macro(MacroBody& body, std::string_view end);
  Target parse_target(bool with_attribute, bool with_row = true);
  Filters parse_filters();

  // Expressions (parser_expression.cpp).
  ExpressionPtr parse_expression(bool with_condition = true);
  ExpressionPtr parse_row(bool with_condition = true);
  ExpressionPtr parse_or();
  ExpressionPtr parse_and();
  ExpressionPtr parse_not();
  ExpressionPtr parse_comparison();
  ExpressionPtr parse_sum();
  ExpressionPtr parse_concatenation();
  ExpressionPtr parse_product();
  ExpressionPtr parse_power();
  ExpressionPtr parse_unary(bool with_filters = true);
  ExpressionPtr parse_primary();
  ExpressionPtr parse_postfix(ExpressionPtr operand);
  ExpressionPtr parse_filters_and_tests(ExpressionPtr operand);
  ExpressionPtr parse_subscript(ExpressionPtr operand, int line);
  ExpressionPtr parse_test(ExpressionPtr operand);
  std::unique_ptr<const FilterExpression> parse_filter(ExpressionPtr operand);
  ArgumentList parse_arguments();
  ExpressionPtr parse_dict(int line);
  Function find_filter_here(const std::string& name, int line) const;

  std::vector<Token> tokens_;
  NameTable& names_;
  std::size_t position_ = 0;
  int loops_ = 0;  // around the statement
};

}  // namespace hearth::templates
