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

/** Whether a file has a test of this name, alone or after the subject of its `describe`. */
const hasTest = (source, name) =>
  [...source.matchAll(/describe\('([^']+)'/g)]
    .flatMap(([, subject]) =>
      name.startsWith(`${subject} `) ? name.slice(subject.length + 1) : [],
    )
    .concat(name)
    .some((each) => source.includes(`'${each}'`));

it.each(proofs)('the test that shows "%s" exists', (_feature, file, name) => {
  const source = fs.readFileSync(new URL(file, repository), 'utf8');
  expect(hasTest(source, name)).toBe(true);
});

it('each feature that the portal has in full or in part names a test', () => {
  const present = readRows(table).filter((cells) => cells.at(-1) !== 'no');
  expect(proofs.map(([feature]) => feature)).toEqual(present.map(([feature]) => feature));
});
