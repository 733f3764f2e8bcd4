import { spawnSync } from 'node:child_process';
import path from 'node:path';

import { buildFirst } from 'test-support/build';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { runForResult } from '../support/command-line.ts';
import { commandMistakes } from '../support/misconfigured/commands.ts';
import { settingMistakes } from '../support/misconfigured/settings.ts';
import { openStage, runMisconfigured, secret, type Stage } from '../support/misconfigured/stage.ts';
import { startMistakes } from '../support/misconfigured/start.ts';
import { warnedMistakes } from '../support/misconfigured/warnings.ts';
import { startPortalProcess } from '../support/processes.ts';

buildFirst();

const all = [...settingMistakes, ...startMistakes, ...warnedMistakes, ...commandMistakes];

let stage: Stage;
let close: () => Promise<void>;
const messages = new Map<string, string>();
beforeAll(async () => {
  ({ stage, close } = await openStage());
  const database = { databaseUrl: stage.url('portal'), dataDir: path.join(stage.folder, 'data') };
  const backup = path.join(stage.folder, 'portal.tar');
  for (const args of [
    ['organizations', 'create', 'acme', '--name', 'Acme'],
    ['organizations', 'set-addresses', 'acme', 'https://acme.portal.example.com'],
    ['backup', backup],
  ])
    await runForResult(database, args);
});
afterAll(async () => {
  spawnSync('umount', [path.join(stage.folder, 'small')]);
  await close();
});

it.for(all)('$mistake has a message that says what to do', async (each, { skip }) => {
  skip(each.skipped?.if === true, `skipped ${each.skipped?.because}`);
  const { code, output, message } = await runMisconfigured(each, stage);
  expect([code, message]).toEqual([each.code, expect.stringContaining(each.says)]);
  expect(output).not.toContain(secret);
  expect(output).not.toMatch(/\n {4}at |"stack"/);
  messages.set(each.mistake, message);
});

it('a second portal on an embedded database has a message that names the first', async () => {
  const place = { dataDir: path.join(stage.folder, 'embedded'), databaseUrl: undefined };
  const first = await startPortalProcess(place);
  const each = {
    mistake: 'a second portal on an embedded database',
    env: { PORTAL_DATA_DIR: place.dataDir },
    code: 4,
    says: `in use by process ${first.pid}`,
  };
  const { code, message } = await runMisconfigured(each, stage);
  await first.stop();
  expect([code, message]).toEqual([each.code, expect.stringContaining(each.says)]);
  messages.set(each.mistake, message);
});

it('no two mistakes have the same message, even without what is in parentheses', () => {
  const texts = [...messages.values()].map((message) =>
    message.replaceAll(/\([^)]*\)/g, '').replaceAll(/\/[\w./-]+|\d+/g, '…'),
  );
  expect(texts.length).toBeGreaterThanOrEqual(40);
  expect(texts.filter((text, index) => texts.indexOf(text) < index)).toEqual([]);
});
