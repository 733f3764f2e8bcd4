export { parseExpression } from './parse-expression.ts';
export { writeName } from './tokens.ts';
