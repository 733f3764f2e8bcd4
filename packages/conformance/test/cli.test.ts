import fs from 'node:fs';
import path from 'node:path';

import { createTemporaryFolder } from 'test-support';
import { emptyPage, jsonAnswer, startFakePortal } from 'test-support/fake-portal';
import { expect, it } from 'vitest';

import { runInProcess } from './terminal.ts';

const env = { PORTAL_API_KEY: 'pk_secret_of_the_test' };

it.each(['--help', '-h'])('%s prints the usage and exits with 0', async (flag) => {
  expect(await runInProcess([flag])).toMatchObject({ code: 0, stderr: '' });
  expect((await runInProcess(['host', flag])).stdout).toMatch(/^Usage: portal-embed-conformance/);
});

it.each([
  [[], 'The command is missing. Commands: portal, host.'],
  [['portals'], 'Unknown command "portals". Commands: portal, host.'],
  [['portal'], 'The address is missing. Pass --url.'],
  [['portal', '--url', 'portal.example'], 'The address must be an http or https address'],
  [['portal', '--urls', 'x'], "Unknown option '--urls'"],
  [['host', '--url', 'http://x', '--write'], "Unknown option '--write'"],
  [['portal', '--url', 'http://x', '--timeout', '0'], '--timeout must be a number'],
  [['portal', '--url', 'http://x', '--dataset', 'x'], '--dataset and --role name one role'],
  [['portal', '--url', 'http://x', '--header', 'x'], '--header must be a name, a colon'],
  [['host', '--url', 'http://x', '--locked-filter', 'x'], '--locked-filter must be a key'],
  [
    ['host', '--url', 'http://x', '--header', 'Authorization: '],
    '--header must be a name, a colon',
  ],
  [['host', '--url', 'http://x', '--cookie', ''], '--cookie is empty'],
  [['portal', '--url', 'http://x', '--report', ' '], '--report is empty'],
  [
    ['host', '--url', 'http://x', '--other-url', 'x'],
    'The address must be an http or https address',
  ],
  [
    ['host', '--url', 'http://x/url', '--other-url', 'http://X/other'],
    '--url and --other-url must have the host names of two tenants',
  ],
  [['portal', '--url', 'http://127.0.0.1:9', '--junit', '/no/such/file'], 'ENOENT'],
])('the arguments %j exit with 2 and say what to do', async (args, message) => {
  const result = await runInProcess(args, env);
  expect(result).toMatchObject({ code: 2, stdout: '' });
  expect(result.stderr).toContain(message);
});

it('a missing key exits with 2', async () => {
  const { code, stderr } = await runInProcess(['portal', '--url', 'http://127.0.0.1:9']);
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('The API key is missing'),
  });
});

it.each([
  ['portal', 'PORTAL_API_KEY'],
  ['portal', 'PORTAL_LIMITED_API_KEY'],
  ['host', 'HOST_COOKIE'],
  ['host', 'PORTAL_API_KEY'],
])('%s with an empty %s exits with 2, and sends nothing', async (kit, name) => {
  await using server = await startFakePortal(jsonAnswer(401, {}));
  const secrets = { ...env, [name]: '' };
  const { code, stdout, stderr } = await runInProcess([kit, '--url', server.url], secrets);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(`The environment variable ${name} is empty. Set it, or unset it.`);
  expect(server.received).toEqual([]);
});

it('without --write, only GET requests are sent', async () => {
  await using portal = await startFakePortal(jsonAnswer(200, emptyPage));
  await runInProcess(['portal', '--url', portal.url], env);
  expect(portal.received.length).toBeGreaterThan(20);
  expect(new Set(portal.received.map(({ method }) => method))).toEqual(new Set(['GET']));
});

it('the key is in no output, also if the portal answers with it', async () => {
  const { PORTAL_API_KEY: key } = env;
  await using portal = await startFakePortal(jsonAnswer(200, { ...emptyPage, totalPages: key }));
  const junit = path.join(createTemporaryFolder('conformance-'), 'junit.xml');
  const args = ['portal', '--url', portal.url, '--junit', junit];
  const { code, stdout, stderr } = await runInProcess(args, env);
  expect(code).toBe(1);
  expect(stdout).toContain('[secret]');
  expect(stdout + stderr + fs.readFileSync(junit, 'utf8')).not.toContain(key);
});

