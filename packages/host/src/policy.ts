import {
  customFiltersSchema,
  describeIssues,
  hostRequestSchema,
  idSchema,
  requestLimits,
  resolveDisplayFlags,
} from '@portal-embed/contract';
import type { DisplayFlags, HostRequest } from '@portal-embed/contract';
import { z } from 'zod';

import { HostConfigurationError } from './callback.ts';
import { mergeFilters } from './merge-filters.ts';
import { Refusal } from './refusal.ts';

const reportId = idSchema;
const { hideMenu, hideNavbar, hideSidebar, embed } = hostRequestSchema.shape;
const flags = ['hideMenu', 'hideNavbar', 'hideSidebar'] as const satisfies (keyof DisplayFlags)[];

/** Strict, because a misspelled key must fail, not lift the limit. Plain, so that its fields can be checked. */
function limit<Shape extends z.ZodRawShape>(shape: Shape) {
  const object = z.strictObject(shape);
  return z.custom<z.input<typeof object>>(isPlain, 'must be a plain object').pipe(object);
}

// An error that was returned instead of thrown would otherwise be a policy without limits.
function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Not compared with Object.prototype, which may be another realm's, as in some test runners.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

const policySchema = limit({
  /** What the browser may choose; anything else is refused. An absent field allows everything. */
  allow: limit({
    /** Ids of reports. The portal checks the user's access in any case. */
    reports: z.array(reportId).readonly().optional(),
    /** Whether the whole portal may be opened. Default: only if `reports` is absent. */
    wholePortal: z.boolean().optional(),
    /** Bars that may be hidden. */
    display: z.array(z.enum(flags)).readonly().optional(),
    /** Keys of custom filters, exactly as written here. */
    filterKeys: z.array(z.string()).readonly().optional(),
  }).optional(),
  /** Values that replace the browser's. A `reportId` of null is the whole portal. */
  set: limit({
    reportId: reportId.nullable().optional(),
    hideMenu,
    hideNavbar,
    hideSidebar,
    embed,
  }).optional(),
  /**
   * Filters that always apply. For a locked column the browser can only select among these values.
   * They narrow a report that has the column. Use row-level security for rows that a user must never
   * see. At most 100.
   */
  lockedFilters: customFiltersSchema.readonly().optional(),
});

/** What a user may ask for, as `authorize` decides. */
export type Policy = z.input<typeof policySchema>;

/** Checks what `authorize` returned. Throws a `HostConfigurationError`, or a `Refusal` for false. */
export function readPolicy(decision: unknown): z.output<typeof policySchema> {
  if (decision === true) return {};
  if (!decision) throw new Refusal('forbidden');
  const { data, error } = policySchema.safeParse(decision);
  if (data) return data;
  throw new HostConfigurationError(
    `authorize returned an invalid policy: ${describeIssues(error)}.`,
  );
}

/** Applies a policy to the browser's request. Throws a `Refusal` if the policy does not allow it. */
export function applyPolicy(
  request: HostRequest,
  { allow = {}, set = {}, lockedFilters = [] }: ReturnType<typeof readPolicy>,
): HostRequest {
  const result: HostRequest = { ...request };
  if (set.reportId === undefined) requireReport(request.reportId, allow);
  else if (set.reportId === null) delete result.reportId;
  else result.reportId = set.reportId;

  const isFlagDecided =
    allow.display !== undefined || flags.some((flag) => flag in set) || 'embed' in set;
  if (isFlagDecided) {
    delete result.embed;
    Object.assign(result, decideFlags(resolveDisplayFlags(request), allow.display, set));
  }

  const asked = request.customFilters ?? [];
  for (const { key } of asked)
    if (allow.filterKeys && !allow.filterKeys.includes(key))
      refuse(`This user may not filter by "${key}"`);
  const filters = mergeFilters(asked, lockedFilters);
  if (!filters) refuse('A filter chooses none of the values that are locked for this user');
  if (filters.length > requestLimits.filters)
    throw new Refusal('invalid_request', {
      detail: `Send fewer filters: together with the locked filters there are ${filters.length}, and the portal accepts ${requestLimits.filters}.`,
      errors: [
        { path: 'customFilters', message: 'has too many filters together with the locked filters' },
      ],
    });
  if (!customFiltersSchema.safeParse(filters).success)
    throw new Refusal('invalid_request', {
      detail: `The filters, together with the locked ones, have more than ${requestLimits.filterBytes} bytes. Send fewer or shorter filters.`,
      errors: [{ path: 'customFilters', message: 'is too large together with the locked filters' }],
    });
  if (filters.length > 0) result.customFilters = filters;
  return result;
}

function requireReport(
  asked: string | undefined,
  { reports, wholePortal = reports === undefined }: NonNullable<Policy['allow']>,
): void {
  if (asked === undefined) {
    if (!wholePortal) refuse('This user may open single reports only. Set reportId');
  } else if (reports && !reports.includes(asked)) refuse('This user may not open this report');
}

function decideFlags(
  asked: DisplayFlags,
  allowed: readonly (keyof DisplayFlags)[] = flags,
  set: NonNullable<Policy['set']>,
): DisplayFlags {
  const decided = { ...asked };
  for (const flag of flags) {
    const chosen = set.embed === true ? true : (set[flag] ?? set.embed);
    if (chosen !== undefined) decided[flag] = chosen;
    else if (asked[flag] && !allowed.includes(flag)) refuse(`This user may not set ${flag}`);
  }
  return decided;
}

function refuse(what: string): never {
  throw new Refusal('forbidden', { detail: `${what}.` });
}
