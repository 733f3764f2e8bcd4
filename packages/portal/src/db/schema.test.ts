import { expect, it } from 'vitest';

import { generateSchema } from '../../dev/schema.ts';

it('schema.sql and the types of the tables are those of the migrations', async () => {
  const { sql, types } = await generateSchema();
  await expect(sql).toMatchFileSnapshot('../../schema.sql');
  await expect(types).toMatchFileSnapshot('schema.ts');
}, 30_000);
