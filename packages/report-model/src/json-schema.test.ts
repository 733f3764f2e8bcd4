import { expect, it } from 'vitest';
import { z } from 'zod';

import { datasetSchema, reportSchema } from './index.ts';

// After an intended change: npm run vitest -- run packages/report-model/src/json-schema.test.ts -u
it.each([
  ['dataset', datasetSchema],
  ['report', reportSchema],
])('schemas/%s.schema.json is current', async (name, schema) => {
  const json = z.toJSONSchema(schema, { io: 'input' });
  const text = `${JSON.stringify({ title: name, ...json }, null, 2)}\n`;
  await expect(text).toMatchFileSnapshot(`../schemas/${name}.schema.json`);
});
