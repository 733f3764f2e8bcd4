import { sql } from 'kysely';

import type { Database } from '../db/connection/open.ts';
import { PortalError } from '../errors.ts';
import { sha256 } from '../secrets.ts';

/** A limit that an attempt to sign in counts toward. */
interface Limit {
  key: Buffer;
  /** Attempts in one window. */
  max: number;
  windowSeconds: number;
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

const quarterHour = 900;

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
    { key: pairKey(attempt), max: 10, windowSeconds: quarterHour },
    { key: keyOf('client', client), max: 100, windowSeconds: quarterHour },
  ]);
  // Counted last: attempts over the limits above must not use up the attempts of other addresses.
  if (!isKnownClient)
    await count(db, [{ key: keyOf('account', account), max: 100, windowSeconds: 3_600 }]);
}

/**
 * Counts a sign-in that goes to an identity provider, since it makes the portal send a request there.
 *
 * @throws `rate_limited`
 */
export const countProviderSignIn = (db: Database, client: string): Promise<void> =>
  count(db, [{ key: keyOf('provider', client), max: 100, windowSeconds: quarterHour }]);

/** Forgets the attempts of this client for the account, after a sign-in. */
export async function forgetAttempts(db: Database, attempt: Attempt): Promise<void> {
  await sql`DELETE FROM sign_in_attempts WHERE key = ${pairKey(attempt)}`.execute(db);
}

async function count(db: Database, limits: readonly Limit[]): Promise<void> {
  let waitSeconds = 0;
  for (const { key, max, windowSeconds } of limits) {
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
    if (attempts > max) waitSeconds = Math.max(waitSeconds, seconds);
  }
  if (waitSeconds > 0)
    throw new PortalError('rate_limited', 'There were too many attempts to sign in.', {
      advice: `Try again in ${Math.ceil(waitSeconds / 60)} min.`,
      retryAfter: waitSeconds,
    });
}
