import { ExpressionError } from './error.ts';
import { readTokens, type Token } from './tokens.ts';
import type { Expression, Operator, Span } from './tree.ts';

const maxLevels = 60;

/** Binding powers: a higher one binds its operands first. */
const powers: Partial<Record<string, number>> = {
  or: 1,
  and: 2,
  '=': 4,
  '<>': 4,
  '<': 4,
  '<=': 4,
  '>': 4,
  '>=': 4,
  is: 4,
  in: 4,
  between: 4,
  not: 4,
  '||': 5,
  '+': 6,
  '-': 6,
  '*': 7,
  '/': 7,
  '%': 7,
};
const notPower = 3;
const comparisonPower = 4;
const negationPower = 8;

const isOperator = ({ kind }: Token) => kind === 'symbol' || kind === 'keyword';

const show = ({ kind, source }: Token) =>
  kind === 'end'
    ? 'the expression ends here'
    : `found ${/^["']/.test(source) ? source : `"${source}"`}`;

class Parser {
  readonly #tokens: Token[];
  #position = 0;
  #nesting = 0;
  readonly #levels = new WeakMap<Expression, number>();

  constructor(text: string) {
    this.#tokens = readTokens(text);
  }

  parse(): Expression {
    const expression = this.#parseOperation(0);
    const token = this.#next();
    if (token.kind !== 'end') throw this.#unexpected('an operator', token);
    return expression;
  }

