import { z } from 'zod';

/** What the portal reads of the answers of Power BI. Other properties come and go. */

const id = z.guid();

const report = z
  .looseObject({
    id,
    name: z.string(),
    /** Absent for paginated reports. */
    datasetId: z.string().nullish(),
    embedUrl: z.string().optional(),
    /** Absent in older answers. */
    reportType: z.string().optional(),
  })
  .transform(withName);

const dataset = z
  .looseObject({
    id: z.string(),
    name: z.string().optional(),
    // The documentation has both spellings.
    isEffectiveIdentityRequired: z.boolean().optional(),
    IsEffectiveIdentityRequired: z.boolean().optional(),
    isEffectiveIdentityRolesRequired: z.boolean().optional(),
    IsEffectiveIdentityRolesRequired: z.boolean().optional(),
  })
  .transform((given) => ({
    id: given.id,
    name: toName(given),
    needsIdentity: given.isEffectiveIdentityRequired ?? given.IsEffectiveIdentityRequired ?? false,
    needsRoles:
      given.isEffectiveIdentityRolesRequired ?? given.IsEffectiveIdentityRolesRequired ?? false,
  }));

const workspace = z
  .looseObject({
    id,
    name: z.string().optional(),
    isOnDedicatedCapacity: z.boolean().optional(),
  })
  .transform(withName);

interface Named {
  id: string;
  name?: string | undefined;
}

function withName<Item extends Named>(item: Item): Item & { name: string } {
  return { ...item, name: toName(item) };
}

/** The catalogue stores no longer names. */
const maxName = 200;

/**
 * A name that the catalogue can store and a terminal can show. One that it refuses would end the
 * synchronization of all reports.
 */
function toName({ id: unnamed, name = '' }: Named): string {
  const clean = name.replace(/[\p{Cc}\p{Surrogate}]/gu, '\u{FFFD}').trim() || unnamed;
  if (clean.length <= maxName) return clean;
  return `${clean.slice(0, maxName - 1).replace(/\p{Surrogate}$/u, '')}…`;
}

const list = <Item extends z.ZodType>(item: Item) => z.looseObject({ value: z.array(item) });

export const reportList = list(report);
export const datasetList = list(dataset);
export const workspaceList = list(workspace);

export const embedToken = z.looseObject({
  token: z.string().min(1),
  expiration: z.iso.datetime({ offset: true }),
});

/** Use of the trial tokens without a capacity. */
export const features = z.looseObject({
  features: z.array(
    z.looseObject({
      name: z.string(),
      additionalInfo: z
        .looseObject({ Usage: z.number().optional(), usage: z.number().optional() })
        .nullish(),
    }),
  ),
});

export type ReportAnswer = z.infer<typeof report>;
export type DatasetAnswer = z.infer<typeof dataset>;
export type WorkspaceAnswer = z.infer<typeof workspace>;
