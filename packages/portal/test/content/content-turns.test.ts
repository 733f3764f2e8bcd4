import fs from 'node:fs';
import path from 'node:path';

import type { Answer } from 'test-support';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';

import { writeFiles } from '../support/content-files.ts';
import type { TestOrganization } from '../support/organization.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';

// Many processes start.
vi.setConfig({ testTimeout: 120_000 });

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

/** Writes a data file of its own and applies a dataset of it. */
function put(organization: TestOrganization, name: string, rows: number): Promise<Answer> {
  writeFiles(path.join(portal.datasetFolder, organization.id), {
    [`${name}.csv`]: `${name}\n${'1\n'.repeat(rows)}`,
  });
  const text = `name: Data\nsource: { file: ${name}.csv }\nrowAccess: everyone\n`;
  return portal.api('PUT', '/api/content', {
    key: organization.apiKey,
    json: { files: { [`datasets/${name}.yaml`]: text } },
  });
}

/** Counts the processes that convert data files. */
const countConversions = (): number =>
  fs
    .readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .filter((pid) => {
      try {
        return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('file-process');
      } catch {
        return false;
      }
    }).length;

function watchConversions(): { most: () => number } {
  let most = 0;
  const timer = setInterval(() => (most = Math.max(most, countConversions())), 5);
  onTestFinished(() => clearInterval(timer));
  return { most: () => most };
}

it('an organization converts one data file at a time, and does not hold up another one', async () => {
  const { acme, globex } = portal;
  const { most } = watchConversions();
  let finished = 0;
  // Together, they take far longer than the file of the other organization.
  const answers = Array.from({ length: 16 }, async (_, index) => {
    const { status } = await put(acme, `file-${index}`, 20_000);
    finished += 1;
    return status;
  });
  await expect.poll(() => most()).toBe(1);
  expect((await put(globex, 'own', 1)).status).toBe(200);
  expect(finished).toBeLessThan(answers.length);
  expect(await Promise.all(answers)).toEqual(answers.map(() => 200));
  expect(most()).toBe(2);
});

it('equal data files are converted once, and too many waiting requests are refused', async () => {
  const { acme } = portal;
  const text = 'name: Data\nsource: { file: large.csv }\nrowAccess: everyone\n';
  // Converted for longer than the other requests take to arrive.
  writeFiles(path.join(portal.datasetFolder, acme.id), {
    'large.csv': `x\n${'1\n'.repeat(3_000_000)}`,
  });
  const files = { 'datasets/large.yaml': text };
  const answers = await Promise.all(
    Array.from({ length: 25 }, () =>
      portal.api('PUT', '/api/content', { json: { files, dryRun: true } }),
    ),
  );
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused).toHaveLength(4);
  for (const answer of refused) {
    expect([answer.status, answer.json().code]).toEqual([503, 'overloaded']);
    expect(answer.headers['retry-after']).toBe('60');
  }
});
