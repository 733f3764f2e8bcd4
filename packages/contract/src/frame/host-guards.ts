import { areTexts, isNumber, isOptionalNumber, isOptionalText, isText, matches } from './checks.ts';
import type { Shapes } from './checks.ts';
import type { ConnectMessage, HostMessage } from './schemas.ts';

const isOptionalMode = (mode: unknown) =>
  [undefined, 'light', 'dark', 'auto'].includes(mode as string);

function isLook(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { mode, font, radius, density, palette } = value as Record<string, unknown>;
  return (
    isOptionalMode(mode) &&
    [font, radius, density].every(isOptionalText) &&
    (palette === undefined || areTexts(palette))
  );
}

const frameOptions: Shapes[string] = {
  theme: (theme) => isOptionalMode(theme) || isLook(theme),
  accentColor: isOptionalText,
  locale: isOptionalText,
  autoHeight: (value) => value === undefined || typeof value === 'boolean',
};

const connect: Shapes = {
  connect: {
    ...frameOptions,
    portalEmbed: (version) => version === 1,
    view: isOptionalText,
    scroll: isOptionalNumber,
  },
};

const hostMessages: Shapes = {
  open: { url: isText, id: isNumber, view: isOptionalText },
  'set-view': { view: isText },
  'set-options': frameOptions,
  export: {
    format: (format) => ['csv', 'xlsx', 'png'].includes(format as string),
    tile: isOptionalText,
  },
  print: {},
};

export const isHostMessage = (value: unknown): value is HostMessage => matches(value, hostMessages);

export const isConnect = (value: unknown): value is ConnectMessage => matches(value, connect);
