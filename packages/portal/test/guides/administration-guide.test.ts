import fs from 'node:fs';

import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';

import { openDatabase } from '../../src/db/connection/open.ts';
import { runInProcess } from '../support/command-line.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startScriptedProvider } from '../support/scripted-provider.ts';

const guide = fs.readFileSync(
  new URL('../../../docs/guides/administration.md', import.meta.url),
  'utf8',
);

/** Stores a sign-in with the identity provider, which the guide requires. */
async function noteSignIn(database: TestDatabase): Promise<void> {
  const { db, close } = await openDatabase(database);
  await sql`UPDATE organization_oidc SET signed_in_at = now()`.execute(db);
  await close();
}

it('the commands of the administration guide work in their order', async () => {
  const database = await createTestDatabase();
  onTestFinished(database.remove);
  const { issuer } = await startScriptedProvider();
  const commands = [...guide.matchAll(/^```bash\n([^]*?)^```/gm)]
    .flatMap(([, block]) => block!.trim().split('\n'))
    .map((line) => line.replace('https://login.acme.example', issuer))
    .map((line) => [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word));
  expect(commands).toHaveLength(5);
  for (const [, ...args] of commands) {
    if (args.includes('--no-passwords')) await noteSignIn(database);
    expect(await runInProcess(database, args)).toMatchObject({ code: 0, stderr: '' });
  }
});
