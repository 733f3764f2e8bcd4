import type { Problem } from '@portal-embed/contract';

/** Maximum number of fields in `detail`. */
const maxFieldsInDetail = 5;

/** Describes invalid fields for `detail`, because logs and many programs show only this text. */
export function describeFieldErrors(errors: NonNullable<Problem['errors']>): string {
  const named = errors
    .slice(0, maxFieldsInDetail)
    .map(({ path, message }) => (path === '' ? message : `${path} ${message}`));
  const rest = errors.length - named.length;
  return [...named, ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ');
}
