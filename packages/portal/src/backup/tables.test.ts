import fs from 'node:fs';

import { expect, it } from 'vitest';

import { keptTables, leftOutTables } from './tables.ts';

it('each table of the schema is either in a backup or left out', () => {
  const schema = fs.readFileSync(new URL('../../schema.sql', import.meta.url), 'utf8');
  const tables = [...schema.matchAll(/^CREATE (?:UNLOGGED )?TABLE public\.(\w+)/gm)].map(
    ([, name]) => name!,
  );
  expect([...keptTables, ...leftOutTables].toSorted()).toEqual(tables.toSorted());
});
