import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

import type { Opened, Reading, ReportPlatform } from '#platform';

/** A report of the platform, as the catalogue stores it. */
export interface LocalReport {
  isSetUp?: boolean;
  canPrint?: boolean;
  canExport?: boolean;
}

/**
 * A product on a port of its own, with a page that shows what a token admits to, and the platform of its
 * reports. A token is accepted until `expire` is called.
 *
 * @param lifeSeconds of a token. It is renewed when less than two minutes are left
 */
export async function startLocalFrames({ lifeSeconds = 900 } = {}) {
  const grants = new Map<string, string>();
  const requests: string[] = [];
  const page = fs.readFileSync(new URL('local-product.html', import.meta.url));
  const server = createServer((req: IncomingMessage, res: ServerResponse) => {
    const { url = '/', headers } = req;
    const grant = grants.get(headers.authorization ?? '');
    if (url === '/') res.setHeader('content-type', 'text/html').end(page);
    else {
      requests.push(url);
      res.writeHead(grant === undefined ? 403 : 200).end(grant);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://product.localhost:${(server.address() as AddressInfo).port}`;

  const opened: { held: boolean; kind: Opened['kind'] }[] = [];
  const openFrame = (
    { reader, report, rows, filters }: Reading,
    held?: { key: string; secondsLeft: number },
  ): Opened => {
    const source = report.source as LocalReport;
    if (source.isSetUp === false)
      return { kind: 'refused', reason: 'not-set-up', detail: 'The report has no page yet.' };
    const roles = rows.access === 'everyone' ? ['everyone'] : rows.roles.map(({ name }) => name);
    if (roles.length === 0)
      return { kind: 'refused', reason: 'no-role', detail: 'The reader has no role.' };
    const dependencies = JSON.stringify([report.id, roles, filters]);
    const key = createHash('sha256').update(dependencies).digest('hex');
    if (held?.key === key && held.secondsLeft > 120) return { kind: 'kept' };
    const token = `token-of-${reader.email[0]!.replace(/@.*/, '')}-${randomUUID()}`;
    grants.set(token, `${reader.email[0]} as ${roles.join(', ')}`);
    return {
      kind: 'frame',
      url: `${origin}/`,
      token,
      expiresAt: new Date(Date.now() + lifeSeconds * 1_000),
      key,
      settings: source,
      unappliedFilters: [],
      filtersAreEnforced: true,
    };
  };
  const platform: ReportPlatform = {
    name: 'local-frame',
    label: 'Local frames',
    reportType: 102,
    authored: false,
    frames: {
      origins: [origin],
      script: fileURLToPath(new URL('local-frame-adapter.mjs', import.meta.url)),
    },
    catalogue: { checkReport: () => [], checkDataset: () => [], checkRole: () => [] },
    open: async (reading, { held }) => {
      const answer = openFrame(reading, held);
      opened.push({ held: held !== undefined, kind: answer.kind });
      return answer;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return { platform, origin, opened, requests, expire: () => grants.clear() };
}

export type LocalFrames = Awaited<ReturnType<typeof startLocalFrames>>;
