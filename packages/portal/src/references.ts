import type { Problem } from '@portal-embed/contract';

import { PortalError } from './errors.ts';

const maxNamedInDetail = 5;

/**
 * Refuses a list if some members do not exist, and names them all.
 *
 * @param field the list's name in the request
 * @param what name of a member, in the singular
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
  const named = errors.slice(0, maxNamedInDetail).map((error) => error.message);
  const rest = errors.length - named.length;
  if (rest > 0) named.push(`and ${rest} more that \`errors\` names`);
  throw new PortalError('unknown_references', `Nothing was changed: ${named.join('; ')}.`, {
    errors,
  });
}
