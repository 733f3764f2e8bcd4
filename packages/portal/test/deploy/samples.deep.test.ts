import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';

import { createTemporaryFolder } from 'test-support';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';

import { readConfig } from '../../src/config.ts';
import { createMetrics } from '../../src/http/metrics.ts';

const folder = path.join(import.meta.dirname, '../../deploy');
const read = (name: string) => fs.readFileSync(path.join(folder, name), 'utf8');
const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { encoding: 'utf8', stdio: 'pipe' });

it('systemd accepts the units', () => {
  const temporary = createTemporaryFolder('portal-units-');
  onTestFinished(() => fs.rmSync(temporary, { recursive: true }));
  const names = ['portal.service', 'portal-backup.service', 'portal-backup.timer'];
  const files = names.map((name) => path.join(temporary, name));
  for (const name of names) {
    // Systemd looks for the program and the user.
    const unit = read(name)
      .replace('/opt/portal/current/node_modules/.bin/portal', process.execPath)
      .replace(/^(User|Group)=portal$/gm, '$1=root');
    fs.writeFileSync(path.join(temporary, name), unit);
  }
  expect(run('systemd-analyze', 'verify', ...files)).toBe('');
});

it('the portal accepts the settings file, and knows each of its settings', () => {
  const { unknownVariables, databaseUrl } = readConfig(parseEnv(read('portal.env')));
  expect(unknownVariables).toEqual([]);
  expect(databaseUrl).toContain('portal_run');
});

it('Prometheus accepts the alert rules, and they warn of what they say', () => {
  const checked = run('promtool', 'check', 'rules', path.join(folder, 'alerts.yaml'));
  expect(checked).toContain('11 rules found');
  const tested = run(
    'promtool',
    'test',
    'rules',
    path.join(import.meta.dirname, 'alerts.test.yaml'),
  );
  expect(tested).toContain('SUCCESS');
});

it('each metric of the alert rules exists', async () => {
  const usage = () => ({ max: 0, total: 0, idle: 0, waiting: 0 });
  const text = await createMetrics(usage).read();
  const names = new Set(read('alerts.yaml').match(/\bportal_[a-z_]+(?=[{ [)])/g));
  expect(names.size).toBeGreaterThan(8);
  for (const name of names) expect(text).toContain(`# HELP ${name.replace(/_count$/, '')} `);
});

it('docker-compose accepts compose.yaml', () => {
  const temporary = createTemporaryFolder('portal-compose-');
  onTestFinished(() => fs.rmSync(temporary, { recursive: true }));
  fs.copyFileSync(path.join(folder, 'compose.yaml'), path.join(temporary, 'compose.yaml'));
  const secrets = ['POSTGRES_PASSWORD', 'OWNER_PASSWORD', 'RUN_PASSWORD'];
  const addresses = ['PORTAL_PUBLIC_URL', 'PORTAL_ADMIN_URL'];
  fs.writeFileSync(
    path.join(temporary, '.env'),
    [...secrets, ...addresses].map((name) => `${name}=value-of-${name}\n`).join(''),
  );
  const text = execFileSync('docker-compose', ['config'], { cwd: temporary, encoding: 'utf8' });
  const { services } = parse(text);
  expect(Object.keys(services)).toEqual(
    expect.arrayContaining(['database', 'migrate', 'portal-1', 'portal-2', 'proxy']),
  );
  expect(services['portal-1'].environment.PORTAL_DATABASE_URL).toContain('portal_run');
  expect(services.migrate.environment.PORTAL_DATABASE_URL).toContain('portal_owner');
});
