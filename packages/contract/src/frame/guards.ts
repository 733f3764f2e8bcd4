// Written without zod, which is larger than the whole component. A test compares them with the schemas.
import type { CustomFilter } from '../fields/filters.ts';
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

const isIndex = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;

const isState = (value: unknown) => {
  const { path, scroll, page } = Object(value) as Fields;
  return isText(path) && Number.isFinite(scroll) && (page === undefined || isIndex(page));
};

// `typeof` says number for NaN, zod does not.
const isOptionalId = (value: unknown) => value === undefined || Number.isFinite(value);

export const isBoot = (value: unknown): value is BootMessage => {
  const { portalEmbed, type, accepts } = Object(value) as Fields;
  return portalEmbed === 1 && type === 'boot' && (accepts === undefined || areTexts(accepts));
};

export const isPortalMessage = (value: unknown): value is PortalMessage => {
  const { type, id, unappliedFilters, path, reportId, height, cause, format, key } = Object(
    value,
  ) as Fields;
  switch (type) {
    case 'ready':
      return isOptionalId(id) && areTexts(unappliedFilters);
    case 'navigated':
      return isText(path) && (reportId === null || isText(reportId));
    case 'resized':
      return Number.isFinite(height);
    case 'session-required':
      return isOptionalId(id);
    case 'failed':
      return (
        isOptionalId(id) &&
        // Spelled out: the list of the schema would bring zod with it.
        [
          'report_not_accessible',
          'report_failed',
          'filters_not_applied',
          'blocked_by_portal',
        ].includes(cause as string)
      );
    case 'exported':
      return isText(format) && isText(reportId);
    case 'key':
      return key === 'Escape';
    case 'reopen':
      return Number.isFinite(id);
    default:
      return type === 'state' || type === 'leaving';
  }
};

const areFrameOptions = ({ theme, accentColor, locale, autoHeight }: Fields) =>
  [undefined, 'light', 'dark', 'auto'].includes(theme as string) &&
  (accentColor === undefined || isText(accentColor)) &&
  (locale === undefined || isText(locale)) &&
  (autoHeight === undefined || typeof autoHeight === 'boolean');

export const isHostMessage = (value: unknown): value is HostMessage => {
  const message = Object(value) as Fields;
  const { type, url, id, format, tile } = message;
  if (type === 'open') return isText(url) && Number.isFinite(id);
  if (type === 'print') return true;
  if (type === 'export')
    return (
      ['csv', 'xlsx', 'png'].includes(format as string) && (tile === undefined || isText(tile))
    );
  return type === 'set-options' && areFrameOptions(message);
};

export const isConnect = (value: unknown): value is ConnectMessage => {
  const message = Object(value) as Fields;
  const { portalEmbed, type, state } = message;
  return (
    portalEmbed === 1 &&
    type === 'connect' &&
    (state === undefined || isState(state)) &&
    areFrameOptions(message)
  );
};
