import type { CustomFilter, Reading, Refused } from '#platform';

import type { Connection } from './connection.ts';
import type { Identity } from './embed-token.ts';
import type { DatasetSource } from './sources.ts';

/** Source: the reference of `EffectiveIdentity`. */
const limits = { username: 256, roles: 50 };

const refuse = (reason: Refused['reason'], detail: string): Refused => ({
  kind: 'refused',
  reason,
  detail,
});

/**
 * The identity of a reader: none, a user name, or a user name and roles, as the model needs it. A
 * reader without a role of a model that needs one is refused, and so Power BI is not asked.
 */
export function identify(
  { reader, rows, filters, queue }: Pick<Reading, 'reader' | 'rows' | 'filters' | 'queue'>,
  { needsIdentity, needsRoles }: DatasetSource,
  { username: kind, customData }: Connection,
): { identity: Identity | undefined } | Refused {
  const roles = rows.access === 'by-role' ? rows.roles.map(({ name }) => name) : [];
  const hasNoRole = roles.length === 0 && (needsRoles || rows.access === 'by-role');
  if (hasNoRole) return refuse('no-role', 'The reader has no role of the dataset.');
  if (!needsRoles && roles.length > 0)
    return refuse(
      'not-set-up',
      'The model has no roles in Power BI, so that roles of the portal would hide no rows. Synchronize, or let the dataset have no roles.',
    );
  if (!needsIdentity && !needsRoles) return { identity: undefined };
  const username = kind === 'id' ? queue : (reader.email[0] ?? '');
  if (!isUsername(username))
    return refuse(
      'not-set-up',
      'The e-mail of the reader has characters that Power BI does not take in a user name. Use the id of the user as the user name.',
    );
  const given = customData ? { customData: writeFilters(filters) } : {};
  if (!needsRoles) return { identity: { username, ...given } };
  if (roles.length > limits.roles)
    return refuse(
      'not-set-up',
      `The reader has ${roles.length} roles of the dataset. Power BI takes ${limits.roles}.`,
    );
  return { identity: { username, roles, ...given } };
}

/** Cloud models take ASCII characters without spaces. */
const isUsername = (text: string) =>
  text.length > 0 && text.length <= limits.username && /^[\x21-\x7e]+$/.test(text);

/** The filters of the host as JSON, for models that enforce them: lists of which all must hold. */
const writeFilters = (filters: readonly (readonly CustomFilter[])[]): string =>
  JSON.stringify(filters.map((list) => list.map(({ key, value }) => ({ key, value }))));
