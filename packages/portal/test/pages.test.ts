import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { setOrigins } from '../src/organizations/service.ts';
import { startTestPortal, type TestPortal } from './support/portal.ts';
import { mint, open, readSession } from './support/viewer.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

const attack = `</title></script><script>alert("1")</script>&'<!--`;
const escaped =
  '&lt;/title&gt;&lt;/script&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;&lt;!--';

describe('names that contain markup', () => {
  beforeAll(async () => {
    const { acme, db } = portal;
    await sql`UPDATE organizations SET name = ${attack} WHERE id = ${acme.id}`.execute(db);
    await sql`UPDATE reports SET name = ${attack} WHERE id = ${acme.reportId}`.execute(db);
    await sql`UPDATE users SET name = ${attack} WHERE email = ${acme.emails.west}`.execute(db);
  });

  it('names with markup are escaped in the title and the session of the viewer’s page', async () => {
    const { acme } = portal;
    const url = await mint(portal, acme, { userEmail: acme.emails.west, reportId: acme.reportId });
    const page = await open(url);
    expect(page.body).toContain(`<title>${escaped}</title>`);
    expect(page.body).not.toContain('<script>alert');
    expect(page.body).not.toContain('<!--');
    expect(readSession(page)).toMatchObject({
      organization: { name: attack },
      user: { name: attack },
      reports: [{ name: attack }],
    });
  });

  it('names with markup are escaped in a notice page', async () => {
    const { acme } = portal;
    const url = await mint(portal, acme, { userEmail: acme.emails.west });
    await open(url);
    const page = await open(url);
    expect(page.body).toContain(`<p class="notice-organization">${escaped}</p>`);
    expect(page.body).not.toContain('<script>alert');
  });
});

it('each page has a nonce of its own, for the style of its accent color', async () => {
  const { acme } = portal;
  const nonces = [];
  for (let opened = 0; opened < 2; opened++) {
    const page = await open(`${acme.address}/organizations/${acme.id}`);
    const policy = String(page.headers['content-security-policy']);
    const nonce = /style-src 'self' 'nonce-([\w+/=]+)'/.exec(policy)?.[1];
    expect(page.body).toContain(`<style nonce="${nonce}">:root{--accent:`);
    nonces.push(nonce);
  }
  expect(nonces[0]).not.toBe(nonces[1]);
});

describe('frame-ancestors', () => {
  const policyOf = async (url: string) => {
    const policy = String((await open(url)).headers['content-security-policy']);
    return /(?:^|; )frame-ancestors ([^;]*)/.exec(policy)?.[1];
  };

  it('frame-ancestors of each page lists exactly the organization’s embed origins', async () => {
    const { acme, globex } = portal;
    const paths = ['/identity?token=x', `/organizations/${acme.id}`];
    for (const { address, embedOrigin } of [acme, globex])
      for (const path of paths) expect(await policyOf(address + path)).toBe(embedOrigin);
    for (const { userEmail, organization } of [
      { userEmail: acme.emails.west, organization: acme },
      { userEmail: globex.emails.west, organization: globex },
    ]) {
      const url = await mint(portal, organization, { userEmail });
      expect(await policyOf(url)).toBe(organization.embedOrigin);
      expect(await policyOf(url)).toBe(organization.embedOrigin);
    }
  });

  it('a spent link at the service’s own address shows the organization and allows its embed origins', async () => {
    const { globex, publicUrl } = portal;
    const url = await mint(portal, globex, { userEmail: globex.emails.west, baseUrl: publicUrl });
    expect((await open(url)).status).toBe(200);
    expect((await open(url)).body).toContain('<p class="notice-organization">globex</p>');
    expect(await policyOf(url)).toBe(globex.embedOrigin);
  });

  it('frame-ancestors lists each of several origins, and none without origins', async () => {
    const { acme } = portal;
    const path = `${acme.address}/organizations/${acme.id}`;
    await setOrigins(acme.ctx, { embedOrigins: ['https://b.example', 'https://a.example'] });
    expect(await policyOf(path)).toBe('https://a.example https://b.example');
    await setOrigins(acme.ctx, { embedOrigins: [] });
    expect(await policyOf(path)).toBe("'none'");
    await setOrigins(acme.ctx, { embedOrigins: [acme.embedOrigin] });
    // The service's own address does not belong to an organization.
    expect(await policyOf(`${portal.publicUrl}/organizations/${acme.id}`)).toBe("'none'");
  });
});
