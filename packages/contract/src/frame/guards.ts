/**
 * The frame channel's shapes as plain data and one check: zod would cost a host page more than the
 * whole component does. `guards.test.ts` holds them against the schemas.
 */
import type { Boot, Connect, HostMessage, PortalMessage } from './schemas.ts';

/**
 * A value by example: `''` any text, other text one of its words, `0` any number, another number
 * itself, `null` text or null, a list of one its members, an object its fields.
 */
type Example = string | number | null | Example[] | { [field: string]: Example };

const isLike = (given: Example, value: unknown): boolean => {
  if (value === null) return given === null;
  const example = given ?? '';
  if (typeof value !== typeof example) return false;
  if (Array.isArray(example))
    // Spread, because `every` passes over the holes of a sparse array.
    return Array.isArray(value) && [...value].every((member) => isLike(example[0]!, member));
  if (typeof example === 'object')
    return Object.keys(example).every((field) =>
      isLike(example[field]!, (value as Record<string, unknown>)[field]),
    );
  if (typeof example === 'string') return !example || example.split(' ').includes(value as string);
  return example ? value === example : Number.isFinite(value);
};

const filters = [{ key: '', value: '' }];
const state = { path: '', filters, scroll: 0 };
const theme = 'light dark auto';

export const isBoot = (value: unknown): value is Boot =>
  isLike({ portalEmbed: 1, type: 'boot' }, value);

export const isPortalMessage = (value: unknown): value is PortalMessage =>
  [
    { type: 'ready', unappliedFilters: [''] },
    { type: 'state', state },
    { type: 'navigated', path: '', reportId: null },
    { type: 'resized', height: 0 },
    { type: 'session-required', reason: 'used expired unknown reloaded session-ended' },
    { type: 'failed', cause: 'report_not_accessible report_failed' },
  ].some((example) => isLike(example, value));

export const isHostMessage = (value: unknown): value is HostMessage =>
  [{ type: 'set-filters', filters }, { type: 'set-theme', theme }, { type: 'refresh-data' }].some(
    (example) => isLike(example, value),
  );

export const isConnect = (value: unknown): value is Connect => {
  if (!isLike({ portalEmbed: 1, type: 'connect' }, value)) return false;
  const wishes = value as Record<string, unknown>;
  return (
    (wishes['theme'] === undefined || isLike(theme, wishes['theme'])) &&
    (wishes['state'] === undefined || isLike(state, wishes['state'])) &&
    (wishes['autoHeight'] === undefined || typeof wishes['autoHeight'] === 'boolean')
  );
};
