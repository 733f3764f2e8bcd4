import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';

import {
  endpointErrors,
  endpoints,
  errorTable,
  type Endpoint,
  type ErrorCode,
} from '@portal-embed/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { writeFiles } from '../support/content-files.ts';
import { ordersCsv } from '../support/orders.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { mint } from '../support/viewer.ts';

const guide = fs.readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8');
const rows: [string, Endpoint][] = Object.entries(endpoints);

const exampleBlock = /^```bash\n(.*?)\n```\n\n```(?:json|text)\n(.*?)\n```$/gms;

/** Each command of the guide with the response below it. */
const examples = [...guide.matchAll(exampleBlock)].map(([, command, answer]) => ({
  command: command!,
  answer: answer!,
}));

/** Replaces values that differ between portals: IDs, times, tokens and the port. */
const normalize = (text: string): string =>
  text
    .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'ID')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'MOMENT')
    .replace(/token=[\w-]{43}/g, 'token=TOKEN')
    .replace(/localhost:\d+/g, 'localhost:PORT');

/** Sorts lists of IDs and e-mails, whose order is random. */
const read = (text: string): unknown =>
  JSON.parse(normalize(text), (_, value: unknown) =>
    Array.isArray(value) && value.every((each) => typeof each === 'string')
      ? value.toSorted()
      : value,
  );

let portal: TestPortal;
let env: Record<string, string | undefined>;
beforeAll(async () => {
  portal = await startTestPortal();
  writeFiles(path.join(portal.datasetFolder, portal.acme.id), { 'orders.csv': ordersCsv });
  const { acme } = portal;
  env = {
    PATH: process.env['PATH'],
    REPORTS_URL: portal.publicUrl,
    API_KEY: acme.apiKey,
    BASE_URL: acme.address,
    ORGANIZATION_ID: acme.id,
    REPORT_ID: acme.reportId,
    DATASET_ID: acme.datasetId,
    GROUP_ID: acme.groupId,
  };
  await mint(portal, acme, { userEmail: acme.emails.west, reportId: acme.reportId });
});
afterAll(() => portal.close());

/** Creates or deletes the user of an example, so that it also works on a retry. */
async function prepareUser(command: string): Promise<void> {
  const user = { email: 'new@acme.example', name: 'Nia New', role: 3 };
  if (command.includes('-X DELETE')) await portal.api('POST', '/api/user', { json: user });
  if (command.includes('-X POST "$REPORTS_URL/api/user"'))
    await portal.api('DELETE', `/api/user/${user.email}`);
}

/** Runs a command of the guide and returns its output. */
async function run(command: string): Promise<string> {
  await prepareUser(command);
  const script = `set -euo pipefail\n${command}`;
  return (await promisify(execFile)('bash', ['-c', script], { env })).stdout;
}

/** The response as the guide shows it. */
const format = (response: string): string =>
  JSON.stringify(JSON.parse(response), null, 2).replace(/localhost:\d+/g, 'localhost:4000');

describe('the API guide', () => {
  it('shows the response to each command', async () => {
    const responses: string[] = [];
    for (const { command } of examples) responses.push(await run(command));
    const updated = guide.replace(exampleBlock, (block: string, _, answer: string) => {
      const response = responses.shift()!;
      const isSame = isDeepStrictEqual(read(response), read(answer));
      return isSame ? block : block.replace(answer, () => format(response));
    });
    await expect(updated).toMatchFileSnapshot('../../../docs/api.md');
  }, 60_000);

  it('has a response for every command, and every endpoint in the order of the table', () => {
    expect(examples).toHaveLength(guide.match(/^```bash$/gm)!.length);
    const named = [...guide.matchAll(/^`([A-Z]+ \/api\S*)` · `([\w:-]+)`$/gm)];
    expect(named.map(([, call, permission]) => [call, permission])).toEqual(
      rows.map(([, row]) => [`${row.method} ${row.path}`, row.permission]),
    );
  });

  it('lists every error code with its status and title', () => {
    const codes = new Set<ErrorCode>(['not_found', 'method_not_allowed']);
    for (const [, row] of rows) for (const code of endpointErrors(row)) codes.add(code);
    const listed = [...guide.matchAll(/^\| (\d{3}) +\| `(\w+)` +\| (.+?) +\|$/gm)];
    const statusOf = (code: ErrorCode) => errorTable[code].status;
    expect(listed.map(([, status, code, title]) => [Number(status), code, title])).toEqual(
      [...codes]
        .toSorted((a, b) => statusOf(a) - statusOf(b) || (a < b ? -1 : 1))
        .map((code) => [statusOf(code), code, errorTable[code].title]),
    );
  });
});
