import { expect, it } from 'vitest';

import type { FieldType } from '../files/dataset.ts';
import { describeUnknown } from '../issues/nearest.ts';
import { checkExpression, type ResolveName } from './check.ts';
import { ExpressionError } from './error.ts';
import { functionNames } from './functions.ts';
import { parseExpression } from './parse-expression.ts';

const columns = new Map<string, FieldType>([
  ['Region', 'text'],
  ['Sales', 'decimal'],
  ['Quantity', 'integer'],
  ['Discount', 'number'],
  ['Order Date', 'date'],
  ['At', 'datetime'],
  ['Returned', 'boolean'],
]);

const field: ResolveName = (name) => {
  const type = columns.get(name);
  return type ? { kind: 'column', name, type } : describeUnknown('field', name, columns.keys());
};
const metric: ResolveName = (name) => describeUnknown('metric', name, ['Total']);

const unknownFunction = (name: string) =>
  `unknown function "${name}"; write one of ${functionNames.join(', ')}`;
const unknownField = (name: string) =>
  `unknown field "${name}"; write one of ${[...columns.keys()].join(', ')}`;

/** The place and reason of the first mistake. */
function refuse(text: string): [place: string, reason: string] | undefined {
  try {
    const [problem] = checkExpression(parseExpression(text), { field, metric }).problems;
    return problem && [`${problem.start}-${problem.end}`, problem.message];
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return [`${error.start}-${error.end}`, error.message];
  }
}

