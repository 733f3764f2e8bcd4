import { expect, it } from 'vitest';

import { ConfigurationError } from '../../errors.ts';
import { explainMissingRight, requireServer } from './server-check.ts';

/** A server that answers the only query with this row. */
const answerWith = (row: { number: string; role: string; schema: string | null }) =>
  ({ query: async () => ({ rows: [row] }) }) as unknown as Parameters<typeof requireServer>[0];

it.each(['150000', '150015', '170002'])('version %s is new enough', async (number) => {
  const check = requireServer(answerWith({ number, role: 'portal', schema: 'public' }));
  await expect(check).resolves.toBeUndefined();
});

it.each(['140022', '130001', '90624'])('version %s is too old', async (number) => {
  const check = requireServer(answerWith({ number, role: 'portal', schema: 'public' }));
  await expect(check).rejects.toThrow(ConfigurationError);
  await expect(check).rejects.toThrow('the portal needs 15 or later');
});

it('a role that may use no schema is refused with the statement that lets it', async () => {
  const check = requireServer(answerWith({ number: '150000', role: 'runs', schema: null }));
  await expect(check).rejects.toThrow('GRANT USAGE ON SCHEMA public TO "runs"');
});

it('only a missing right is explained', () => {
  const other = new Error('other');
  expect(() => explainMissingRight(other)).toThrow(other);
  const denied = Object.assign(new Error('permission denied'), { code: '42501' });
  expect(() => explainMissingRight(denied)).toThrow('set PORTAL_MIGRATE=off');
});
