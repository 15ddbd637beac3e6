// SPDX-License-Identifier: Apache-2.0
#include "template/values/arithmetic.h"

#include <fmt/format.h>

#include <cmath>

#include "template/values/integer.h"
#include "template/values/text_format.h"

namespace hearth::templates {
namespace {

[[noreturn]] void refuse_operands(Operator op, const Value& a, const Value& b) {
  fail(FailureKind::type,
       fmt::format("unsupported operand type(s) for {}: '{}' and '{}'", sign_of(op), type_name(a), type_name(b)));
}

std::int64_t floor_divided(std::int64_t a, std::int64_t b) {
  const std::int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

void fail_at_zero(Operator op) {
  fail(FailureKind::zero_division, op == Operator::divide ? "division by zero" : "integer division or modulo by zero");
}

Integer power(Integer base, const Integer& exponent) {
  if (base == 0 || base == 1) return exponent == 0 ? Integer(1) : base;
  if (base == -1) return boost::multiprecision::bit_test(exponent, 0) ? base : Integer(1);
  const std::size_t bits =
      boost::multiprecision::msb(boost::multiprecision::abs(base));  // of the result: at least so many times
  if (exponent > kMostBits || bits * static_cast<std::size_t>(exponent) > kMostBits)
    fail(FailureKind::limit, fmt::format("an integer may have at most {} bits", kMostBits));
  charge_size((bits + 1) * static_cast<std::size_t>(exponent));
  return boost::multiprecision::pow(base, static_cast<unsigned>(exponent));
}

Value calculate_integers(Operator op, const Integer& a, const Integer& b) {
  if ((op == Operator::divide || op == Operator::floor_divide || op == Operator::modulo) && b == 0) fail_at_zero(op);
  const std::size_t limbs = a.backend().size() * b.backend().size();
  charge_size(limbs * 4);
  switch (op) {
    case Operator::add:
      return integer_value(a + b);
    case Operator::subtract:
      return integer_value(a - b);
    case Operator::multiply:
      return integer_value(a * b);
    case Operator::divide:
      return quotient(a, b);
    case Operator::floor_divide:
    case Operator::modulo: {
      Integer whole, rest;
      boost::multiprecision::divide_qr(a, b, whole, rest);
      const bool down = rest != 0 && (rest < 0) != (b < 0);
      if (op == Operator::modulo) return integer_value(down ? Integer(rest + b) : rest);
      return integer_value(down ? Integer(whole - 1) : whole);
    }
    case Operator::power:
      if (b >= 0) return integer_value(power(a, b));
      if (a == 0) fail(FailureKind::zero_division, "0.0 cannot be raised to a negative power");
      return std::pow(nearest_double(a), nearest_double(b));
  }
  return 0;
}

Value calculate_integers(Operator op, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  const auto without_limit = [&] { return calculate_integers(op, Integer(a), Integer(b)); };
  if ((op == Operator::divide || op == Operator::floor_divide || op == Operator::modulo) && b == 0) fail_at_zero(op);
  switch (op) {
    case Operator::add:
      return __builtin_add_overflow(a, b, &result) ? without_limit() : Value(result);
    case Operator::subtract:
      return __builtin_sub_overflow(a, b, &result) ? without_limit() : Value(result);
    case Operator::multiply:
      return __builtin_mul_overflow(a, b, &result) ? without_limit() : Value(result);
    case Operator::divide: {
      constexpr std::int64_t exact = std::int64_t{1} << 53;
      const bool fits = a <= exact && a >= -exact && b <= exact && b >= -exact;
      return fits ? Value(static_cast<double>(a) / static_cast<double>(b)) : without_limit();
    }
    case Operator::floor_divide:
      if (b == -1) return calculate_integers(Operator::subtract, 0, a);
      return floor_divided(a, b);
    case Operator::modulo:
      if (b == -1) return 0;
      return a - floor_divided(a, b) * b;
    case Operator::power: {
      if (b < 0) return without_limit();
      std::int64_t product = 1, square = a;
      for (std::int64_t exponent = b; exponent > 0; exponent >>= 1) {
        if (exponent & 1 && __builtin_mul_overflow(product, square, &product)) return without_limit();
        if (exponent > 1 && __builtin_mul_overflow(square, square, &square)) return without_limit();
      }
      return product;
    }
  }
  return 0;
}

double modulo(double a, double b) {
  double rest = std::fmod(a, b);
  if (rest == 0) return std::copysign(0.0, b);
  return (rest < 0) != (b < 0) ? rest + b : rest;
}

double floor_divided(double a, double b) {
  const double rest = modulo(a, b), quotient = (a - rest) / b;
  if (quotient == 0) return std::copysign(0.0, a / b);
  const double whole = std::floor(quotient);
  return quotient - whole > 0.5 ? whole + 1 : whole;
}

Value calculate_numbers(Operator op, double a, double b) {
  if ((op == Operator::divide || op == Operator::floor_divide || op == Operator::modulo) && b == 0) {
    fail(FailureKind::zero_division,
         op == Operator::divide ? "float division by zero" : "float floor division by zero");
  }
  switch (op) {
    case Operator::add:
      return a + b;
    case Operator::subtract:
      return a - b;
    case Operator::multiply:
      return a * b;
    case Operator::divide:
      return a / b;
    case Operator::floor_divide:
      return floor_divided(a, b);
    case Operator::modulo:
      return modulo(a, b);
    case Operator::power:
      break;
  }
  if (a == 0 && b < 0) fail(FailureKind::zero_division, "0.0 cannot be raised to a negative power");
  if (a < 0 && b != std::floor(b)) fail(FailureKind::type, "a negative number has no real power of a fraction");
  const double result = std::pow(a, b);
  if (std::isinf(result) && !std::isinf(a) && !std::isinf(b)) fail(FailureKind::limit, "Numerical result out of range");
  return result;
}

// text * 3, list * 3. Null if it is neither.
std::optional<Value> repeated(const Value& value, std::int64_t times) {
  const std::size_t count = static_cast<std::size_t>(std::max<std::int64_t>(times, 0));
  const auto row = [&](const Values& items) {
    charge_size(std::min<std::size_t>(count, 1 << 30) * items.size() * 8);
    Values all;
    for (std::size_t i = 0; i < count && !items.empty(); ++i) all.insert(all.end(), items.begin(), items.end());
    return all;
  };
  if (value.is_text()) {
    charge_text(std::min<std::size_t>(count, 1 << 30) * value.text().size());
    std::string text;
    for (std::size_t i = 0; i < count && !value.text().empty(); ++i) text += value.text();
    return Value(std::move(text));
  }
  if (const auto* list = value.get<List>()) return Value::list(row(*list->items));
  if (const auto* tuple = value.get<Tuple>()) return Value::tuple(row(*tuple->items));
  return {};
}

__extension__ typedef __int128 Wide;  // wider than a product of two 64-bit integers

[[noreturn]] void span_too_long() {
  fail(FailureKind::limit, "a timedelta may have at most 106751991 days");
}

Value checked_span(Wide microseconds) {
  if (microseconds > INT64_MAX || microseconds < -INT64_MAX) span_too_long();
  return TimeDelta{static_cast<std::int64_t>(microseconds)};
}

// To the nearest, halves to the even one.
Wide divided(Wide a, Wide b) {
  if (b < 0) a = -a, b = -b;
  Wide quotient = a / b, rest = a % b;
  if (rest < 0) rest += b, --quotient;
  return quotient + (2 * rest > b || (2 * rest == b && quotient % 2 != 0));
}

// The number as mantissa * 2^exponent, the mantissa odd.
struct Ratio {
  std::int64_t mantissa;
  int exponent;
};

Ratio ratio_of(double number) {
  if (std::isnan(number)) fail(FailureKind::value, "cannot convert NaN to integer ratio");
  if (std::isinf(number)) fail(FailureKind::limit, "cannot convert Infinity to integer ratio");
  Ratio ratio{0, 0};
  ratio.mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(number, &ratio.exponent), 53));
  ratio.exponent -= 53;
  for (; ratio.mantissa && ratio.mantissa % 2 == 0; ratio.mantissa /= 2) ++ratio.exponent;
  return ratio;
}

// As Python: exactly, then to the nearest microsecond.
Value multiplied(TimeDelta span, const Value& by) {
  if (const auto integer = as_int(by)) return checked_span(Wide{span.microseconds} * *integer);
  const Ratio ratio = ratio_of(*as_double(by));
  const Wide product = Wide{span.microseconds} * ratio.mantissa;
  if (product == 0 || ratio.exponent < -125) return TimeDelta{0};
  if (ratio.exponent < 0) return checked_span(divided(product, Wide{1} << -ratio.exponent));
  checked_span(product);
  if (ratio.exponent > 63) span_too_long();
  return checked_span(product << ratio.exponent);
}

Value divided(TimeDelta span, const Value& by) {
  if (*as_double(by) == 0) fail(FailureKind::zero_division, "division by zero");
  if (const auto integer = as_int(by)) return checked_span(divided(Wide{span.microseconds}, Wide{*integer}));
  const Ratio ratio = ratio_of(*as_double(by));
  if (span.microseconds == 0 || ratio.exponent > 63) return TimeDelta{0};
  if (ratio.exponent >= 0)
    return checked_span(divided(Wide{span.microseconds}, Wide{ratio.mantissa} << ratio.exponent));
  if (ratio.exponent >= -62)
    return checked_span(divided(Wide{span.microseconds} << -ratio.exponent, Wide{ratio.mantissa}));
  const double result = static_cast<double>(span.microseconds) / *as_double(by);
  if (!(std::abs(result) < 9.2e18)) span_too_long();
  return TimeDelta{static_cast<std::int64_t>(std::nearbyint(result))};
}

DateTime moved(const DateTime& time, std::int64_t by) {
  std::int64_t local;
  if (__builtin_add_overflow(time.local, by, &local) || !in_range(local))
    fail(FailureKind::limit, "date value out of range");
  return {local, time.zone};
}

std::optional<Value> calculate_times(Operator op, const Value& a, const Value& b) {
  const auto *span = a.get<TimeDelta>(), *other = b.get<TimeDelta>();
  const auto *time = a.get<DateTime>(), *until = b.get<DateTime>();
  const auto *day = a.get<Date>(), *last = b.get<Date>();
  const auto whole_days = [](TimeDelta length) {
    return length.microseconds / kDay - (length.microseconds % kDay < 0);
  };
  const auto day_of = [](std::int64_t days) {
    if (!in_range(days * kDay)) fail(FailureKind::limit, "date value out of range");
    return Date{static_cast<std::int32_t>(days)};
  };
  if (op == Operator::add) {
    if (time && other) return moved(*time, other->microseconds);
    if (span && until) return moved(*until, span->microseconds);
    if (day && other) return day_of(day->days + whole_days(*other));
    if (span && last) return day_of(last->days + whole_days(*span));
    if (span && other) return checked_span(Wide{span->microseconds} + other->microseconds);
  } else if (op == Operator::subtract) {
    if (time && other) return moved(*time, -other->microseconds);
    if (day && other) return day_of(day->days - whole_days(*other));
    if (span && other) return checked_span(Wide{span->microseconds} - other->microseconds);
    if (day && last) return TimeDelta{(std::int64_t{day->days} - last->days) * kDay};
    if (time && until) {
      if (time->zone == until->zone) return TimeDelta{time->local - until->local};
      if ((time->zone.kind == Zone::Kind::none) != (until->zone.kind == Zone::Kind::none)) {
        fail(FailureKind::type, "can't subtract offset-naive and offset-aware datetimes");
      }
      return TimeDelta{moment_of(*time, Zone::utc()) - moment_of(*until, Zone::utc())};
    }
  } else if (span && other && op != Operator::multiply && op != Operator::power) {
    if (other->microseconds == 0) fail(FailureKind::zero_division, "division by zero");
    if (op == Operator::divide)
      return static_cast<double>(span->microseconds) / static_cast<double>(other->microseconds);
    const std::int64_t quotient = floor_divided(span->microseconds, other->microseconds);
    if (op == Operator::floor_divide) return quotient;
    return TimeDelta{span->microseconds - quotient * other->microseconds};
  } else if (op == Operator::multiply) {
    const auto* const one = span ? span : other;
    const Value& factor = span ? b : a;
    if (one && factor.is_number()) return multiplied(*one, factor);
  } else if (span && op == Operator::divide) {
    if (b.is_number()) return divided(*span, b);
  } else if (span && op == Operator::floor_divide) {
    const auto divisor = as_int(b);
    if (!divisor) return {};
    if (*divisor == 0) fail(FailureKind::zero_division, "integer division or modulo by zero");
    return TimeDelta{floor_divided(span->microseconds, *divisor)};
  }
  return {};
}

}  // namespace

