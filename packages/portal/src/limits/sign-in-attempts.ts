import { sql } from 'kysely';

import type { Database } from '../db/connection/open.ts';
import { sha256 } from '../secrets.ts';
import { refuse } from './refuse.ts';
import { limits, type Limit } from './table.ts';

/** A limit for attempts to sign in, and the key under which its count is stored. */
interface Counted {
  key: Buffer;
  limit: Limit & { windowSeconds: number };
}

/** The account that an attempt names, which may not exist, and where the attempt comes from. */
export interface Attempt {
  /** Organization and e-mail as typed, in lower case. */
  account: string;
  /** Address of the client: see `identifyClient`. */
  client: string;
  /** Whether the account has signed in from there before. */
  isKnownClient: boolean;
}

const keyOf = (...parts: string[]) => sha256(JSON.stringify(parts));

const pairKey = ({ account, client }: Attempt) => keyOf('pair', account, client);

/**
 * Counts an attempt before the password is checked, so that parallel guesses cannot exceed a limit.
 * Guesses from other addresses do not use up the attempts of an address from which the account has
 * signed in before.
 *
 * @throws `rate_limited`
 */
export async function countAttempt(db: Database, attempt: Attempt): Promise<void> {
  const { account, client, isKnownClient } = attempt;
  await count(db, [
    { key: pairKey(attempt), limit: limits.passwordsOfClient },
    { key: keyOf('client', client), limit: limits.signInsOfClient },
  ]);
  // Counted last: attempts over the limits above must not use up the attempts of other addresses.
  if (!isKnownClient)
    await count(db, [{ key: keyOf('account', account), limit: limits.signInsOfAccount }]);
}

/**
 * Counts a sign-in that goes to an identity provider, since it makes the portal send a request there.
 *
 * @throws `rate_limited`
 */
export const countProviderSignIn = (db: Database, client: string): Promise<void> =>
  count(db, [{ key: keyOf('provider', client), limit: limits.providerSignIns }]);

/** Forgets the attempts of this client for the account, after a sign-in. */
export async function forgetAttempts(db: Database, attempt: Attempt): Promise<void> {
  await sql`DELETE FROM sign_in_attempts WHERE key = ${pairKey(attempt)}`.execute(db);
}

async function count(db: Database, counted: readonly Counted[]): Promise<void> {
  let over: { limit: Limit; seconds: number } | undefined;
  for (const { key, limit } of counted) {
    const { max, windowSeconds } = limit;
    const { rows } = await sql<{ attempts: number; seconds: number }>`
      INSERT INTO sign_in_attempts AS known (key, attempts, expires_at)
      VALUES (${key}, 1, now() + make_interval(secs => ${windowSeconds}::integer))
      ON CONFLICT (key) DO UPDATE SET
        attempts = CASE WHEN known.expires_at <= now() THEN 1 ELSE known.attempts + 1 END,
        expires_at = CASE WHEN known.expires_at <= now() THEN excluded.expires_at
          ELSE known.expires_at END
      RETURNING attempts, ceil(extract(epoch FROM expires_at - now()))::integer AS seconds`.execute(
      db,
    );
    const { attempts, seconds } = rows[0]!;
    if (attempts > max && seconds > (over?.seconds ?? 0)) over = { limit, seconds };
  }
  if (over)
    throw refuse(over.limit, 'There were too many attempts to sign in.', {
      advice: `Try again in ${Math.ceil(over.seconds / 60)} min.`,
      retryAfter: over.seconds,
    });
}
