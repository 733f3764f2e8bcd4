import { createHash, randomBytes } from 'node:crypto';

import type { Database } from '@portal-embed/portal';
import { sql, type CompiledQuery, type RawBuilder } from 'kysely';

/** A statement of the portal, with the values of one run of it. */
export interface Statement {
  name: 'mint' | 'redeem';
  text: string;
  /** In place of a secret's hash, its name. */
  values: unknown[];
}

export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

export const createToken = (): string => randomBytes(32).toString('base64url');

/** The values of another run: for another token, with another bearer. */
export const createValues = ({ values }: Statement, token: string): unknown[] =>
  values.map((value) =>
    value === 'token' ? sha256(token) : value === 'bearer' ? randomBytes(32) : value,
  );

interface IdentityStore {
  mint: (db: object, request: object) => Promise<unknown>;
  redeem: (db: object, request: object) => Promise<unknown>;
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
    new URL('identity-urls/store.js', import.meta.resolve('@portal-embed/portal')).href
  )) as IdentityStore;
  const hashes = { token: randomBytes(32), bearer: randomBytes(32) };
  const seen: CompiledQuery[] = [];
  const spy = {
    getExecutor: () => db.getExecutor(),
    selectFrom: db.selectFrom.bind(db),
    executeQuery: (query: CompiledQuery) => {
      seen.push(query);
      return db.executeQuery(query);
    },
  };
  await store.mint(spy, {
    ...subject,
    operator: undefined,
    tokenHash: hashes.token,
    ownAddress: true,
    flags: { hideMenu: false, hideNavbar: false, hideSidebar: false },
    customFilters: [],
  });
  await store.redeem(spy, {
    framed: [],
    tokenHash: hashes.token,
    bearerHash: hashes.bearer,
    address: subject.address,
  });
  return (['mint', 'redeem'] as const).map((name, index) => {
    const { sql: text, parameters } = seen[index]!;
    const values = parameters.map((value) =>
      value === hashes.token ? 'token' : value === hashes.bearer ? 'bearer' : value,
    );
    return { name, text, values };
  });
}

type PrepareStatement = (
  name: string,
  build: (value: (index: number) => RawBuilder<unknown>) => RawBuilder<unknown>,
) => (db: Database, values: unknown[]) => Promise<Record<string, unknown>[]>;

/** Runs only the statement, prepared as in the portal. */
export async function prepareAlone(statement: Statement): Promise<ReturnType<PrepareStatement>> {
  const { prepareStatement } = (await import(
    new URL('db/connection/prepared.js', import.meta.resolve('@portal-embed/portal')).href
  )) as { prepareStatement: PrepareStatement };
  // Texts and parameter numbers alternate.
  const parts = statement.text.split(/\$(\d+)/);
  return prepareStatement(`${statement.name}_alone`, (value) =>
    sql.join(
      parts.map((part, index) => (index % 2 === 0 ? sql.raw(part) : value(Number(part) - 1))),
      sql.raw(''),
    ),
  );
}
