import { createHash, randomBytes } from 'node:crypto';

import type { Database } from '@portal-embed/portal';
import pg from 'pg';

/** A statement of the portal, with the values of one run of it. */
export interface Statement {
  name: 'mint' | 'redeem';
  text: string;
  /** In place of a secret's hash, its name. */
  values: unknown[];
}

export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

export const newToken = (): string => randomBytes(32).toString('base64url');

/** The values of another run: for another token, with another bearer. */
export const valuesFor = ({ values }: Statement, token: string): unknown[] =>
  values.map((value) =>
    value === 'token' ? sha256(token) : value === 'bearer' ? randomBytes(32) : value,
  );

interface IdentityStore {
  mint: (db: Database, request: object) => Promise<unknown>;
  redeem: (db: Database, request: object) => Promise<unknown>;
}

export interface Subject {
  organizationId: string;
  apiKeyId: string;
  userEmail: string;
  reportId: string;
  address: string;
}

/** Runs the portal's own mint and redeem once each, and takes down what reaches the database. */
export async function captureStatements(db: Database, subject: Subject): Promise<Statement[]> {
  const store = (await import(
    new URL('identity/store.js', import.meta.resolve('@portal-embed/portal')).href
  )) as IdentityStore;
  const hashes = { token: randomBytes(32), bearer: randomBytes(32) };
  const mint = await capture('mint', hashes, () =>
    store.mint(db, {
      ...subject,
      operator: undefined,
      tokenHash: hashes.token,
      ownAddress: true,
      flags: { hideMenu: false, hideNavbar: false, hideSidebar: false },
      customFilters: [],
    }),
  );
  const redeem = await capture('redeem', hashes, () =>
    store.redeem(db, {
      tokenHash: hashes.token,
      bearerHash: hashes.bearer,
      address: subject.address,
    }),
  );
  return [mint, redeem];
}

async function capture(
  name: Statement['name'],
  hashes: { token: Buffer; bearer: Buffer },
  run: () => Promise<unknown>,
): Promise<Statement> {
  const { prototype } = pg.Client;
  // oxlint-disable-next-line typescript/unbound-method -- it is put back below
  const query = prototype.query as (...input: unknown[]) => unknown;
  const seen: Statement[] = [];
  prototype.query = function spy(this: pg.Client, ...input: unknown[]) {
    const [first, second] = input as [string | { text: string; values?: unknown[] }, unknown[]?];
    const { text, values = [] } =
      typeof first === 'string' ? { text: first, values: second ?? [] } : first;
    const named = values.map((value) =>
      Buffer.isBuffer(value)
        ? value.equals(hashes.token)
          ? 'token'
          : value.equals(hashes.bearer)
            ? 'bearer'
            : value
        : value,
    );
    seen.push({ name, text, values: named });
    return query.apply(this, input);
  } as typeof prototype.query;
  try {
    await run();
  } finally {
    prototype.query = query as typeof prototype.query;
  }
  return seen.find(({ values }) => values.includes('token'))!;
}
