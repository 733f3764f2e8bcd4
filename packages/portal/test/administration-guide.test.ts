import fs from 'node:fs';

import { expect, it, onTestFinished } from 'vitest';

import { runInProcess } from './support/command-line.ts';
import { createTestDatabase } from './support/database.ts';

const guide = fs.readFileSync(
  new URL('../../docs/guides/administration.md', import.meta.url),
  'utf8',
);

it('the commands of the administration guide work in their order', async () => {
  const database = await createTestDatabase();
  onTestFinished(database.remove);
  const commands = [...guide.matchAll(/^```bash\n([^]*?)^```/gm)]
    .flatMap(([, block]) => block!.trim().split('\n'))
    .map((line) => [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word));
  expect(commands).toHaveLength(5);
  for (const [, ...args] of commands)
    expect(await runInProcess(database, args)).toMatchObject({ code: 0, stderr: '' });
});
