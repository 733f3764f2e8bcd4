import path from 'node:path';

import { openDatabase, type OpenDatabase } from '@portal-embed/portal';
import {
  inviteAdministrator,
  readDemoEnvironment,
  seedDemo,
  writeDemoEnvironment,
  type DemoAddresses,
  type DemoEnvironment,
} from 'demo-data';

import { isPortFree } from './services.ts';

/** A mistake of the person who starts the demo, explained in one sentence, without a stack. */
export class StartError extends Error {}

/** A seeded database and what its services need to know. */
export interface Demo {
  portalPort: number;
  hostPort: number;
  dataDir: string;
  addresses: DemoAddresses;
  environment: DemoEnvironment;
  /** Link of Acme's administrator, for one use. */
  invitation: string;
  environmentFile: string;
}

function readPort(name: string, byDefault: number): number {
  const port = Number(process.env[name] || byDefault);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new StartError(`${name} must be a port number, such as ${byDefault}.`);
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

/**
 * Reads ports and data directory from the environment, fills the database and writes `demo.env`.
 *
 * @param command what the user typed, for messages
 * @throws `StartError` if a setting is wrong
 */
export async function prepareDemo(command: string): Promise<Demo> {
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
        `Port ${port} is taken. Choose another one with ${name}, for example: ${name}=${(port % 60_000) + 100} ${command}`,
      );
  const dataDir = path.resolve(process.env['PORTAL_DATA_DIR'] || '.portal');
  const addresses = {
    portalUrl: `http://localhost:${portalPort}`,
    adminUrl: `http://admin.localhost:${portalPort}`,
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
  let invitation: string;
  try {
    const datasetFolder = path.join(dataDir, 'datasets');
    environment = await seedDemo(database.db, addresses, known, datasetFolder);
    invitation = await inviteAdministrator(database.db, addresses);
  } finally {
    await database.close();
  }
  await writeDemoEnvironment(environmentFile, environment);
  return { portalPort, hostPort, dataDir, addresses, environment, environmentFile, invitation };
}
