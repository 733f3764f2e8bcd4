/**
 * Whether the portal keeps an `X-Request-Id` that a caller has chosen: letters, digits, `_`, `-` and
 * `.`, up to 128, and no run of 43 or more without a dot. That would have the form of a secret, which
 * a log blacks out.
 */
export const isRequestId = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w.-]{1,128}$/.test(value) && !/[\w-]{43}/.test(value);
