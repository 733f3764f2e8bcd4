import { z } from 'zod';

/** What the catalogue stores of a report. */
export const reportSource = z.strictObject({
  workspaceId: z.guid(),
  embedUrl: z.url({ protocol: /^https$/ }),
});

/** What the catalogue stores of a dataset, which Power BI calls semantic model. */
export const datasetSource = z.strictObject({
  /** Id in Power BI. */
  modelId: z.string().min(1),
  /** Whether tokens name the reader. */
  needsIdentity: z.boolean(),
  /** Whether tokens name roles. */
  needsRoles: z.boolean(),
});

/** Roles are defined in Power BI. */
export const roleDefinition = z.strictObject({});

export type ReportSource = z.infer<typeof reportSource>;
export type DatasetSource = z.infer<typeof datasetSource>;

/** Source: the reference of `EffectiveIdentity`. */
const maxRoleName = 50;

/** Problems of the name of a role. */
export function checkRoleName(name: string): string[] {
  if (name.length > maxRoleName) return [`the name has more than ${maxRoleName} characters`];
  return name.includes(',') ? ['the name has a comma'] : [];
}
