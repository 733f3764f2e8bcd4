// Written without zod, which is larger than the whole component. A test compares them with the schemas.
import type { CustomFilter } from '../fields/display.ts';
import type { BootMessage, ConnectMessage, HostMessage, PortalMessage } from './schemas.ts';

type Fields = Record<string, unknown>;

const isText = (value: unknown) => typeof value === 'string';

// Both checks spread the array, because `every` skips the holes of a sparse array.
const areTexts = (value: unknown) => Array.isArray(value) && [...value].every(isText);

/** Whether the value is a list of filters with text keys and values. */
export const areFilters = (value: unknown): value is CustomFilter[] =>
  Array.isArray(value) &&
  [...(value as (Fields | undefined)[])].every(
    (filter) => isText(filter?.['key']) && isText(filter['value']),
  );

const isTheme = (value: unknown) => ['light', 'dark', 'auto'].includes(value as string);

const isState = (value: unknown) => {
  const { path, scroll } = Object(value) as Fields;
  return isText(path) && Number.isFinite(scroll);
};

export const isBoot = (value: unknown): value is BootMessage =>
  (value as Fields | undefined)?.['portalEmbed'] === 1 && (value as Fields)['type'] === 'boot';

export const isPortalMessage = (value: unknown): value is PortalMessage => {
  const message = value as Fields;
  const type = (message as Fields | null)?.['type'];
  if (type === 'ready') return areTexts(message['unappliedFilters']);
  if (type === 'navigated')
    return isText(message['path']) && (message['reportId'] === null || isText(message['reportId']));
  if (type === 'resized') return Number.isFinite(message['height']);
  if (type === 'failed')
    return ['report_not_accessible', 'report_failed', 'filters_not_applied'].includes(
      message['cause'] as string,
    );
  return type === 'state' || type === 'session-required';
};

export const isHostMessage = (value: unknown): value is HostMessage => {
  const { type, theme, state } = Object(value) as Fields;
  if (type === 'set-theme') return theme === undefined || isTheme(theme);
  return type === 'state' && isState(state);
};

export const isConnect = (value: unknown): value is ConnectMessage => {
  const { portalEmbed, type, theme, state, autoHeight } = Object(value) as Fields;
  return (
    portalEmbed === 1 &&
    type === 'connect' &&
    (theme === undefined || isTheme(theme)) &&
    (state === undefined || isState(state)) &&
    (autoHeight === undefined || typeof autoHeight === 'boolean')
  );
};
