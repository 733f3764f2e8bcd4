import fs from 'node:fs';

import { expect, it } from 'vitest';

const repository = new URL('../../', import.meta.url);
const text = fs.readFileSync(new URL('comparison.md', import.meta.url), 'utf8');
const [table, , tests] = text.split(/^## /m);
const readRows = (part) =>
  part
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .slice(2);
const proofs = readRows(tests).map(([feature, file, name]) => [
  feature,
  file.replaceAll('`', ''),
  name,
]);

it.each(proofs)('the test that shows "%s" exists', (_feature, file, name) => {
  expect(fs.readFileSync(new URL(file, repository), 'utf8')).toContain(`'${name}'`);
});

it('each feature that the portal has in full or in part names a test', () => {
  const present = readRows(table).filter((cells) => cells.at(-1) !== 'no');
  expect(proofs.map(([feature]) => feature)).toEqual(present.map(([feature]) => feature));
});
