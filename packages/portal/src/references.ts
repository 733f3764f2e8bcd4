import type { Problem } from '@portal-embed/contract';

import { PortalError } from './errors.ts';

/**
 * Refuses a list of which some members do not exist, naming every one.
 *
 * @param field the list's name in the request
 * @param what what its members are, in the singular
 */
export function requireAll(
  field: string,
  what: string,
  wanted: readonly string[],
  found: ReadonlySet<string>,
): void {
  const errors: NonNullable<Problem['errors']> = wanted.flatMap((member, index) =>
    found.has(member.toLowerCase())
      ? []
      : [{ path: `${field}.${index}`, message: `there is no ${what} ${member}` }],
  );
  if (errors.length === 0) return;
  throw new PortalError(
    'unknown_references',
    `Nothing was changed: ${errors.map((error) => error.message).join('; ')}.`,
    errors,
  );
}
