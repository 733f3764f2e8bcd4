import { chooseRepetitions } from './repetitions.ts';

/**
 * Returns a function that chooses texts. In `npm test`, each call returns another third of the texts; in
 * `npm run test:deep`, all.
 */
export function createChooser(texts: readonly string[]): () => string[] {
  const stride = chooseRepetitions(3, 1);
  let turn = 0;
  return () => {
    turn += 1;
    return texts.filter((_, index) => (index + turn) % stride === 0);
  };
}

/** SQL that takes effect if a value is put into a statement instead of a parameter. */
export const injections = [
  `'`,
  `"`,
  `';`,
  `' OR '1'='1`,
  `' OR 1=1 --`,
  `x'); DELETE FROM users; --`,
  `'; DROP TABLE users; --`,
  `'; TRUNCATE audit_entries CASCADE; --`,
  `' UNION SELECT key_hash FROM api_keys --`,
  `' || (SELECT name FROM organizations LIMIT 1) || '`,
  `'; SELECT pg_sleep(5); --`,
  `$$; DELETE FROM users; $$`,
  `\\'; DELETE FROM users; --`,
  `$1`,
  `{"$ne": null}`,
  `%' OR name LIKE '%`,
  `1; UPDATE users SET role = 1`,
  `(SELECT 1)`,
  `CAST(1 AS text)`,
  `\u02bc OR 1=1`,
  `＇ OR 1=1`,
];

/** Values of the wrong type in place of `value`. */
export const wrongShapes = (value: unknown): unknown[] => [
  {},
  { $ne: null },
  { toString: 'x' },
  { length: 1, 0: value },
  [],
  [value],
  [[value]],
  null,
  Number.MAX_SAFE_INTEGER,
  -1,
  1.5,
  'x'.repeat(5_000),
];

/** Texts that a text field must accept without harm or reject. */
export const strangeTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '%',
  '_',
  '\\',
  '\u{1F600}',
  '\ud800',
  '\u202e',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  '\r\nX-Injected: 1',
];
