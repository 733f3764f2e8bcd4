import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { openDatabase, type OpenDatabase } from '@portal-embed/portal';
import {
  linkDatasets,
  readDemoEnvironment,
  seedDemo,
  writeDemoEnvironment,
  type DemoEnvironment,
} from 'demo-data';

import { printScreen } from './start/screen.ts';
import { isPortFree, startService, waitUntilUp, type Service } from './start/services.ts';

/** A mistake of whoever started the demo: told in one sentence, without a stack. */
class StartError extends Error {}

function readPort(name: string, byDefault: number): number {
  const port = Number(process.env[name] || byDefault);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new StartError(`${name} must be a port number, such as ${byDefault}.`);
}

const services: Service[] = [];

/** Resolves once every service has ended; the first one started, the database's, ends last. */
async function stopAll(): Promise<void> {
  for (const service of services.splice(0).toReversed()) await service.stop();
}

function onUnexpectedEnd(service: Service): void {
  const lastLine = fs.readFileSync(service.logFile, 'utf8').trimEnd().split('\n').at(-1);
  console.error(`\nThe ${service.name} ended by itself: ${lastLine}\nIts log: ${service.logFile}`);
  void stopAll().then(() => process.exit(1));
}

async function openTheDatabase(dataDir: string): Promise<OpenDatabase> {
  const databaseUrl = process.env['PORTAL_DATABASE_URL'] || undefined;
  try {
    return await openDatabase({ databaseUrl, dataDir });
  } catch (error) {
    if (!databaseUrl) throw error;
    throw new StartError(
      `The database of PORTAL_DATABASE_URL cannot be used: ${(error as Error).message}. Check the address and that the server runs.`,
    );
  }
}

async function start(): Promise<void> {
  const startedAt = Date.now();
  const ports = {
    PORTAL_PORT: readPort('PORTAL_PORT', 4000),
    HOST_PORT: readPort('HOST_PORT', 3000),
  };
  const { PORTAL_PORT: portalPort, HOST_PORT: hostPort } = ports;
  if (portalPort === hostPort)
    throw new StartError(`PORTAL_PORT and HOST_PORT are both ${hostPort}. Choose two ports.`);
  for (const [name, port] of Object.entries(ports))
    if (!(await isPortFree(port)))
      throw new StartError(
        `Port ${port} is taken. Choose another one with ${name}, for example: ${name}=${(port % 60_000) + 100} npm start`,
      );
  const dataDir = path.resolve(process.env['PORTAL_DATA_DIR'] || '.portal');
  const addresses = {
    portalUrl: `http://localhost:${portalPort}`,
    portal: {
      acme: `http://acme.portal.localhost:${portalPort}`,
      globex: `http://globex.portal.localhost:${portalPort}`,
    },
    host: {
      acme: `http://acme.localhost:${hostPort}`,
      globex: `http://globex.localhost:${hostPort}`,
    },
  };

  const environmentFile = path.join(dataDir, 'demo.env');
  const database = await openTheDatabase(dataDir);
  const known = await readDemoEnvironment(environmentFile);
  let environment: DemoEnvironment;
  try {
    // Only now: while another process held the database, the data directory was its own.
    await linkDatasets(path.join(dataDir, 'datasets'));
    environment = await seedDemo(database.db, addresses, known);
  } finally {
    await database.close();
  }
  await writeDemoEnvironment(environmentFile, environment);

  const portal = path.dirname(
    fileURLToPath(import.meta.resolve('@portal-embed/portal/package.json')),
  );
  services.push(
    startService({
      name: 'portal',
      script: path.join(portal, 'bin/portal.js'),
      args: ['serve'],
      logFile: path.join(dataDir, 'portal.log'),
      env: {
        PORTAL_PORT: String(portalPort),
        PORTAL_DATA_DIR: dataDir,
        PORTAL_PUBLIC_URL: addresses.portalUrl,
        // There is no load balancer to notify.
        PORTAL_DRAIN_NOTICE: '0',
      },
      onUnexpectedEnd,
    }),
    startService({
      name: 'host application',
      script: fileURLToPath(new URL('server.js', import.meta.url)),
      logFile: path.join(dataDir, 'host.log'),
      env: {
        ...environment,
        HOST_PORT: String(hostPort),
        HOST_SESSION_SECRET: randomBytes(32).toString('base64url'),
      },
      onUnexpectedEnd,
    }),
  );
  await waitUntilUp(`http://127.0.0.1:${portalPort}/readyz`);
  await waitUntilUp(`http://127.0.0.1:${hostPort}/livez`);
  printScreen({ addresses, environmentFile, dataDir, seconds: (Date.now() - startedAt) / 1_000 });
}

function stop(): void {
  console.log('\nStopping …');
  void stopAll().then(() => process.exit(0));
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);

try {
  await start();
} catch (error) {
  const { name, message, stack } = error as Error;
  const isExplained = error instanceof StartError || name === 'LockedError';
  console.error(isExplained ? message : stack);
  await stopAll();
  process.exit(1);
}
