import { DataFileError } from './data-file-error.ts';

const maxMatches = 1_000;

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

/** Whether a name matches a pattern, in which `*` and `?` do not match `/`. */
export function matchesPattern(name: string, pattern: string): boolean {
  const [names, patterns] = [name.split('/'), pattern.split('/')];
  return (
    names.length === patterns.length &&
    names.every(
      (part, index) => !part.startsWith('.') && compilePattern(patterns[index]!).test(part),
    )
  );
}

/**
 * Returns the names that match a pattern.
 *
 * @throws `DataFileError` if they are too many
 */
export function requireFew(names: string[], pattern: string): string[] {
  if (names.length <= maxMatches) return names;
  throw new DataFileError(`more than ${maxMatches} files match ${pattern}; combine some of them`);
}
