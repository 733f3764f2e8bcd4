/** What the page has shown since the last reset. */
export interface Sampler {
  /** Users whose reports may be visible. */
  users: string[];
  /** Violations of the rules below, each with its time. */
  violations: string[];
  /** Sets the document that contains the embed. */
  watch: (document: Document) => void;
}

declare global {
  interface Window {
    sampler: Sampler;
  }
}

/**
 * Runs in every frame before its scripts. In each animation frame, a frame of the portal sends its
 * heading to the host page, and the host page checks that there is one frame at most, and that a
 * visible frame shows no other user's report.
 */
export const sample = () => {
  const eachFrame = (act: () => void) => {
    act();
    requestAnimationFrame(() => eachFrame(act));
  };

  if (window !== window.top) {
    let last: string | undefined;
    eachFrame(() => {
      const heading = document.querySelector('h1')?.textContent ?? '';
      if (heading !== last) window.top!.postMessage({ heading }, '*');
      last = heading;
    });
    return;
  }

  const headings = new Map<unknown, string>();
  let watched = document;
  const sampler: Sampler = (window.sampler = {
    users: [],
    violations: [],
    watch(next) {
      watched = next;
      observer.disconnect();
      observer.observe(next, { childList: true, subtree: true });
    },
  });
  const note = (violation: string) => {
    if (sampler.violations.length < 5)
      sampler.violations.push(`${violation} at ${Math.round(performance.now())} ms`);
  };
  addEventListener('message', ({ source, data }) => {
    const { heading } = Object(data) as { heading?: string };
    if (heading !== undefined) headings.set(source, heading);
  });
  const countFrames = () => {
    const { length } = watched.querySelectorAll('iframe');
    if (length > 1) note(`${length} frames`);
  };
  const observer = new MutationObserver(countFrames);
  sampler.watch(document);
  eachFrame(() => {
    for (const { style, contentWindow } of watched.querySelectorAll('iframe')) {
      const [, user] = /^Report \d+\.(\w+)/.exec(headings.get(contentWindow) ?? '') ?? [];
      if (user && style.opacity !== '0' && !sampler.users.includes(user))
        note(`${headings.get(contentWindow)} is visible to ${sampler.users.join()}`);
    }
  });
};
