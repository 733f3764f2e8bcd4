import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, it } from 'vitest';

import { errorTable } from '../contract/src/errors.ts';
import { databaseLimits } from '../portal/src/db/connection/limits.ts';
import { conversions, limits, queues } from '../portal/src/limits/table.ts';
import {
  conversionTurns,
  defaultWaiting,
  organizationShare,
  sliceTurns,
} from '../report-engine/src/limits/limits.ts';

const page = fs.readFileSync(new URL('guides/limits.md', import.meta.url), 'utf8');

const count = (number) => number.toLocaleString('en');
const quote = (text) => `\`${text}\``;
const toSeconds = (ms) => `${count(ms / 1_000)} s`;
const describeAnswer = ({ code }) => `${errorTable[code].status} ${quote(code)}`;
/** `3 × PORTAL_NAME` → 3 × `PORTAL_NAME` */
const describeSetting = (setting) => setting?.replace(/PORTAL_\w+/, quote) ?? '';
/** With `most`, the number depends on the machine. */
const describeRange = (least, most = least) =>
  least === most ? count(least) : `${count(least)} to ${count(most)}`;
const describePlaces = (places, setting) =>
  setting === undefined ? places : `${places} (${quote(setting)})`;

/** Reads the table below a heading, without its head, as rows of cells. */
function readTable(heading) {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const rows = section.split('\n## ')[0].match(/^\|.*\|$/gm) ?? [];
  return rows.slice(2).map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

const describeLimit = (limit) => {
  const { what, per, isShared, max, windowSeconds, setting, retryAfter } = limit;
  return [
    what,
    per,
    isShared ? 'together' : 'each',
    windowSeconds === undefined ? `${count(max)}` : `${count(max)} in ${count(windowSeconds)} s`,
    describeSetting(setting),
    describeAnswer(limit),
    retryAfter === undefined ? 'until the window ends' : `${count(retryAfter)} s`,
  ];
};

const share = (places) => places && Math.ceil(places * organizationShare);

const describeQueue = (queue) => {
  const { what, concurrency, maxConcurrency, setting, perUser, userSetting, retryAfter } = queue;
  const { perOrganization = share(concurrency) } = queue;
  const { maxWaiting, maxWaitMs } = { ...defaultWaiting, ...queue };
  return [
    what,
    describePlaces(describeRange(concurrency, maxConcurrency), setting),
    describeRange(perOrganization, share(maxConcurrency)),
    describePlaces(count(perUser), userSetting),
    `${count(maxWaiting)}, ${toSeconds(maxWaitMs)}`,
    describeAnswer(queue),
    `${count(retryAfter)} s`,
  ];
};

const describeDeadline = (deadline) => [
  deadline.what,
  toSeconds(deadline.ms),
  describeSetting(deadline.setting),
  describeAnswer(deadline),
  `${count(deadline.retryAfter)} s`,
];

it('the guide lists every limit of requests as the code declares it', () => {
  expect(readTable('Requests')).toEqual(Object.values(limits).map(describeLimit));
});

it('the guide lists every queue as the code declares it', () => {
  const files = { what: 'data files that are converted', ...conversionTurns, ...conversions };
  // An organization's files are converted as if for one user.
  const perOrganization = conversionTurns.perUser;
  const { code, retryAfter } = queues.queries;
  const slices = { what: 'slices of large results', ...sliceTurns, code, retryAfter };
  const all = [...Object.values(queues), slices, { ...files, perOrganization }];
  expect(readTable('Queues')).toEqual(all.map(describeQueue));
});

it('the guide lists every deadline of the database as the code declares it', () => {
  expect(readTable('Deadlines of the database')).toEqual(
    Object.values(databaseLimits).map(describeDeadline),
  );
});

it('the guide names every code that the portal answers with 429 or 503', () => {
  const codes = Object.entries(errorTable).filter(
    ([, { status }]) => status === 429 || status === 503,
  );
  // The command line and the host endpoint have these.
  const elsewhere = new Set(['schema_outdated', 'portal_unavailable']);
  const missing = codes.filter(([code]) => !elsewhere.has(code) && !page.includes(quote(code)));
  expect(missing.map(([code]) => code)).toEqual([]);
});

/** They answer 503 for another reason than a limit; the guide names each. */
const withoutLimit = ['content/content-processes.ts', 'readings/failures.ts'];

it('no error about a limit is made without a declared limit', () => {
  const sources = fileURLToPath(new URL('../portal/src/', import.meta.url));
  const files = fs
    .readdirSync(sources, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) =>
      /new PortalError\(\s*'(rate_limited|overloaded)'/.test(
        fs.readFileSync(path.join(sources, file), 'utf8'),
      ),
    );
  expect(files.toSorted()).toEqual(withoutLimit);
});
