import { idSchema, requestLimits, storableText } from '@portal-embed/contract';
import { z } from 'zod';

import { PortalError } from '../errors.ts';

/** Longest description, in characters, as in content files. */
const maxDescription = 2_000;

/** Names are shown, and a role is linked by its name. */
const nameText = storableText(requestLimits.name).min(1);

const schemas = {
  dataset: z.object({
    id: idSchema,
    name: nameText,
    roles: z
      .array(z.object({ name: nameText }))
      .refine(
        (roles) => new Set(roles.map(({ name }) => name)).size === roles.length,
        'two roles have the same name',
      ),
  }),
  report: z.object({
    id: idSchema,
    name: nameText,
    description: storableText(maxDescription).nullable(),
    workspace: nameText,
    datasetId: idSchema,
  }),
  'archived item': z.object({ id: idSchema }),
};

/**
 * Checks that the catalogue can store the ids and texts of an item.
 *
 * @throws `invalid_content`
 */
export function requireStorable(kind: keyof typeof schemas, item: object): void {
  const [issue] = schemas[kind].safeParse(item).error?.issues ?? [];
  if (!issue) return;
  throw new PortalError(
    'invalid_content',
    `Nothing was changed: a ${kind} is not valid (${issue.path.join('.')}: ${issue.message}).`,
  );
}
