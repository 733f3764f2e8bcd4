/** Path of the page about an error, at each address of the portal. Default: that of all errors. */
export const errorPagePath = (code?: string): string =>
  code === undefined ? '/docs/errors' : `/docs/errors/${code}`;
