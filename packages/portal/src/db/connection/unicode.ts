import type pg from 'pg';

import { ConfigurationError } from '../../errors.ts';

/**
 * Checks that the database stores every name and finds it in any letter case.
 *
 * @throws `ConfigurationError` if its encoding or locale does not allow that
 */
export async function requireUnicode(pool: Pick<pg.Pool, 'query'>): Promise<void> {
  const { rows } = await pool.query<{ encoding: string; locale: string }>(`
    SELECT pg_encoding_to_char(encoding) AS encoding, datctype AS locale
    FROM pg_database WHERE datname = current_database()`);
  const { encoding, locale } = rows[0]!;
  if (encoding === 'UTF8' && (await foldsCase(pool))) return;
  throw new ConfigurationError(
    `The database that PORTAL_DATABASE_URL names has the encoding ${encoding} and the locale ${locale}; the portal needs UTF8 and a locale that knows upper and lower case. Create it with: CREATE DATABASE portal TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'`,
  );
}

// In Turkish, the lower case of I is not i.
const foldsCase = async (pool: Pick<pg.Pool, 'query'>) =>
  (await pool.query<{ folds: boolean }>("SELECT lower('ÉI') = 'éi' AS folds")).rows[0]!.folds;
