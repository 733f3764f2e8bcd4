/**
 * Compiles a file name pattern with `*` and `?`. Each star is an atomic group, because backtracking over
 * many stars takes exponential time.
 */
export function compilePattern(pattern: string): RegExp {
  const [first = '', ...others] = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('?', '.')
    .split('*');
  const last = others.pop();
  const middle = others.map((text, index) => `(?=(.*?${text}))\\${index + 1}`).join('');
  return new RegExp(`^${first}${middle}${last === undefined ? '' : `.*${last}`}$`, 'su');
}