it.each([
  ['sum(Sales); drop table users', '10-11', 'remove the semicolon'],
  [
    'sum(Sales) -- all',
    '11-13',
    'comments are not supported; remove this one, or write a space between two minus signs',
  ],
  ['sum(Sales) /* all */', '11-13', 'comments are not supported; remove this one'],
  [
    'sum(Sales) # all',
    '11-12',
    'unexpected character "#"; remove it, or write the name that contains it in double quotes',
  ],
  ['sum(Sales) union select 1', '11-16', 'expected an operator, but found "union"'],
  ['(select 1)', '8-9', 'expected ")", but found "1"'],
  [
    'sum((select max(Sales) from orders))',
    '12-15',
    'expected ")", but found "max"; put a name of several words in double quotes: "select max"',
  ],
  ['exists (select 1)', '15-16', 'expected ")", but found "1"'],
  ['count(*)', '6-7', '* needs a number on each side; to count rows, write count()'],
  [
    'count(distinct Region)',
    '15-21',
    'expected ")", but found "Region"; put a name of several words in double quotes: "distinct Region"',
  ],
  ['sum(Sales) over (partition by Region)', '11-15', 'expected an operator, but found "over"'],
  ['sum(Sales) filter (where Returned)', '11-17', 'expected an operator, but found "filter"'],
  ['sum(Sales) as total', '11-13', 'expected an operator, but found "as"'],
  [
    'sum(orders.Sales)',
    '10-11',
    'write a digit before a decimal point, such as 0.5, and double quotes around a name with a dot, such as "a.b"',
  ],
  [
    'sum("orders"."Sales")',
    '12-13',
    'write a digit before a decimal point, such as 0.5, and double quotes around a name with a dot, such as "a.b"',
  ],
  [
    'sum(Sales::text)',
    '9-10',
    'unexpected character ":"; remove it, or write the name that contains it in double quotes',
  ],
  [
    'cast(Sales as text)',
    '11-13',
    'expected ")", but found "as"; put a name of several words in double quotes: "Sales as"',
  ],
  [
    'sum(try_cast(Sales as integer))',
    '19-21',
    'expected ")", but found "as"; put a name of several words in double quotes: "Sales as"',
  ],
  ['sum([Sales])', '4-5', 'write names in double quotes, such as "Order Date"'],
  ['sum(`Sales`)', '4-5', 'write names in double quotes, such as "Order Date"'],
  [
    'sum(Betrag (€))',
    '12-13',
    'unexpected character "€"; remove it, or write the name that contains it in double quotes',
  ],
  [
    'sum($1)',
    '4-5',
    'unexpected character "$"; remove it, or write the name that contains it in double quotes',
  ],
  [
    'sum(?)',
    '4-5',
    'unexpected character "?"; remove it, or write the name that contains it in double quotes',
  ],
  [
    'sum(@Sales)',
    '4-5',
    'unexpected character "@"; remove it, or write the name that contains it in double quotes',
  ],
  [
    'sum(:Sales)',
    '4-5',
    'unexpected character ":"; remove it, or write the name that contains it in double quotes',
  ],
  [
    'sum({Sales})',
    '4-5',
    'unexpected character "{"; remove it, or write the name that contains it in double quotes',
  ],
  ["read_csv('/etc/passwd')", '0-23', unknownFunction('read_csv')],
  ["read_text('/etc/passwd')", '0-24', unknownFunction('read_text')],
  ["getenv('HOME')", '0-14', unknownFunction('getenv')],
  ["current_setting('search_path')", '0-30', unknownFunction('current_setting')],
  ['pg_sleep(10)', '0-12', unknownFunction('pg_sleep')],
  ["pg_read_file('/etc/passwd')", '0-27', unknownFunction('pg_read_file')],
  ["file('/etc/passwd')", '0-19', unknownFunction('file')],
  ["url('http://127.0.0.1/')", '0-24', unknownFunction('url')],
  ["system('id')", '0-12', unknownFunction('system')],
  ['sleep(3)', '0-8', unknownFunction('sleep')],
  ['current_user', '0-12', 'unknown metric "current_user"; write Total'],
  ['version()', '0-9', unknownFunction('version')],
  ['random()', '0-8', unknownFunction('random')],
  ['now()', '0-5', unknownFunction('now')],
  ['constructor(1)', '0-14', unknownFunction('constructor')],
  ['__proto__(1)', '0-12', unknownFunction('__proto__')],
  ['toString(1)', '0-11', unknownFunction('tostring')],
  ['hasOwnProperty(Region)', '0-22', unknownFunction('hasownproperty')],
  ['sum(constructor)', '4-15', unknownField('constructor')],
  ['sum(__proto__)', '4-13', unknownField('__proto__')],
  ['sum(Sales', '9-9', 'expected ")", but the expression ends here'],
  ['sum(Sales))', '10-11', 'expected an operator, but found ")"'],
  [
    'sum Sales)',
    '4-9',
    'expected an operator, but found "Sales"; put a name of several words in double quotes: "sum Sales"',
  ],
  ['(sum(Sales)', '11-11', 'expected ")", but the expression ends here'],
  [')', '0-1', 'expected a value, but found ")"'],
  ['(', '1-1', 'expected a value, but the expression ends here'],
  ['()', '1-2', 'expected a value, but found ")"'],
  ['sum()', '0-5', 'sum has 0 arguments; write sum(number)'],
  ['sum(,)', '4-5', 'expected a value, but found ","'],
  ['sum(Sales,)', '10-11', 'expected a value, but found ")"'],
  ['sum(Sales, Discount)', '0-20', 'sum has 2 arguments; write sum(number)'],
  [
    'sum(Sales Discount)',
    '10-18',
    'expected ")", but found "Discount"; put a name of several words in double quotes: "Sales Discount"',
  ],
  [
    'sum(Order Date)',
    '10-14',
    'expected ")", but found "Date"; put a name of several words in double quotes: "Order Date"',
  ],
  ['1 +', '3-3', 'expected a value, but the expression ends here'],
  ['+ 1', '0-1', 'unexpected plus sign; remove it'],
  ['* 2', '0-1', '* needs a number on each side; to count rows, write count()'],
  ['/ 2', '0-1', 'expected a value, but found "/"'],
  ['1 2', '2-3', 'expected an operator, but found "2"'],
  ['1 ++ 2', '3-4', 'unexpected plus sign; remove it'],
  ['1 +- + 2', '5-6', 'unexpected plus sign; remove it'],
  ['sum(Sales) not 1', '15-16', 'expected "between", but found "1"'],
  ['not', '3-3', 'expected a value, but the expression ends here'],
  ['sum(Sales) in', '13-13', 'expected "(", but the expression ends here'],
  ['sum(Sales) in ()', '15-16', 'expected a value, but found ")"'],
  ['sum(Sales) in (1,)', '17-18', 'expected a value, but found ")"'],
  ['sum(Sales) between 1', '20-20', 'expected "and", but the expression ends here'],
  ['sum(Sales) between 1 or 2', '21-23', 'expected "and", but found "or"'],
  ['sum(Sales) is 1', '14-15', 'expected "null", but found "1"'],
  ['sum(Sales) is not', '17-17', 'expected "null", but the expression ends here'],
  ['sum(Sales) like 1', '11-15', 'expected an operator, but found "like"'],
  ['1 < sum(Sales) < 5', '15-16', 'comparisons cannot be chained; write 1 < a and a < 5'],
  ['sum(Sales) == 1', '11-13', 'write = instead of =='],
  ['sum(Sales) != 1', '11-13', 'write <> for "not equal"'],
  ['sum(Sales) && 1', '11-13', 'write and instead of &&'],
  [
    'sum(Sales) | 1',
    '11-12',
    'write || to join texts, and the words and, or to combine conditions',
  ],
  ['sum(Sales) ^ 2', '11-12', 'powers are not supported; multiply instead'],
  ['!sum(Sales)', '0-1', 'write not, or <> for "not equal"'],
  [
    '~1',
    '0-1',
    'unexpected character "~"; remove it, or write the name that contains it in double quotes',
  ],
  [
    'case end',
    '5-8',
    'expected "when", but found "end"; write: case when Region = \'West\' then 1 else 0 end',
  ],
  [
    'case when end',
    '10-13',
    'expected a value, but found "end"; to use a field of this name, write "end" in double quotes',
  ],
  ['case when true then 1', '21-21', 'expected "end", but the expression ends here'],
  ['case when true 1 end', '15-16', 'expected "then", but found "1"'],
  [
    "case Region when 'West' then 1 end",
    '5-11',
    'expected "when", but found "Region"; write: case when Region = \'West\' then 1 else 0 end',
  ],
  [
    'when',
    '0-4',
    'expected a value, but found "when"; to use a field of this name, write "when" in double quotes',
  ],
  [
    'end',
    '0-3',
    'expected a value, but found "end"; to use a field of this name, write "end" in double quotes',
  ],
  ["'West", '0-1', 'the closing quote of this text is missing; add it'],
  ['"Sales', '0-1', 'the closing double quote of this name is missing; add it'],
  ['""', '0-2', "the name is empty; for an empty text, write ''"],
  ["'West''", '6-7', 'the closing quote of this text is missing; add it'],
  ['sum("Sa""les")', '4-13', 'unknown field "Sa\\"les"; did you mean "Sales"?'],
  ['sum(‘Sales’)', '4-5', "write text in straight quotes, such as 'West'"],
  ['sum(“Sales”)', '4-5', 'write names in straight double quotes, such as "Order Date"'],
  ['sum(Sаles)', '4-9', 'unknown field "Sаles"; did you mean "Sales"?'],
  ['sum(Sales)\u0000', '10-11', 'the expression has an invalid character; remove it'],
  [
    'sum(\u200bSales)',
    '4-5',
    'unexpected character U+200B; remove it, or write the name that contains it in double quotes',
  ],
  ['sum(Sales)\ud800', '10-11', 'the expression has an invalid character; remove it'],
  ['1e5', '0-3', '"1e5" is not a number; write digits, such as 12000 or 0.5'],
  ['0x10', '0-4', '"0x10" is not a number; write digits, such as 12000 or 0.5'],
  ['1_000', '0-5', '"1_000" is not a number; write digits, such as 12000 or 0.5'],
  ['1.2.3', '0-5', '"1.2.3" is not a number; write digits, such as 12000 or 0.5'],
  [
    '.5',
    '0-1',
    'write a digit before a decimal point, such as 0.5, and double quotes around a name with a dot, such as "a.b"',
  ],
  ['1.', '0-2', '"1." is not a number; write digits, such as 12000 or 0.5'],
  ['1,5', '1-2', 'expected an operator, but found ","'],
  ['123abc', '0-6', '"123abc" is not a number; write digits, such as 12000 or 0.5'],
  [
    '１２',
    '0-1',
    'unexpected character "１"; remove it, or write the name that contains it in double quotes',
  ],
  ['NaN(1)', '0-6', unknownFunction('nan')],
  ['sum(Infinity)', '4-12', unknownField('Infinity')],
  [
    'sum(99999999999999999999999999999999999999999)',
    '4-45',
    'the number has more than 38 digits; shorten it',
  ],
  [
    'sum(0.000000000000000000000000000000000000001)',
    '4-45',
    'the number has more than 38 digits; shorten it',
  ],
  ['sum(sum(Sales))', '4-14', 'sum is inside sum; aggregates cannot be nested, so remove one'],
  ['sum(avg(Sales) + 1)', '4-14', 'avg is inside sum; aggregates cannot be nested, so remove one'],
  ['Sales', '0-5', 'unknown metric "Sales"; write Total'],
  ['sum(Total)', '4-9', unknownField('Total')],
  ['Total2', '0-6', 'unknown metric "Total2"; did you mean "Total"?'],
  ['sum(Sals)', '4-8', 'unknown field "Sals"; did you mean "Sales"?'],
  ['sums(Sales)', '0-11', 'unknown function "sums"; did you mean "sum"?'],
  ['mean(Sales)', '0-11', 'unknown function "mean"; write avg'],
  ['sum(Region)', '4-10', 'sum takes a number, but "Region" is text'],
  [
    "sum('Sales')",
    '4-11',
    'sum takes a number, but \'Sales\' is text; for the field, write "Sales"',
  ],
  [
    'sum(Returned)',
    '4-12',
    'sum takes a number, but "Returned" is a boolean; write: case when … then 1 else 0 end',
  ],
  [
    'sum(Quantity > 5)',
    '4-16',
    'sum takes a number, but the result of > is a boolean; write: case when … then 1 else 0 end',
  ],
  ['avg(Region)', '4-10', 'avg takes a number, but "Region" is text'],
  ['min(Returned)', '4-12', 'the value must be a number, text or a date; write min(value)'],
  ['median("Order Date")', '7-19', 'median takes a number, but "Order Date" is a date'],
  [
    'quantile(Sales, 1.5)',
    '16-19',
    'the share must be a number from 0 to 1; write quantile(number, 0.9)',
  ],
  [
    'quantile(Sales, Discount)',
    '16-24',
    'the share must be a number from 0 to 1; write quantile(number, 0.9)',
  ],
  ['quantile(Sales)', '0-15', 'quantile has 1 argument; write quantile(number, 0.9)'],
  [
    'sum(round(Sales, 16))',
    '17-19',
    'the digits must be a whole number from -15 to 15; write round(number, digits)',
  ],
  [
    'sum(round(Sales, Quantity))',
    '17-25',
    'the digits must be a whole number from -15 to 15; write round(number, digits)',
  ],
  ['count(lower(Sales))', '12-17', 'lower takes text, but "Sales" is a number'],
  ['count(Region || Quantity)', '16-24', '|| takes text, but "Quantity" is a number'],
  ['count(Region + 1)', '6-12', '+ takes numbers, but "Region" is text'],
  ['count(-Region)', '7-13', '- takes numbers, but "Region" is text'],
  ['count(Region = 12)', '15-17', '"Region" is text, but 12 is a number; write \'12\''],
  [
    "count(Quantity = '12')",
    '17-21',
    '"Quantity" is a number, but \'12\' is text; write 12 without quotes',
  ],
  ['count(Quantity = Region)', '17-23', '"Quantity" is a number, but "Region" is text'],
  ['count(Region and Returned)', '6-12', 'and takes conditions, but "Region" is text'],
  ['count(not Region)', '10-16', 'not takes conditions, but "Region" is text'],
  ['count(Returned < true)', '6-14', '< cannot compare booleans; use = or <>'],
  ['count(Returned <= true)', '6-14', '<= cannot compare booleans; use = or <>'],
  ['count(Returned > true)', '6-14', '> cannot compare booleans; use = or <>'],
  ['count(Returned >= true)', '6-14', '>= cannot compare booleans; use = or <>'],
  [
    'count(Returned between false and true)',
    '6-14',
    'between cannot compare booleans; use = or <>',
  ],
  ["count(Region in ('West', 1))", '25-26', '"Region" is text, but 1 is a number; write \'1\''],
  ["count(Quantity between 'a' and 'b')", '23-26', '"Quantity" is a number, but \'a\' is text'],
  [
    'count("Order Date" > \'31.12.2024\')',
    '21-33',
    "\"Order Date\" is a date, but '31.12.2024' is text; write a date as '2024-12-31'",
  ],
  [
    'count("Order Date" = \'2024-02-30\')',
    '21-33',
    "\"Order Date\" is a date, but '2024-02-30' is text; write a date as '2024-12-31'",
  ],
  ['count("Order Date" > 20240101)', '21-29', '"Order Date" is a date, but 20240101 is a number'],
  ['count(hour("Order Date"))', '11-23', 'hour takes a datetime, but "Order Date" is a date'],
  [
    'count(date_trunc(\'hour\', "Order Date"))',
    '6-38',
    'a date has no hours; write a longer period, such as day',
  ],
  [
    "count(date_trunc('decade', At))",
    '17-25',
    "the period must be one of 'year', 'quarter', 'month', 'week', 'day', 'hour'; write date_trunc('month', time)",
  ],
  [
    'count(date_trunc(Region, At))',
    '17-23',
    "the period must be one of 'year', 'quarter', 'month', 'week', 'day', 'hour'; write date_trunc('month', time)",
  ],
  ['count(year(Region))', '11-17', 'year takes a date, but "Region" is text'],
  [
    'count(case when Quantity then 1 else 2 end)',
    '16-24',
    'when takes conditions, but "Quantity" is a number',
  ],
  ["count(case when Returned then 1 else 'a' end)", '37-40', "1 is a number, but 'a' is text"],
  ['count(coalesce(Region, 0))', '23-24', '"Region" is text, but 0 is a number; write \'0\''],
  ['count(coalesce(Region))', '6-22', 'coalesce has 1 argument; write coalesce(value, value, …)'],
  ['count(nullif(Region, Quantity))', '21-29', '"Region" is text, but "Quantity" is a number'],
  ['count(concat(Region))', '6-20', 'concat has 1 argument; write concat(text, text, …)'],
  ['count(contains(Region, 1))', '23-24', "contains takes text, but 1 is a number; write '1'"],
  [
    "count(replace(Region, 'a'))",
    '6-26',
    "replace has 2 arguments; write replace(text, 'old', 'new')",
  ],
  [
    "count(replace(Region, '', 'b'))",
    '22-24',
    "the searched text is empty; write replace(text, 'old', 'new')",
  ],
  [
    "count(replace(Region, 'a', Region))",
    '27-33',
    "the replacement must be a text in single quotes; write replace(text, 'old', 'new')",
  ],
  ["count(replace(Sales, 'a', 'b'))", '14-19', 'replace takes text, but "Sales" is a number'],
  ["count(replace(Region, 1, 'b'))", '22-23', "replace takes text, but 1 is a number; write '1'"],
  ["count(trim(Region, ' '))", '6-23', 'trim has 2 arguments; write trim(text)'],
  ['count(trim(Sales))', '11-16', 'trim takes text, but "Sales" is a number'],
  [
    'count(substring(Region))',
    '6-23',
    'substring has 1 argument; write substring(text, first, count)',
  ],
  ...['0', '-1', '1.5', '2.0', '1000000001', '99999999999999999999'].map(
    (count): [string, string, string] => [
      `count(substring(Region, ${count}))`,
      `24-${24 + count.length}`,
      'the number of characters must be a whole number from 1 to 1,000,000,000; write substring(text, first, count)',
    ],
  ),
  [
    'count(left(Region, -2))',
    '19-21',
    'the number of characters must be a whole number from 1 to 1,000,000,000; write left(text, count)',
  ],
  [
    "count(right(Region, '2'))",
    '20-23',
    "right takes a number, but '2' is text; write 2 without quotes",
  ],
  ['count(right(Region, Region))', '20-26', 'right takes a number, but "Region" is text'],
  ['count(left(Region))', '6-18', 'left has 1 argument; write left(text, count)'],
  ...['0', '-0', '1.5', 'Quantity', '1000000001', '-1000000001'].map(
    (place): [string, string, string] => [
      `count(split_part(Region, '-', ${place}))`,
      `30-${30 + place.length}`,
      "the number of the part must be a whole number, 1 for the first and -1 for the last; write split_part(text, '-', 1)",
    ],
  ),
  ...["''", 'Region', 'null', '1'].map((delimiter): [string, string, string] => [
    `count(split_part(Region, ${delimiter}, 1))`,
    `25-${25 + delimiter.length}`,
    "the delimiter must be a text in single quotes that is not empty; write split_part(text, '-', 1)",
  ]),
  ['count(to_number())', '6-17', "to_number has 0 arguments; write to_number(text, ',', '.')"],
  ['count(to_number(Sales))', '16-21', 'to_number takes text, but "Sales" is a number'],
  ...["''", "' '", "'..'", 'Region', 'null', '1'].map((decimal): [string, string, string] => [
    `count(to_number(Region, ${decimal}))`,
    `24-${24 + decimal.length}`,
    "the decimal separator must be one of '.', ','; write to_number(text, ',', '.')",
  ]),
  ...["''", "'_'", "'  '", 'Region', 'null'].map((thousands): [string, string, string] => [
    `count(to_number(Region, '.', ${thousands}))`,
    `29-${29 + thousands.length}`,
    "the thousands separator must be one of '.', ',', ' ', ''''; write to_number(text, ',', '.')",
  ]),
  [
    "count(to_number(Region, '.', '.'))",
    '6-33',
    'the decimal and the thousands separator are the same; change one of them',
  ],
  ['count(to_date(Region))', '6-21', "to_date has 1 argument; write to_date(text, '%d.%m.%Y')"],
  ["count(to_date(At, '%Y'))", '14-16', 'to_date takes text, but "At" is a datetime'],
  ...(
    [
      ['Region', "the format must be a text in single quotes; write to_date(text, '%d.%m.%Y')"],
      ['null', "the format must be a text in single quotes; write to_date(text, '%d.%m.%Y')"],
      ["''", "the format has no placeholders; write one such as '%d.%m.%Y'"],
      ["'dd.MM.yyyy'", "the format has no placeholders; write one such as '%d.%m.%Y'"],
      ["'100%%'", "the format has no placeholders; write one such as '%d.%m.%Y'"],
      [
        "'%d.%m.%Q'",
        'unknown placeholder "%Q" in the format; write one of %Y, %y, %m, %b, %B, %d, %H, %I, %M, %S, %p, or %% for a percent sign',
      ],
      [
        "'%Y-%'",
        'unknown placeholder "%" in the format; write one of %Y, %y, %m, %b, %B, %d, %H, %I, %M, %S, %p, or %% for a percent sign',
      ],
      ["'%m/%m/%Y'", 'the format has %m twice; remove one of them'],
      ["'%b %m %Y'", 'the format has %b and %m; remove one of them'],
      ["'%d.%m.'", 'the format has no year; add %Y or %y'],
      ["'%d %Y'", 'the format has no month; add %m or %b or %B'],
      ["'%m %Y %H'", 'the format has no day; add %d'],
      ["'%d.%m.%Y %M'", 'the format has no hour; add %H or %I'],
      ["'%d.%m.%Y %H:%S'", 'the format has no minute; add %M'],
      ["'%d.%m.%Y %p'", 'the format has no hour; add %H or %I'],
      [
        "'%d.%m.%Y %I:%M'",
        'the format has %I without %p; add %p, or write %H for hours from 0 to 23',
      ],
      [`'%Y${'x'.repeat(99)}'`, 'the format has more than 100 characters'],
      [`'${'%Y'.repeat(1_500)}'`, 'the format has more than 100 characters'],
    ] as const
  ).map(([format, reason]): [string, string, string] => [
    `count(to_date(Region, ${format}))`,
    `22-${22 + format.length}`,
    reason,
  ]),
  ['count(today(1))', '6-14', 'today has 1 argument; write today()'],
  [
    "count(date_diff('hour', At, At))",
    '16-22',
    "the period must be one of 'year', 'quarter', 'month', 'week', 'day'; write date_diff('day', time, time)",
  ],
  [
    'count(date_diff(Region, At, At))',
    '16-22',
    "the period must be one of 'year', 'quarter', 'month', 'week', 'day'; write date_diff('day', time, time)",
  ],
  [
    "count(date_diff('day', At))",
    '6-26',
    "date_diff has 2 arguments; write date_diff('day', time, time)",
  ],
  ["count(date_diff('day', At, Region))", '27-33', 'date_diff takes a date, but "Region" is text'],
  [
    "count(date_diff('day', At, '2024-02-30'))",
    '27-39',
    "date_diff takes a date, but '2024-02-30' is text; write a date as '2024-12-31'",
  ],
  ['substr(Region, 1)', '0-17', 'unknown function "substr"; write substring'],
  ['', '0-0', 'expected a value, but the expression ends here'],
  ['   ', '3-3', 'expected a value, but the expression ends here'],
])('%j is refused at %s: %s', (text, place, reason) => {
  expect(refuse(text)).toEqual([place, reason]);
});

