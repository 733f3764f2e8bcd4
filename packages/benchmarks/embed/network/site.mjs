/** A portal with the demo's data and a host application, each behind a line. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { findFreePort, send } from 'test-support';

import { openLine } from './line.mjs';

export const rttMs = 50;

/** Sees all rows, so all reports of the demo have data. */
const userEmail = 'all@acme.example';

async function waitUntilReady(url) {
  for (const deadline = Date.now() + 60_000; ;) {
    const response = await fetch(url).catch(() => {});
    if (response?.ok) return;
    if (Date.now() > deadline) throw new Error(`Nothing answers at ${url}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Starts the portal and the component of the repository in the folder `root`. */
export async function startSite(root) {
  const load = (file) => import(pathToFileURL(path.join(root, file)).href);
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-network-'));
  const [portalPort, hostPort, portalLinePort, hostLinePort, apiLinePort] = await Promise.all(
    Array.from({ length: 5 }, findFreePort),
  );
  const hostUrl = `http://acme.localhost:${hostLinePort}`;
  const portalUrl = `http://acme.portal.localhost:${portalLinePort}`;
  const publicUrl = `http://localhost:${portalLinePort}`;
  const lines = {
    portal: await openLine({ port: portalLinePort, targetPort: portalPort, rttMs }),
    host: await openLine({ port: hostLinePort, targetPort: hostPort, rttMs }),
    // The host application's own connections to the portal. They stay open, as on a busy server.
    api: await openLine({ port: apiLinePort, targetPort: portalPort, rttMs }),
  };

  const { openDatabase } = await load('packages/portal/dist/index.js');
  const { linkDatasets, seedDemo } = await load('examples/demo-data/dist/index.js');
  const database = await openDatabase({ dataDir });
  // The compared version needs its files beside the definitions.
  await linkDatasets?.(path.join(dataDir, 'datasets'));
  const seeded = await seedDemo(
    database.db,
    {
      portalUrl: publicUrl,
      portal: { acme: portalUrl, globex: `http://globex.portal.localhost:${portalLinePort}` },
      host: { acme: hostUrl, globex: `http://globex.localhost:${hostLinePort}` },
    },
    {},
    path.join(dataDir, 'datasets'),
  );
  await database.close();

  const children = [];
  const start = (script, args, env) => {
    const child = fork(script, args, {
      env: { ...process.env, NODE_ENV: 'production', ...env },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    children.push(child);
    return child;
  };
  start(path.join(root, 'packages/portal/bin/portal.js'), ['serve'], {
    PORTAL_PORT: String(portalPort),
    PORTAL_DATA_DIR: dataDir,
    PORTAL_DATABASE_URL: '',
    PORTAL_PUBLIC_URL: publicUrl,
    PORTAL_VIEWER_RATE_LIMIT: '0',
    PORTAL_DRAIN_NOTICE: '0',
  });
  await waitUntilReady(`http://127.0.0.1:${portalPort}/readyz`);
  const tenant = {
    apiUrl: `http://127.0.0.1:${apiLinePort}`,
    apiKey: seeded.ACME_API_KEY,
    organizationId: seeded.ACME_ORGANIZATION_ID,
    portalUrl,
  };
  const tenants = { 'acme.localhost': tenant };
  const host = start(new URL('host.mjs', import.meta.url).pathname, [], {
    BENCHMARK_HOST: JSON.stringify({ root, port: hostPort, tenants, userEmail }),
  });
  await once(host, 'message');

  const callApi = async (method, resource, json) => {
    const answer = await send(`http://127.0.0.1:${portalPort}/api/${resource}`, {
      method,
      headers: { 'X-API-Key': seeded.ACME_API_KEY },
      ...(json && { json }),
    });
    if (answer.status >= 300) throw new Error(answer.body);
    return answer;
  };

  return {
    hostUrl,
    portalUrl,
    salesId: seeded.SALES_REPORT_ID,
    flightsId: seeded.FLIGHTS_REPORT_ID,
    /** Adds a report of the user and returns its id. */
    async addReport(name, definition) {
      await callApi('PUT', 'content', {
        files: { 'reports/added.yaml': `name: ${name}\n${definition}` },
      });
      const { data } = (
        await callApi('GET', `report?reportName=${encodeURIComponent(name)}`)
      ).json();
      await callApi('PUT', 'user/link-reports', { userEmail, reports: [data[0].id] });
      return data[0].id;
    },
    async setRate(mbits) {
      for (const line of [lines.host, lines.portal]) await line.setRate(mbits);
    },
    async dropConnections() {
      for (const line of [lines.host, lines.portal]) await line.drop();
    },
    /** Mints a URL without a browser and its line. */
    async mint(request) {
      const answer = await send(`http://acme.localhost:${hostPort}/portal-embed/url`, {
        method: 'POST',
        json: request,
      });
      if (answer.status !== 200) throw new Error(answer.body);
      return answer.json().embedUrl;
    },
    async stop() {
      for (const child of children) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      for (const line of Object.values(lines)) await line.close();
      fs.rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
