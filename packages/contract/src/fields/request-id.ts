/**
 * Whether the portal uses the `X-Request-Id` of a caller: 1 to 128 letters, digits, `_`, `-` and `.`.
 * A run of 43 or more without a dot is not allowed, because logs redact it as a secret.
 */
export const isRequestId = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w.-]{1,128}$/.test(value) && !/[\w-]{43}/.test(value);