  get #token(): Token {
    return this.#tokens[this.#position] as Token;
  }

  #next(): Token {
    const token = this.#token;
    if (token.kind !== 'end') this.#position += 1;
    return token;
  }

  #is(value: string): boolean {
    return isOperator(this.#token) && this.#token.value === value;
  }

  #take(value: string): boolean {
    const isThere = this.#is(value);
    if (isThere) this.#next();
    return isThere;
  }

  #expect(value: string): Token {
    if (!this.#is(value)) throw this.#unexpected(`"${value}"`, this.#token);
    return this.#next();
  }

  #unexpected(expected: string, token: Token, advice = ''): ExpressionError {
    const before = this.#tokens[this.#tokens.indexOf(token) - 1];
    const isOneName = token.kind === 'name' && before?.kind === 'name';
    const name = isOneName
      ? `; put a name of several words in double quotes: "${before.value} ${token.value}"`
      : '';
    return new ExpressionError(`expected ${expected}, but ${show(token)}${name}${advice}`, token);
  }

  /** A deep tree would overflow the stack here and in engines. */
  #node<Node extends Expression>(node: Node, children: Expression[]): Node {
    const levels = 1 + Math.max(0, ...children.map((child) => this.#levels.get(child) ?? 1));
    if (levels > maxLevels) throw this.#tooDeep(node);
    this.#levels.set(node, levels);
    return node;
  }

  #tooDeep({ start, end }: Span): ExpressionError {
    return new ExpressionError(
      `the expression has more than ${maxLevels} levels; move a part of it into its own field or metric`,
      { start, end },
    );
  }

  #operation(operator: Operator, operands: Expression[], span: Span): Expression {
    const { start, end } = span;
    return this.#node({ kind: 'operation', operator, operands, start, end }, operands);
  }

  #parseOperation(power: number): Expression {
    this.#nesting += 1;
    if (this.#nesting > maxLevels) throw this.#tooDeep(this.#token);
    let left = this.#parsePrefix();
    let compared = false;
    for (;;) {
      const operator = this.#token;
      const operatorPower = isOperator(operator) ? (powers[operator.value] ?? 0) : 0;
      if (operatorPower <= power) break;
      if (operatorPower === comparisonPower) {
        if (compared)
          throw new ExpressionError(
            'comparisons cannot be chained; write 1 < a and a < 5',
            operator,
          );
        compared = true;
      }
      this.#next();
      left = this.#parseInfix(left, operator, operatorPower);
    }
    this.#nesting -= 1;
    return left;
  }

  #parseInfix(left: Expression, operator: Token, power: number): Expression {
    const { start } = left;
    const finish = (name: Operator, operands: Expression[]) =>
      this.#operation(name, operands, { start, end: this.#lastEnd });
    const negateIf = (isNegated: boolean, tested: Expression) =>
      isNegated ? this.#operation('not', [tested], tested) : tested;

    switch (operator.value) {
      case 'and':
      case 'or': {
        const name = operator.value;
        const operands = [left, this.#parseOperation(power)];
        while (this.#take(name)) operands.push(this.#parseOperation(power));
        return finish(name, operands);
      }
      case 'is': {
        const isNegated = this.#take('not');
        this.#expect('null');
        return negateIf(isNegated, finish('is null', [left]));
      }
      case 'not':
        if (this.#take('in')) return negateIf(true, finish('in', [left, ...this.#parseList()]));
        this.#expect('between');
        return negateIf(true, finish('between', [left, ...this.#parseRange()]));
      case 'in':
        return finish('in', [left, ...this.#parseList()]);
      case 'between':
        return finish('between', [left, ...this.#parseRange()]);
      default:
        return finish(operator.value as Operator, [left, this.#parseOperation(power)]);
    }
  }

  get #lastEnd(): number {
    return this.#tokens[this.#position - 1]?.end ?? 0;
  }

  #parseList(): Expression[] {
    this.#expect('(');
    const items = [this.#parseOperation(0)];
    while (this.#take(',')) items.push(this.#parseOperation(0));
    this.#expect(')');
    return items;
  }

  #parseRange(): Expression[] {
    const from = this.#parseOperation(comparisonPower);
    this.#expect('and');
    return [from, this.#parseOperation(comparisonPower)];
  }

  #parsePrefix(): Expression {
    const token = this.#next();
    const { kind, value, start, end } = token;
    switch (kind) {
      case 'text':
      case 'integer':
      case 'decimal':
        return { kind: 'literal', type: kind, value, start, end };
      case 'name':
        return this.#is('(') ? this.#parseCall(token) : { kind: 'name', name: value, start, end };
      case 'symbol':
      case 'keyword':
      case 'end':
      default:
        return this.#parseWord(token);
    }
  }

  #parseWord(token: Token): Expression {
    const { start, end } = token;
    switch (token.value) {
      case 'true':
      case 'false':
        return { kind: 'literal', type: 'boolean', value: token.value, start, end };
      case 'null':
        return { kind: 'literal', type: 'null', value: '', start, end };
      case 'case':
        return this.#parseCase(start);
      case '(': {
        const inner = this.#parseOperation(0);
        this.#expect(')');
        return inner;
      }
      case 'not': {
        const operand = this.#parseOperation(notPower);
        return this.#operation('not', [operand], { start, end: operand.end });
      }
      case '-': {
        const operand = this.#parseOperation(negationPower);
        return this.#operation('negate', [operand], { start, end: operand.end });
      }
      case '+':
        throw new ExpressionError('unexpected plus sign; remove it', token);
      case '*':
        throw new ExpressionError(
          '* needs a number on each side; to count rows, write count()',
          token,
        );
      default:
        throw this.#unexpected(
          'a value',
          token,
          token.kind === 'keyword'
            ? `; to use a field of this name, write "${token.source}" in double quotes`
            : '',
        );
    }
  }

  #parseCall(token: Token): Expression {
    this.#expect('(');
    const items: Expression[] = [];
    if (!this.#is(')')) {
      do items.push(this.#parseOperation(0));
      while (this.#take(','));
    }
    const { end } = this.#expect(')');
    const { start, value } = token;
    return this.#node(
      { kind: 'call', function: value.toLowerCase(), arguments: items, start, end },
      items,
    );
  }

  #parseCase(start: number): Expression {
    const branches: { when: Expression; value: Expression }[] = [];
    if (!this.#is('when'))
      throw this.#unexpected(
        '"when"',
        this.#token,
        "; write: case when Region = 'West' then 1 else 0 end",
      );
    while (this.#take('when')) {
      const when = this.#parseOperation(0);
      this.#expect('then');
      branches.push({ when, value: this.#parseOperation(0) });
    }
    const otherwise = this.#take('else') ? this.#parseOperation(0) : undefined;
    const { end } = this.#expect('end');
    const parts = branches.flatMap(({ when, value }) => [when, value]);
    return this.#node({ kind: 'case', branches, otherwise, start, end }, [
      ...parts,
      ...(otherwise ? [otherwise] : []),
    ]);
  }
}

/** Parses an expression. Throws an `ExpressionError` with the position of the first mistake. */
export const parseExpression = (text: string): Expression => new Parser(text).parse();
