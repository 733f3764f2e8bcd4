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

/** Returns whether the next page of the origin is asked for with an embedder policy. */
export function toggleIsolation(origin: string): boolean {
  // The second time, the reason was another one.
  if (isolated.delete(origin)) return false;
  isolated.add(origin);
  return true;
}
