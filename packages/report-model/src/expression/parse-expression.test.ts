import { expect, it } from 'vitest';

import { parseExpression } from './parse-expression.ts';
import { writeName } from './tokens.ts';
import type { Expression } from './tree.ts';

/** The tree as nested lists: the operator or function first. */
function show(node: Expression): unknown {
  switch (node.kind) {
    case 'literal':
      return `${node.type} ${node.value}`.trim();
    case 'name':
      return node.name;
    case 'call':
      return [`${node.function}()`, ...node.arguments.map(show)];
    case 'operation':
      return [node.operator, ...node.operands.map(show)];
    case 'case':
    default:
      return [
        'case',
        ...node.branches.map(({ when, value }) => [show(when), show(value)]),
        node.otherwise && show(node.otherwise),
      ];
  }
}

it.each([
  ['a + b * c', ['+', 'a', ['*', 'b', 'c']]],
  ['a - b - c', ['-', ['-', 'a', 'b'], 'c']],
  ['a / b * c', ['*', ['/', 'a', 'b'], 'c']],
  ['(a + b) * c', ['*', ['+', 'a', 'b'], 'c']],
  ['-a * b', ['*', ['negate', 'a'], 'b']],
  ['a - -b', ['-', 'a', ['negate', 'b']]],
  ['a || b = c', ['=', ['||', 'a', 'b'], 'c']],
  ['a + b || c', ['||', ['+', 'a', 'b'], 'c']],
  ['a or b and c', ['or', 'a', ['and', 'b', 'c']]],
  ['a and b and c or d', ['or', ['and', 'a', 'b', 'c'], 'd']],
  ['not a = b', ['not', ['=', 'a', 'b']]],
  ['not a and b', ['and', ['not', 'a'], 'b']],
  ['a is null', ['is null', 'a']],
  ['a is not null', ['not', ['is null', 'a']]],
  ['a in (1, 2)', ['in', 'a', 'integer 1', 'integer 2']],
  ['a not in (1)', ['not', ['in', 'a', 'integer 1']]],
  ['a between 1 and 2 and b', ['and', ['between', 'a', 'integer 1', 'integer 2'], 'b']],
  ['a not between b and c', ['not', ['between', 'a', 'b', 'c']]],
  ['a + 1 >= b % 2', ['>=', ['+', 'a', 'integer 1'], ['%', 'b', 'integer 2']]],
  ['case when a then b end', ['case', ['a', 'b'], undefined]],
  ['case when a then b when c then d else e end', ['case', ['a', 'b'], ['c', 'd'], 'e']],
  ['count()', ['count()']],
  ['SUM(Sales)', ['sum()', 'Sales']],
  ['TRUE AND Not NULL', ['and', 'boolean true', ['not', 'literal']]],
])('%s groups as its operators bind', (text, tree) => {
  const expected = JSON.stringify(tree).replace('"literal"', '"null"');
  expect(JSON.stringify(show(parseExpression(text)))).toBe(expected);
});

it.each([
  ["'it''s'", "text it's"],
  ["''", 'text'],
  ["'a\"b'", 'text a"b'],
  ['9007199254740993', 'integer 9007199254740993'],
  ['0.10', 'decimal 0.10'],
  ['"Order Date"', 'Order Date'],
  ['"a""b"', 'a"b'],
  ['"sum"', 'sum'],
  ['"case"', 'case'],
  ['größe', 'größe'],
  ['売上', '売上'],
  ['_a1', '_a1'],
])('%s keeps its exact value', (text, value) => {
  expect(show(parseExpression(text))).toBe(value);
});

it('each node has its position in the text', () => {
  const text = ' sum( Sales ) / "Order Count"';
  const tree = parseExpression(text);
  expect(text.slice(tree.start, tree.end)).toBe('sum( Sales ) / "Order Count"');
  const operands = tree.kind === 'operation' ? tree.operands : [];
  expect(operands.map(({ start, end }) => text.slice(start, end))).toEqual([
    'sum( Sales )',
    '"Order Count"',
  ]);
});

it.each(['Sales', 'Order Date', 'a"b', 'case', 'größe', '1st', "it's", 'a.b', 'Sum', ' a'])(
  'the name %j is written so that it reads as itself',
  (name) => {
    expect(parseExpression(writeName(name))).toMatchObject({ kind: 'name', name });
  },
);
