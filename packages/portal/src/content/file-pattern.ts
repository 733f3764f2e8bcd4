/**
 * Compiles a pattern of `*` and `?` for names. Each star takes the shortest text that fits, in a group
 * that is not tried again, because a pattern of many stars would otherwise take forever.
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