const tooDeep =
  'the expression has more than 60 levels; move a part of it into its own field or metric';
const tooLong =
  'the expression has more than 4,000 characters; move a part of it into its own field or metric';

it.each([
  ['parentheses', `${'('.repeat(61)}1${')'.repeat(61)}`, '60-61', tooDeep],
  ['not', `${'not '.repeat(61)}true`, '240-243', tooDeep],
  ['minus', `${'- '.repeat(61)}1`, '120-121', tooDeep],
  ['a sum of many', `1${' + 1'.repeat(60)}`, '0-241', tooDeep],
  ['calls', `${'abs('.repeat(60)}1${')'.repeat(60)}`, '240-241', tooDeep],
  [
    'texts that are replaced',
    `count(${'replace('.repeat(60)}Region${", 'a', 'b')".repeat(60)})`,
    '478-485',
    tooDeep,
  ],
  ['cases', `${'case when true then '.repeat(60)}1${' end'.repeat(60)}`, '1190-1194', tooDeep],
  ['characters', `sum(Sales) + '${'x'.repeat(4_000)}'`, '4000-4015', tooLong],
  ['characters that are no tokens', '('.repeat(1_000_000), '4000-1000000', tooLong],
])('too many %s are refused', (_, text, place, reason) => {
  expect(refuse(text)).toEqual([place, reason]);
});

it('an expression at the limits is accepted', () => {
  expect(refuse(`count(${'('.repeat(57)}1${')'.repeat(57)})`)).toBeUndefined();
  expect(refuse(`count(Region in (${"'West', ".repeat(490)}'East'))`)).toBeUndefined();
  expect(refuse(`count(${'Returned and '.repeat(300)}Returned)`)).toBeUndefined();
});
