import fs from 'node:fs';

import { expect, it } from 'vitest';

import {
  hostFaults,
  hostMisses,
  portalFaults,
  portalMisses,
} from '../test-support/src/conformance-faults/index.ts';

const guide = fs.readFileSync(new URL('guides/conformance.md', import.meta.url), 'utf8');
const [, section = ''] = guide.split('\n## What it cannot find\n');

it('the guide says how many planted faults the kit finds, and which it misses', () => {
  const kits = [
    ['portal', portalFaults, portalMisses],
    ['host', hostFaults, hostMisses],
  ];
  const rows = kits.flatMap(([kind, faults, misses]) =>
    faults.filter(({ id }) => id in misses).map(({ id, behavior }) => [kind, behavior, misses[id]]),
  );
  const [portal, host] = kits.map(([, faults, misses]) => {
    const missed = Object.keys(misses).length;
    return { all: faults.length, found: faults.length - missed };
  });
  expect(section).toContain(
    `finds ${portal.found} of ${portal.all} faults of a portal and ${host.found} of ${host.all} of a host endpoint`,
  );
  const table = section.split('\n## ')[0].match(/^\|.*\|$/gm) ?? [];
  const cells = table.slice(2).map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
  expect(cells).toEqual(rows);
});
