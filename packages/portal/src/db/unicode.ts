import type pg from 'pg';

import { ConfigurationError } from '../config.ts';

/**
 * Makes sure that the database takes any name, and finds it in any letter case.
 *
 * @throws `ConfigurationError` when its encoding or its locale does not.
 */
export async function requireUnicode(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ encoding: string; locale: string; fits: boolean }>(`
    SELECT name AS encoding, datctype AS locale, name = 'UTF8' AND lower(chr(201)) = chr(233) AS fits
    FROM pg_database, pg_encoding_to_char(encoding) AS name WHERE datname = current_database()`);
  const { encoding, locale, fits } = rows[0]!;
  if (fits) return;
  throw new ConfigurationError(
    `The database that PORTAL_DATABASE_URL names has the encoding ${encoding} and the locale ${locale}; the portal needs UTF8 and a locale that knows upper and lower case. Create it with: CREATE DATABASE portal TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'`,
  );
}
