import { isNumber, isOptionalNumber, isOptionalText, isText, matches } from './checks.ts';
import type { Shapes } from './checks.ts';
import type { ConnectMessage, HostMessage } from './schemas.ts';

const frameOptions: Shapes[string] = {
  theme: (theme) => [undefined, 'light', 'dark', 'auto'].includes(theme as string),
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
