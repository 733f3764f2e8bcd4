/**
 * The frame channel's shapes as plain checks: zod would cost a host page more than the whole
 * component does. `guards.test.ts` holds them against the schemas.
 */
import type { Boot, Connect, HostMessage, PortalMessage } from './schemas.ts';

type Fields = Record<string, unknown>;
type Check = (value: unknown) => boolean;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const isText: Check = (value) => typeof value === 'string';
// Spread, because `every` passes over the holes of a sparse array.
const isListOf = (value: unknown, member: Check) =>
  Array.isArray(value) && [...value].every(member);
const isOneOf = (value: unknown, words: string) =>
  isText(value) && words.split(' ').includes(value as string);
const isAbsentOr = (value: unknown, check: Check) => value === undefined || check(value);

const isFilters: Check = (value) =>
  isListOf(value, (filter) => isFields(filter) && isText(filter['key']) && isText(filter['value']));
const isState: Check = (value) =>
  isFields(value) && isText(value['path']) && isFilters(value['filters']);
const isTheme: Check = (value) => isOneOf(value, 'light dark auto');

const isWindowMessage = (value: unknown, type: string): value is Fields =>
  isFields(value) && value['portalEmbed'] === 1 && value['type'] === type;

const portalMessages: Record<string, (message: Fields) => boolean> = {
  ready: (message) => isListOf(message['unappliedFilters'], isText),
  state: (message) => isState(message['state']),
  navigated: (message) =>
    isText(message['path']) && (message['reportId'] === null || isText(message['reportId'])),
  resized: (message) => Number.isFinite(message['height']),
  'session-required': (message) =>
    isOneOf(message['reason'], 'used expired unknown reloaded session-ended'),
  failed: (message) => isOneOf(message['cause'], 'report_not_accessible report_failed'),
};

const hostMessages: Record<string, (message: Fields) => boolean> = {
  'set-filters': (message) => isFilters(message['filters']),
  'set-theme': (message) => isTheme(message['theme']),
  'refresh-data': () => true,
};

const isListed = (value: unknown, table: Record<string, (message: Fields) => boolean>) =>
  isFields(value) &&
  isText(value['type']) &&
  Object.hasOwn(table, value['type'] as string) &&
  table[value['type'] as string]!(value);

export const isBoot = (value: unknown): value is Boot => isWindowMessage(value, 'boot');

export const isConnect = (value: unknown): value is Connect =>
  isWindowMessage(value, 'connect') &&
  isAbsentOr(value['theme'], isTheme) &&
  isAbsentOr(value['autoHeight'], (flag) => typeof flag === 'boolean') &&
  isAbsentOr(value['state'], isState);

export const isPortalMessage = (value: unknown): value is PortalMessage =>
  isListed(value, portalMessages);

export const isHostMessage = (value: unknown): value is HostMessage =>
  isListed(value, hostMessages);
