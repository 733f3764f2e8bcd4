import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { sendBytes } from '../support/raw.ts';
import { mint } from '../support/viewer.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ trustProxy: true });
});
afterAll(() => portal.close());

const hostOf = (address: string) => new URL(address).host;

/** Requests an address with these headers, and returns the status and the body. */
async function request({ publicUrl }: TestPortal, path: string, headers: string[]) {
  const lines = [
    `GET ${path} HTTP/1.1`,
    'Accept: application/json',
    'Connection: close',
    ...headers,
  ];
  const answer = await sendBytes(publicUrl, [...lines, '', ''].join('\r\n'), { keepOpen: true });
  return { status: Number(answer.slice(9, 12)), body: answer.slice(answer.indexOf('\r\n\r\n')) };
}

const own = () => `Host: ${hostOf(portal.publicUrl)}`;
const forwarded = (...values: string[]) => [
  own(),
  ...values.map((value) => `X-Forwarded-Host: ${value}`),
];

describe('a request with two values of X-Forwarded-Host', () => {
  it.each(['/embed', '/api/user', '/admin/api/session', '/openapi.json', '/livez'])(
    'is refused at %s',
    async (path) => {
      const [acme, globex] = [hostOf(portal.acme.address), hostOf(portal.globex.address)];
      for (const headers of [
        forwarded(`${acme}, ${globex}`),
        forwarded(`${acme},internal`),
        forwarded(acme, globex),
        forwarded(acme, acme),
        forwarded(`${acme},`),
        forwarded(`${globex}, ${hostOf(portal.adminUrl)}`),
      ]) {
        const { status, body } = await request(portal, path, headers);
        expect([headers, status]).toEqual([headers, 400]);
        expect(body).toContain(
          'two values of X-Forwarded-Host. Let only the outer proxy write it.',
        );
      }
    },
  );

  it('spends no identity URL', async () => {
    const { acme } = portal;
    const { pathname, search } = new URL(
      await mint(portal, acme, { userEmail: acme.emails.west, reportId: acme.reportId }),
    );
    const host = hostOf(acme.address);
    const open = (value: string) => request(portal, pathname + search, forwarded(value));
    expect((await open(`${host}, internal`)).status).toBe(400);
    expect((await open(host)).status).toBe(200);
  });

  it('is served if no proxy is trusted, because the header does not count', async () => {
    const other = await startTestPortal();
    const headers = [`Host: ${hostOf(other.publicUrl)}`, 'X-Forwarded-Host: a.example, b.example'];
    expect((await request(other, '/livez', headers)).status).toBe(200);
    await other.close();
  });
});

it('a request with two Host headers is refused', async () => {
  const { status, body } = await request(portal, '/livez', [own(), 'Host: other.example']);
  expect([status, body]).toEqual([400, expect.stringContaining('two Host headers. Send one.')]);
});
