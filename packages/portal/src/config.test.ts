import { expect, it } from 'vitest';

import { ConfigurationError, readConfig } from './config.ts';

it('each setting of the report engine has a default and can be set', () => {
  const { engine } = readConfig({});
  expect(engine).toMatchObject({ queries: 4, userQueries: 2, memoryMb: 512 });
  expect(engine.threads).toBeGreaterThanOrEqual(1);
  const set = readConfig({
    PORTAL_ENGINE_QUERIES: '8',
    PORTAL_ENGINE_THREADS: '2',
    PORTAL_ENGINE_MEMORY: '1024',
    PORTAL_USER_QUERIES: '3',
  });
  expect(set.engine).toEqual({ queries: 8, threads: 2, memoryMb: 1024, userQueries: 3 });
});

it.each([
  'PORTAL_ENGINE_QUERIES',
  'PORTAL_ENGINE_THREADS',
  'PORTAL_ENGINE_MEMORY',
  'PORTAL_USER_QUERIES',
])('%s must be a whole number of at least one', (name) => {
  for (const value of ['0', '-1', 'many', '1.5'])
    expect(() => readConfig({ [name]: value })).toThrow(ConfigurationError);
});
