import { expect, it } from 'vitest';

import type { Rule } from './rule.ts';
import { runRules } from './run-rules.ts';
import type { PortalPoint } from './specification.ts';

it('a mistake of a check is reported without secrets, and loses no other result', async () => {
  const rules: Rule<object, PortalPoint>[] = [
    {
      id: 'requests.base',
      covers: ['requests.base'],
      expected: 'a',
      check: () => Promise.reject(new TypeError('s3cret is not iterable')),
    },
    { id: 'requests.json', covers: ['requests.json'], expected: 'b', check: async () => 'JSON' },
  ];
  const run = await runRules(
    rules,
    {},
    {
      write: false,
      skip: [],
      signal: new AbortController().signal,
      redact: (text) => text.replaceAll('s3cret', '[secret]'),
      onResult: () => {},
    },
  );
  expect(run).toMatchObject({
    isComplete: false,
    results: [
      {
        kind: 'skipped',
        got: 'the check itself failed: TypeError: [secret] is not iterable. Report this as a mistake of the kit',
      },
      { kind: 'passed', got: 'JSON' },
    ],
  });
});
