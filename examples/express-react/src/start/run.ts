import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { prepareDemo, StartError } from './demo.ts';
import { printScreen } from './screen.ts';
import { findReason, waitUntilUp, type Service, type ServiceOptions } from './services.ts';

/** The portal and the host application, each as `startService` takes it, except for its program. */
export type DemoServices = Record<
  'portal' | 'host',
  Omit<ServiceOptions, 'script'> & { port: number }
>;

/** Folder of the portal's package. */
export const portalFolder = path.dirname(
  fileURLToPath(import.meta.resolve('@portal-embed/portal/package.json')),
);

const services: Service[] = [];

/** Resolves once every service has ended; the first one started, the database's, ends last. */
async function stopAll(): Promise<void> {
  for (const service of services.splice(0).toReversed()) await service.stop();
}

function onUnexpectedEnd(service: Service): void {
  const reason = findReason(fs.readFileSync(service.logFile, 'utf8'));
  console.error(`\nThe ${service.name} ended by itself: ${reason}\nIts log: ${service.logFile}`);
  void stopAll().then(() => process.exit(1));
}

async function start(
  command: string,
  startServices: (demo: DemoServices) => AsyncIterable<Service> | Iterable<Service>,
): Promise<void> {
  const startedAt = Date.now();
  const { portalPort, hostPort, dataDir, ...demo } = await prepareDemo(command);
  const started = startServices({
    portal: {
      name: 'portal',
      port: portalPort,
      logFile: path.join(dataDir, 'portal.log'),
      env: {
        PORTAL_PORT: String(portalPort),
        PORTAL_DATA_DIR: dataDir,
        PORTAL_PUBLIC_URL: demo.addresses.portalUrl,
        PORTAL_ADMIN_URL: demo.addresses.adminUrl,
        // There is no load balancer to notify.
        PORTAL_DRAIN_NOTICE: '0',
      },
      onUnexpectedEnd,
    },
    host: {
      name: 'host application',
      port: hostPort,
      logFile: path.join(dataDir, 'host.log'),
      env: {
        ...demo.environment,
        HOST_PORT: String(hostPort),
        HOST_SESSION_SECRET: randomBytes(32).toString('base64url'),
      },
      onUnexpectedEnd,
    },
  });
  for await (const service of started) services.push(service);
  await waitUntilUp(`http://127.0.0.1:${portalPort}/readyz`);
  await waitUntilUp(`http://127.0.0.1:${hostPort}/livez`);
  printScreen({ ...demo, dataDir, seconds: (Date.now() - startedAt) / 1_000 });
}

function stop(): void {
  console.log('\nStopping …');
  void stopAll().then(() => process.exit(0));
}

/**
 * Seeds the demo, starts its services, prints where to go, and stops them with this process.
 *
 * @param command what the user typed, for messages
 * @param startServices starts the portal and the host application, the portal first
 */
export async function runDemo(...[command, startServices]: Parameters<typeof start>) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
  try {
    await start(command, startServices);
  } catch (error) {
    const { name, message, stack } = error as Error;
    const isExplained = error instanceof StartError || name === 'LockedError';
    console.error(isExplained ? message : stack);
    await stopAll();
    process.exit(1);
  }
}
