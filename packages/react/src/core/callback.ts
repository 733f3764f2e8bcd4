/** Calls a callback of the host. It is async, so an error becomes an unhandled rejection. */
export const invokeCallback = async <Detail>(
  callback: ((detail: Detail) => void) | undefined,
  detail: Detail,
) => callback?.(detail);
