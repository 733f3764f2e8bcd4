import path from 'node:path';

import { send } from 'test-support';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { linkReports } from '../../src/access/report-links.ts';
import { changeSettings } from '../../src/organizations/service.ts';
import { ordersDataset, ordersReport, writeFiles } from '../support/content-files.ts';
import { ordersCsv } from '../support/orders.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { mint, open, startSession, view } from '../support/viewer.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
  writeFiles(path.join(portal.datasetFolder, portal.acme.id), { 'orders.csv': ordersCsv });
});
afterAll(() => portal.close());

const setDefaults = (change: { language?: string; timeZone?: string }) =>
  changeSettings(portal.acme.ctx, {
    name: 'Acme',
    timeZone: 'UTC',
    language: null,
    homeUrl: null,
    unappliedFilters: 'note',
    ...change,
  });

describe('the language of an organization', () => {
  const openWith = async (languages: string) => {
    const url = await mint(portal, portal.acme, { userEmail: portal.acme.emails.west });
    const headers = languages === '' ? {} : { 'accept-language': languages };
    const pages = [
      await open(url, headers),
      await open(url, headers),
      await send(`${portal.acme.address}/embed`, { headers: { ...headers, accept: 'text/html' } }),
    ];
    return new Set(pages.map(({ body }) => /<html lang="([\w-]+)"/.exec(body)?.[1]));
  };

  it('is that of pages, shells and notices for a browser whose languages have no texts', async () => {
    await setDefaults({ language: 'pt-BR' });
    for (const languages of ['ja, fr;q=0.5', '*', ''])
      expect([languages, await openWith(languages)]).toEqual([languages, new Set(['pt'])]);
    expect(await openWith('ja, de;q=0.5')).toEqual(new Set(['de']));
  });

  it('is English without a setting, or without texts in it', async () => {
    await setDefaults({});
    expect(await openWith('ja')).toEqual(new Set(['en']));
    await setDefaults({ language: 'ja' });
    expect(await openWith('ja')).toEqual(new Set(['en']));
  });
});

describe('the time zone of an organization', () => {
  const readZone = async (dataset: string) => {
    const { acme } = portal;
    const files = { 'datasets/orders.yaml': dataset, 'reports/orders.yaml': ordersReport };
    const answer = await portal.api('PUT', '/api/content', { json: { files } });
    const changes = answer.json().changes as { kind: string; id: string }[];
    const { id } = changes.find(({ kind }) => kind === 'report')!;
    await linkReports(acme.ctx, { userEmail: acme.emails.west, reports: [id] });
    const { bearer } = await startSession(portal, acme, { userEmail: acme.emails.west });
    return (await view(acme.address, bearer, id)).json().timeZone as string;
  };

  it('is that of reports whose dataset names none, from the next request on', async () => {
    await setDefaults({});
    expect(await readZone(ordersDataset)).toBe('UTC');
    await setDefaults({ timeZone: 'America/Sao_Paulo' });
    expect(await readZone(ordersDataset)).toBe('America/Sao_Paulo');
    for (const named of ['UTC', 'Europe/Lisbon'])
      expect(await readZone(`${ordersDataset}timeZone: ${named}\n`)).toBe(named);
  });

  it.each(['+01:00', 'SystemV/AST4'])(
    'is not %s, which databases do not know',
    async (timeZone) => {
      await expect(setDefaults({ timeZone })).rejects.toThrow('is not a time zone');
    },
  );
});
