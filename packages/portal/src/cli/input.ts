import { endpoints, fieldErrors, storableText } from '@portal-embed/contract';
import type { z } from 'zod';

import { PortalError } from '../errors.ts';

// The command line uses the schemas of the API.
export const nameSchema = endpoints.createUser.body.shape.name;
export const emailSchema = endpoints.createUser.body.shape.email;
/** An e-mail to search for. */
export const emailFilterSchema = endpoints.listAuditEntries.query.shape.userEmail;
/** Of the portal at an identity provider. */
export const clientIdSchema = storableText(500);
export const emailsSchema = endpoints.linkRlsUsers.body.shape.usersEmails;
export const idsSchema = endpoints.linkReports.body.shape.reports;
export const idSchema = idsSchema.element;

/**
 * @param name name of the input in the error, if it is a single value
 * @throws `invalid_request`
 */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  name = '',
): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const errors = fieldErrors(parsed.error);
  const problems = errors
    .map(({ path, message }) => `${path || name} ${message}`.trim())
    .join('; ');
  throw new PortalError('invalid_request', `The input is not valid: ${problems}.`, { errors });
}
