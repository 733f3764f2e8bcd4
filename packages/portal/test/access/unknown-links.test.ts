import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { dumpTables } from '../support/dump.ts';
import { expectProblem } from '../support/http.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

it.each(['link', 'unlink'])(
  'a request to %s names what does not exist, and changes nothing',
  async (change) => {
    const { datasetId, emails, groupId, reportId } = portal.acme;
    const role = { datasetId, role: 'West' };
    const unknown = randomUUID();
    const before = await dumpTables(portal.db);
    for (const [path, json, field] of [
      [
        `user/${change}-reports`,
        { userEmail: emails.west, reports: [reportId, unknown] },
        'reports',
      ],
      [
        `datasets/rls/${change}-users`,
        { ...role, usersEmails: [emails.west, 'nobody@acme.example'] },
        'usersEmails',
      ],
      [`datasets/rls/${change}-groups`, { ...role, groups: [groupId, unknown] }, 'groups'],
    ] as const) {
      const answer = await portal.api('PUT', `/api/${path}`, { json });
      expectProblem(answer, 'unknown_references');
      expect(answer.json().errors).toMatchObject([{ path: `${field}.1` }]);
    }
    expect(await dumpTables(portal.db)).toEqual(before);
  },
);
