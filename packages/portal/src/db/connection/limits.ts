/**
 * Deadlines of requests to the database, whose end is answered 503. They are not in `limits`, because
 * that folder uses the database. The guide `packages/docs/guides/limits.md` lists them.
 */
interface Deadline {
  /** What ends, as the guide calls it. */
  what: string;
  /** The default, if there is a setting. */
  ms: number;
  /** In seconds. */
  setting?: string;
  code: 'overloaded' | 'database_unavailable';
  /** Seconds. */
  retryAfter: number;
}

/** Answer to each failure of the database. */
export const databaseFailure = { code: 'database_unavailable', retryAfter: 2 } as const;

export const databaseLimits = {
  turn: {
    what: 'waiting for a turn at the database',
    ms: 5_000,
    code: 'overloaded',
    retryAfter: 2,
  },
  // Two seconds were too short on a busy machine.
  connect: {
    what: 'opening a connection to PostgreSQL',
    ms: 5_000,
    setting: 'PORTAL_DATABASE_CONNECT_LIMIT',
    ...databaseFailure,
  },
  fullServer: {
    what: 'trying again while PostgreSQL accepts no more connections',
    ms: 2_000,
    ...databaseFailure,
  },
  // Longer statements would keep connections from other requests.
  statement: { what: 'one statement in PostgreSQL', ms: 15_000, ...databaseFailure },
  silence: {
    what: 'a statement for which the portal and PostgreSQL wait for each other, because the network between them is lost',
    ms: 1_000,
    ...databaseFailure,
  },
  // After this time, load balancers usually give up.
  readiness: { what: 'the query of `/readyz`', ms: 2_000, ...databaseFailure },
} as const satisfies Record<string, Deadline>;
