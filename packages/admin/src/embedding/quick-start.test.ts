import { expect, it } from 'vitest';

import { fillSnippet, type SnippetValues } from './quick-start.ts';

const values: SnippetValues = {
  publicUrl: 'https://reports.example',
  address: 'https://globex.reports.example',
  organizationId: '6a1f4c1e-0000-4000-8000-000000000002',
  origin: 'http://app.globex.example:8080',
  userEmail: 'ann@globex.example',
};

it('a snippet gets the values of the organization', () => {
  const code = `'app.acme.example': 'https://portal.example' 'https://acme.portal.example' listen(3000)`;
  expect(fillSnippet(code, values)).toBe(
    `'app.globex.example': 'https://reports.example' 'https://globex.reports.example' listen(8080)`,
  );
});

it('the port stays if the origin has none', () => {
  expect(fillSnippet('listen(3000)', { ...values, origin: 'https://a.example' })).toBe(
    'listen(3000)',
  );
});

it('a value cannot close its quotes, and is not replaced itself', () => {
  const userEmail = String.raw`o'neil\@portal.example`;
  expect(fillSnippet(`'user@acme.example'`, { ...values, userEmail })).toBe(
    String.raw`'o\'neil\\@portal.example'`,
  );
  expect(fillSnippet(`'user@acme.example'`, { ...values, userEmail: 'a@app.acme.example' })).toBe(
    `'a@app.acme.example'`,
  );
});