it('no part of the key is printed, wherever a long answer is cut', async () => {
  const { PORTAL_API_KEY: key } = env;
  let length = 0;
  await using portal = await startFakePortal((_, response) =>
    response.writeHead(500).end(`${'x '.repeat(length / 2)}${key} is not valid`),
  );
  for (length of [130, 140, 150, 158]) {
    const { stdout } = await runInProcess(['portal', '--url', portal.url], env);
    expect(stdout).toMatch(/got: GET .+ answers 500 with no content type: x x/);
    expect(stdout).not.toContain(key.slice(0, 3));
  }
});

it.each(['portal', 'host'])('user and password of --url are in no output of %s', async (kit) => {
  await using portal = await startFakePortal(jsonAnswer(404, {}));
  const { host } = new URL(portal.url);
  const junit = path.join(createTemporaryFolder('conformance-'), 'junit.xml');
  const args = [kit, '--url', `http://west:pass%20word@${host}`, '--junit', junit];
  const { stderr } = await runInProcess(args, env);
  expect(stderr).toContain(host);
  expect(portal.received[0]!.headers.authorization).toBe(`Basic ${btoa('west:pass word')}`);
  expect(stderr + fs.readFileSync(junit, 'utf8')).not.toMatch(/west|pass|word/);
});

it('one cookie of several is in no output, also if the host answers with it', async () => {
  await using host = await startFakePortal(jsonAnswer(500, { session: 's3cret' }));
  const { stdout } = await runInProcess(['host', '--url', host.url], {
    HOST_COOKIE: 'a=1; session=s3cret; b=2',
  });
  expect(stdout).toContain('{"session":"[secret]"}');
  expect(stdout).not.toContain('s3cret');
});

it('the results are written as JUnit XML, with the characters that XML allows', async () => {
  const broken = jsonAnswer(200, { ...emptyPage, totalPages: '<"&\u0000\u001b[31m>' });
  await using portal = await startFakePortal(broken);
  const junit = path.join(createTemporaryFolder('conformance-'), 'junit.xml');
  const args = ['portal', '--url', portal.url, '--junit', junit, '--quiet'];
  const { stdout } = await runInProcess(args, env);
  // Only the broken rules and the summary.
  expect(stdout.split('\n').filter((line) => /^\S/.test(line))).toEqual([
    expect.stringMatching(/^FAILED {2}authentication\.missing-key/),
    expect.stringMatching(/^FAILED {2}authentication\.unknown-key/),
    expect.stringMatching(/^FAILED {2}lists\.totalPages/),
    expect.stringMatching(/^3 failed, \d+ passed/),
    expect.stringMatching(/^\d+ of the skipped rules change something: to check them, add --write/),
  ]);
  expect(stdout).not.toContain('\u001b');
  const xml = fs.readFileSync(junit, 'utf8');
  expect(xml).toMatch(/<testsuite name="conformance\.portal" tests="\d+" failures="3"/);
  expect(xml).toContain('&lt;');
  expect(xml).not.toMatch(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
});

it.each([401, 403])('a key that the portal refuses with %i exits with 2', async (status) => {
  await using portal = await startFakePortal(jsonAnswer(status, {}));
  const { code, stderr } = await runInProcess(['portal', '--url', portal.url], env);
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('refuses the key'),
  });
});

it('a key that may read no list exits with 2, and the reason names a call and what the portal says', async () => {
  const { PORTAL_API_KEY: key } = env;
  const detail = `This API key ${key} lacks the permission users:read.`;
  await using portal = await startFakePortal(jsonAnswer(403, { detail }));
  const { code, stderr } = await runInProcess(['portal', '--url', portal.url], env);
  expect(code).toBe(2);
  expect(stderr).toContain(
    'refuses the key at all lists. GET /api/user: 403, This API key [secret] lacks the permission users:read. Check the key',
  );
});

it('an address without the API exits with 2', async () => {
  await using portal = await startFakePortal(jsonAnswer(404, {}));
  const junit = path.join(createTemporaryFolder('conformance-'), 'junit.xml');
  await runInProcess(['portal', '--url', portal.url, '--junit', junit], env);
  expect(fs.readFileSync(junit, 'utf8')).toMatch(/<error message="http:.+ has no API/);
  for (const kit of ['portal', 'host'])
    expect(await runInProcess([kit, '--url', portal.url], env)).toMatchObject({
      code: 2,
      stdout: '',
    });
});
