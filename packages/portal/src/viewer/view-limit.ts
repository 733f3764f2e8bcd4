import { PortalError } from '../errors.ts';
import type { Session } from '../identity/service.ts';

/** Reports that one session may have computed at the same time; its page asks for one. */
const maxAtOnce = 3;

/** Keeps one session from occupying the platform that all of them share. */
export function createViewLimit() {
  const underWay = new Map<string, number>();

  return async function limitViews<Result>(
    { bearerHash }: Session,
    view: () => Promise<Result>,
  ): Promise<Result> {
    const key = bearerHash.toString('base64');
    const count = underWay.get(key) ?? 0;
    if (count >= maxAtOnce)
      throw new PortalError(
        'rate_limited',
        'This page asks for too many reports at once. Try again when one of them is there.',
        undefined,
        1,
      );
    underWay.set(key, count + 1);
    try {
      return await view();
    } finally {
      const left = underWay.get(key)! - 1;
      if (left === 0) underWay.delete(key);
      else underWay.set(key, left);
    }
  };
}
