import { describeIssues, endpoints } from '@portal-embed/contract';
import { z } from 'zod';

import { HostConfigurationError } from './callback.ts';

const { reports } = endpoints.linkReports.body.shape;
const { datasetId, role: roleName } = endpoints.linkRlsUsers.body.shape;

// Strict like the request that it extends: a misspelled field would silently grant no access.
const userStateSchema = endpoints.createUser.body.omit({ email: true }).extend({
  reports: reports.readonly().optional(),
  rlsRoles: z
    .array(z.strictObject({ datasetId, role: roleName }))
    .readonly()
    .optional(),
});

/** Checks what `provision` returned. Throws a `HostConfigurationError`. */
export function readUserState(state: unknown): z.output<typeof userStateSchema> | null {
  if (state === null || state === undefined) return null;
  const { data, error } = userStateSchema.safeParse(state);
  if (data) return data;
  throw new HostConfigurationError(
    `provision returned an invalid state: ${describeIssues(error)}.`,
  );
}