std::string_view sign_of(Operator op) {
  constexpr std::string_view signs[] = {"+", "-", "*", "/", "//", "%", "** or pow()"};
  return signs[static_cast<std::size_t>(op)];
}

Value calculate(Operator op, const Value& a, const Value& b) {
  charge();
  const auto x = as_int(a), y = as_int(b);
  if (x && y) return calculate_integers(op, *x, *y);
  const bool big = a.get<BigInteger>() || b.get<BigInteger>();
  if (big) {
    const auto p = as_integer(a), q = as_integer(b);
    if (p && q) return calculate_integers(op, *p, *q);
  }
  if (const auto s = as_double(a), t = as_double(b); s && t) return calculate_numbers(op, *s, *t);
  if (op == Operator::modulo && a.is_text()) return Value(format_percent(a.text(), b));
  for (const Value* const value : {&a, &b}) {
    if (const auto* undefined = value->get<Undefined>()) fail(undefined->kind, *undefined->message);
  }
  if (op == Operator::add && a.is_text() && b.is_text()) {
    charge_text(a.text().size() + b.text().size());
    return Value(std::string(a.text()).append(b.text()));
  }
  if (op == Operator::add) {
    const Value p = unfolded(a), q = unfolded(b);
    const auto joined = [](const Values& first, const Values& second) {
      Values all = first;
      all.insert(all.end(), second.begin(), second.end());
      return all;
    };
    if (p.get<List>() && q.get<List>()) return Value::list(joined(*p.get<List>()->items, *q.get<List>()->items));
    if (p.get<Tuple>() && q.get<Tuple>()) return Value::tuple(joined(*p.get<Tuple>()->items, *q.get<Tuple>()->items));
  }
  if (op == Operator::multiply && big && (repeated(unfolded(a), 0) || repeated(unfolded(b), 0)))
    fail(FailureKind::limit, "cannot fit 'int' into an index-sized integer");
  if (op == Operator::multiply && (x || y)) {
    if (auto many = repeated(unfolded(x ? b : a), x ? *x : *y)) return std::move(*many);
  }
  if (auto result = calculate_times(op, a, b)) return std::move(*result);
  if (const auto* const object = a.get<ObjectPtr>(); object && op == Operator::subtract) {
    if (auto difference = (*object)->minus(b)) return std::move(*difference);
  }
  if (op == Operator::add && a.is_text()) {
    fail(FailureKind::type, fmt::format("can only concatenate str (not \"{}\") to str", type_name(b)));
  }
  refuse_operands(op, a, b);
}

Value negative(const Value& value) {
  charge();
  if (const auto integer = as_int(value)) return calculate_integers(Operator::subtract, 0, *integer);
  if (const auto* big = value.get<BigInteger>()) return integer_value(Integer(-big->number->value));
  if (const auto* number = value.get<double>()) return -*number;
  if (const auto* span = value.get<TimeDelta>()) return TimeDelta{-span->microseconds};
  if (const auto* undefined = value.get<Undefined>()) fail(undefined->kind, *undefined->message);
  fail(FailureKind::type, fmt::format("bad operand type for unary -: '{}'", type_name(value)));
}

Value positive(const Value& value) {
  charge();
  if (const auto integer = as_int(value)) return *integer;
  if (value.is_number() || value.get<TimeDelta>()) return value;
  if (const auto* undefined = value.get<Undefined>()) fail(undefined->kind, *undefined->message);
  fail(FailureKind::type, fmt::format("bad operand type for unary +: '{}'", type_name(value)));
}

}  // namespace hearth::templates
