import {
  areTexts,
  isNumber,
  isOptionalNumber,
  isOptionalText,
  isText,
  matches,
  maxViewLength,
} from './checks.ts';
import type { Shapes } from './checks.ts';
import type { BootMessage, PortalMessage } from './schemas.ts';

const boot: Shapes = {
  boot: {
    portalEmbed: (version) => version === 1,
    accepts: (names) => names === undefined || areTexts(names),
  },
};

const portalMessages: Shapes = {
  leaving: {},
  ready: { id: isOptionalNumber, unappliedFilters: areTexts },
  'session-required': { id: isOptionalNumber },
  failed: {
    id: isOptionalNumber,
    // Spelled out: the list of the schema would bring zod with it.
    cause: (cause) =>
      [
        'report_not_accessible',
        'report_failed',
        'filters_not_applied',
        'blocked_by_portal',
        'blocked_by_host',
      ].includes(cause as string),
  },
  reopen: { id: isNumber },
  view: {
    id: isOptionalNumber,
    view: (view) => isText(view) && view.length <= maxViewLength,
    scroll: isNumber,
  },
  navigated: { path: isText, reportId: (id) => id === null || isText(id) },
  selected: { field: isText, values: Array.isArray, grain: isOptionalText },
  exported: { format: isText, reportId: isText },
  resized: { height: isNumber },
  key: { key: (key) => key === 'Escape' },
};

export const isBoot = (value: unknown): value is BootMessage => matches(value, boot);

export const isPortalMessage = (value: unknown): value is PortalMessage =>
  matches(value, portalMessages);
