import { storableText } from '@portal-embed/contract';
import type { Look } from '@portal-embed/contract/frame';
import { z } from 'zod';

import { densities, findAlike, fonts, isColor, paletteSizes, radii } from '#viewer/requests';

import type { AdminEndpoint } from './endpoint.ts';
import type { Named } from './lists.ts';
import type { DayCount } from './logs.ts';

export interface AdminOrganization {
  id: string;
  slug: string;
  name: string;
  /** IANA name. */
  timeZone: string;
  /** BCP 47 tag; `null` for English. */
  language: string | null;
}

export interface OrganizationSettings extends AdminOrganization {
  homeUrl: string | null;
  unappliedFilters: 'note' | 'refuse';
  /** Days after which entries leave each log; `null` for never. */
  accessLogDays: number | null;
  activityLogDays: number | null;
  /** Languages that the viewer has texts in. */
  languages: string[];
}

export interface AppearanceSettings {
  /** `#rrggbb`. */
  accentColor: string;
  /** What differs from the usual look. */
  look: Look;
  /** Address of the logo on the host of the administration; `null` without one. */
  logo: string | null;
}

/** A look that differs from the usual one in the properties that it has. */
const lookSettingsSchema = z.strictObject({
  font: z.enum(fonts).optional(),
  radius: z.enum(radii).optional(),
  density: z.enum(densities).optional(),
  palette: z
    .array(z.string().refine(isColor, 'must be a color like #0f6e56'))
    .min(paletteSizes.least)
    .max(paletteSizes.most)
    .refine((colors) => !colors.every(isColor) || findAlike(colors).length === 0, {
      error: 'has colors that people with a color blindness cannot tell apart',
    })
    .optional(),
});

/** Steps of a new organization, in their order. */
export const setupSteps = [
  'report',
  'user',
  'access',
  'address',
  'embedOrigin',
  'apiKey',
  'opened',
] as const;

/** What an administrator should know. Lists of reports and datasets have at most five items. */
export interface OrganizationOverview {
  /** The steps that are done. */
  done: (typeof setupSteps)[number][];
  /** Openings and refused requests of the last 30 days. */
  days: { opened: DayCount[]; refused: DayCount[] };
  /** Beginning of the last 7 days, today included, in the organization's time zone. */
  weekStart: string;
  /** Users who opened a report in the last 7 days. */
  readers: {
    count: number;
    /** Those of the 7 days before; `null` if there were too many openings to count them. */
    before: number | null;
    /** Whether there are more, because there were too many openings to count all. */
    isMinimum: boolean;
  };
  reports: {
    /** Since when this instance of the portal has measured reports, at most 24 hours. */
    since: string;
    slow: (Named & { medianMs: number })[];
    failing: (Named & { failures: number; computations: number })[];
  };
  /** Datasets whose new data has not come when it usually does. */
  lateData: (Named & { updatedAt: string; usualHours: number })[];
  /** Keys that expire within 30 days, the next first; at most ten, as in `users`. */
  keys: { id: string; name: string; expiresAt: string }[];
  users: { id: string; email: string; expiresAt: string }[];
}

export interface EmbeddingSettings {
  /** Origins at which the portal answers in the organization's name. Operators register them. */
  addresses: string[];
  embedOrigins: string[];
  /** Origin of the service itself. */
  publicUrl: string;
}

export const settingsSchema = z.strictObject({
  name: storableText(200),
  timeZone: storableText(100),
  language: storableText(35).nullable(),
  homeUrl: z.string().max(2_000).nullable(),
  unappliedFilters: z.enum(['note', 'refuse']),
});

const ofOrganization = '/organizations/{organizationId}';

export const organizationEndpoints = {
  listOrganizations: { method: 'GET', path: '/organizations', access: 'operator' },
  readOrganization: { method: 'GET', path: ofOrganization, access: 'signed-in' },
  readOverview: { method: 'GET', path: `${ofOrganization}/overview`, access: 'administrator' },
  readSettings: { method: 'GET', path: `${ofOrganization}/settings`, access: 'administrator' },
  changeSettings: {
    method: 'PUT',
    path: `${ofOrganization}/settings`,
    access: 'administrator',
    body: settingsSchema,
  },
  readAppearance: { method: 'GET', path: `${ofOrganization}/appearance`, access: 'administrator' },
  changeAppearance: {
    method: 'PUT',
    path: `${ofOrganization}/appearance`,
    access: 'administrator',
    bodyLimit: 400_000,
    body: z.strictObject({
      accentColor: z.string().regex(/^#[0-9a-f]{6}$/i, 'must be a color like #0f6e56'),
      /** Default: it stays. */
      look: lookSettingsSchema.optional(),
      /** Base64 of a PNG; `null` removes the logo. Default: it stays. */
      logo: z.base64().min(1).nullable().optional(),
    }),
  },
  readEmbedding: { method: 'GET', path: `${ofOrganization}/embedding`, access: 'administrator' },
  changeEmbedOrigins: {
    method: 'PUT',
    path: `${ofOrganization}/embedding`,
    access: 'administrator',
    body: z.strictObject({ embedOrigins: z.array(z.string().max(300)).max(100) }),
  },
} as const satisfies Record<string, AdminEndpoint>;

/** Types of the answers. Pages trust the service, so answers need no schema. */
export interface OrganizationAnswers {
  listOrganizations: { organizations: AdminOrganization[] };
  readOrganization: AdminOrganization;
  readOverview: OrganizationOverview;
  readSettings: OrganizationSettings;
  changeSettings: OrganizationSettings;
  readAppearance: AppearanceSettings;
  changeAppearance: AppearanceSettings;
  readEmbedding: EmbeddingSettings;
  changeEmbedOrigins: EmbeddingSettings;
}
