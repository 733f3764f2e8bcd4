import { describe, expect, it } from 'vitest';

import type { Options } from '../test/entry.ts';
import { acme } from '../test/host-app.ts';
import { portal, setStage, start } from '../test/stage.ts';
import { cachedTenants } from './index.ts';
import type { Tenant } from './index.ts';

setStage();

const named = (hostName: string): Tenant => {
  const [name] = hostName.split('.');
  const portalUrl = `https://${name}.portal.example`;
  return acme(portal, { apiKey: `pk_${name}`, portalUrl });
};
const lastKey = () => portal.received.at(-1)!.headers['x-api-key'];

describe('two tenants never share a connection or an answer, found by', () => {
  it.each<[string, () => Options['tenants']]>([
    ['a function', () => (_, hostName) => named(hostName)],
    ['a cached look-up', () => cachedTenants(async (hostName) => named(hostName))],
    [
      'a table',
      () =>
        Object.fromEntries(
          ['acme.localhost', 'globex.localhost'].map((each) => [each, named(each)]),
        ),
    ],
  ])('%s', async (_, tenants) => {
    const { mint } = await start({ tenants: tenants() });
    for (const name of ['acme', 'globex', 'acme']) {
      const { json } = await mint({ host: `${name}.localhost` });
      expect(json['embedUrl']).toContain(`https://${name}.portal.example/`);
      expect(lastKey()).toBe(`pk_${name}`);
    }
  });
});

describe('a tenant', () => {
  it('with a changed key uses the new key at once', async () => {
    let apiKey = 'pk_old';
    const { mint } = await start({ tenants: () => acme(portal, { apiKey }) });
    await mint();
    expect(lastKey()).toBe('pk_old');
    apiKey = 'pk_new';
    await mint();
    expect(lastKey()).toBe('pk_new');
  });

  it('with a misspelled field is refused even if the rest is known', async () => {
    let extra = {};
    const { mint } = await start({ tenants: () => ({ ...acme(portal), ...extra }) });
    expect((await mint()).status).toBe(200);
    extra = { alowedOrigins: [] };
    expect((await mint()).status).toBe(503);
  });
});

describe('a tenant that is changed after it was returned stays what it was', () => {
  const change = (row: Tenant) => Object.assign(row, named('globex.localhost'));

  it('for the request', async () => {
    const row = named('acme.localhost');
    const user = async () => {
      change(row);
      return { email: 'west@acme.example' };
    };
    const { mint } = await start({ tenants: () => row, user });
    expect((await mint()).json['embedUrl']).toContain('https://acme.portal.example/');
  });

  it('in a table', async () => {
    const row = named('acme.localhost');
    const { mint } = await start({ tenants: { 'acme.localhost': row } });
    change(row);
    expect((await mint()).json['embedUrl']).toContain('https://acme.portal.example/');
  });

  it('in a cache', async () => {
    // Some database drivers reuse one object for every row.
    const row = acme(portal);
    const tenants = cachedTenants(async (hostName) => Object.assign(row, named(hostName)));
    const { mint } = await start({ tenants });
    for (const name of ['acme', 'globex', 'acme']) {
      const { json } = await mint({ host: `${name}.localhost` });
      expect(json['embedUrl']).toContain(`https://${name}.portal.example/`);
      expect(lastKey()).toBe(`pk_${name}`);
    }
  });
});
