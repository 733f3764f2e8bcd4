/** What the embeds of the page have learned about portals. It lasts until the page is loaded again. */

/** Whether an origin has a shell: the viewer page without a session (`/embed`). */
export const shells = new Map<string, boolean>();

/** For each host endpoint, the origin of the latest portal whose page accepted `open`. */
export const portals = new Map<string | undefined, string>();

/**
 * Origins that answer but sent no `boot`. The host page may have an embedder policy, so that it frames
 * only pages with such a policy, which these are asked for.
 */
export const isolated = new Set<string>();

/**
 * Call it when a page of the origin is silent. `isIsolated`: it was asked for with an embedder policy.
 * Returns whether the next one is.
 */
export function switchIsolation(origin: string, isIsolated: boolean): boolean {
  // If a page with the policy is silent too, the reason is another one.
  if (isIsolated) isolated.delete(origin);
  else isolated.add(origin);
  return !isIsolated;
}
