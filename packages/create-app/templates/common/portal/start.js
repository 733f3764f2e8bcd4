/** `npm run portal`: a demo portal. The first start creates it and writes `.env`. */
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';

const saved = fs.existsSync('.env') ? parseEnv(fs.readFileSync('.env', 'utf8')) : {};
const { PORT = '3000', PORTAL_PORT = '4000' } = { ...saved, ...process.env };
const address = `http://acme.portal.localhost:${PORTAL_PORT}`;
const program = fileURLToPath(
  new URL('bin/portal.js', import.meta.resolve('@portal-embed/portal/package.json')),
);
const env = { ...process.env, PORTAL_PORT, PORTAL_DATA_DIR: '.portal', PORTAL_DRAIN_NOTICE: '0' };

/** Runs a command of the portal, and returns its JSON. */
const run = (...args) =>
  JSON.parse(execFileSync(process.execPath, [program, ...args, '--json'], { env }) || 'null');

function refuse(message) {
  console.error(message);
  process.exit(1);
}

/** The addresses in `.env` and in the portal contain the ports. */
function requireSavedPorts() {
  if (!saved.PORTAL_PORT) return;
  for (const [name, port] of Object.entries({ PORT, PORTAL_PORT }))
    if (port !== saved[name])
      refuse(
        `.env has ${name}=${saved[name]}, but ${name} is set to ${port}. To change the ports, delete .env and run npm run portal again.`,
      );
}

/** Another portal at the port would answer the requests for this one. */
async function requireFreePort() {
  const socket = connect({ port: Number(PORTAL_PORT), host: '127.0.0.1' });
  const isFree = await once(socket, 'connect').then(
    () => false,
    () => true,
  );
  socket.destroy();
  if (!isFree)
    refuse(
      `Port ${PORTAL_PORT} is taken. Stop the other portal (for example \`npm start\`), or set PORTAL_PORT.`,
    );
}

async function waitForPortal() {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${PORTAL_PORT}/livez`).catch(() => undefined);
    if (answer?.ok) return;
    await delay(100);
  }
}

const findOrganization = () => run('organizations', 'list').find(({ slug }) => slug === 'acme');

/** Creates an organization with a report, two users with a role each, and a key. */
function createDemo() {
  const acme = ['-o', 'acme'];
  run('organizations', 'create', 'acme', '--name', 'Acme');
  run('content', 'apply', 'portal/content', ...acme);
  const [report] = run('reports', 'list', ...acme).data;
  for (const role of ['West', 'East']) {
    const email = `${role.toLowerCase()}@acme.example`;
    run('users', 'create', email, '--name', role, ...acme);
    run('users', 'link-reports', email, report.id, ...acme);
    run('users', 'update', email, '--landing-page', report.id, ...acme);
    run('roles', 'link-users', 'sales', role, email, ...acme);
  }
}

function writeEnvironment(organization) {
  const acme = ['-o', 'acme'];
  run('organizations', 'set-addresses', 'acme', address);
  run('organizations', 'set-embed-origins', 'acme', `http://localhost:${PORT}`);
  const { key } = run(
    'api-keys',
    'create',
    '--name',
    'App',
    '--permission',
    'identity:mint',
    ...acme,
  );
  const lines = {
    REPORTS_URL: `http://127.0.0.1:${PORTAL_PORT}`,
    REPORTS_API_KEY: key,
    REPORTS_ORGANIZATION_ID: organization.id,
    REPORTS_PORTAL_URL: address,
    SESSION_SECRET: randomBytes(32).toString('hex'),
    PORT,
    PORTAL_PORT,
  };
  const text = Object.entries(lines).map(([name, value]) => `${name}=${value}\n`);
  fs.writeFileSync('.env', text.join(''), { mode: 0o600 });
}

requireSavedPorts();
await requireFreePort();
const isNew = !fs.existsSync('.portal');
let isReady = false;
if (isNew) console.log('Creating the demo portal, which takes up to a minute …');
const server = spawn(process.execPath, [program, 'serve'], { env, stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));
server.on('exit', (code) => {
  // The next start would not complete half a demo.
  if (isNew && !isReady) fs.rmSync('.portal', { recursive: true, force: true });
  process.exit(code || process.exitCode);
});
try {
  await waitForPortal();
  if (!findOrganization()) createDemo();
  const organization = findOrganization();
  if (!fs.existsSync('.env')) {
    writeEnvironment(organization);
    console.log('Wrote .env for this portal.');
  } else if (saved.REPORTS_ORGANIZATION_ID !== organization.id)
    console.log(
      'Kept the existing .env, which is for another portal. To use this portal, delete .env and run npm run portal again.',
    );
  isReady = true;
  console.log(`The demo portal runs at ${address}. Start the application with npm run dev.`);
} catch (error) {
  console.error(`The demo portal was not started: ${error.message}`);
  if (!isNew) console.error('Delete the folder .portal, then run npm run portal again.');
  process.exitCode = 1;
  server.kill();
}
