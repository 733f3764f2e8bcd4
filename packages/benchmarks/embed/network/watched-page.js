/**
 * Runs in every frame before its own scripts. A frame of the portal sends its first number to the top
 * page after each paint that changes it. The top page notes, for each of its animation frames, whether
 * a visible frame has a number, and since when it shows which one. It works the same for every subject.
 */
const now = () => performance.timeOrigin + performance.now();
/** Called in an animation frame, it runs after that frame is painted. */
const afterPaint = (act) => setTimeout(() => act());
const eachFrame = (act) => {
  act();
  requestAnimationFrame(() => eachFrame(act));
};
const readTimes = () =>
  [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map(
    ({ name, startTime, responseStart, responseEnd }) => ({
      path: new URL(name).pathname,
      sentAt: performance.timeOrigin + startTime,
      firstByteAt: performance.timeOrigin + responseStart,
      receivedAt: performance.timeOrigin + responseEnd,
    }),
  );

let sentText;
const sendText = () => {
  const text = document.querySelector('.kpi-value')?.textContent ?? '';
  if (text === sentText) return;
  sentText = text;
  afterPaint(() =>
    window.top.postMessage({ shownText: text, at: now(), times: text ? readTimes() : [] }, '*'),
  );
};

/** What each frame shows, by its window. */
const shown = new Map();
const visibleSince = new WeakMap();
const isVisible = (frame) => getComputedStyle(frame).opacity !== '0';
const findVisible = () => [...document.querySelectorAll('iframe')].filter(isVisible);
const countFrames = (node) =>
  node instanceof HTMLElement
    ? node.querySelectorAll('iframe').length + Number(node.matches('iframe'))
    : 0;
const watched = {
  /** Animation frames: their times, and whether a report was visible. */
  samples: [],
  created: 0,
  readTimes,
  reset() {
    watched.samples = [];
    watched.created = 0;
  },
  /** Returns since when a visible frame shows the text; `undefined` if none does. */
  find(text) {
    for (const frame of findVisible()) {
      const state = shown.get(frame.contentWindow);
      if (state?.text !== text || !visibleSince.has(frame)) continue;
      return { at: Math.max(state.at, visibleSince.get(frame)), times: state.times };
    }
    return undefined;
  },
};
const sampleFrames = () => {
  const visible = findVisible();
  for (const frame of document.querySelectorAll('iframe')) {
    if (!visible.includes(frame)) visibleSince.delete(frame);
    else if (!visibleSince.has(frame))
      afterPaint(() => visibleSince.has(frame) || visibleSince.set(frame, now()));
  }
  const hasReport = visible.some((frame) => shown.get(frame.contentWindow)?.text);
  watched.samples.push({ at: now(), hasReport });
};

if (window === window.top) {
  window.watched = watched;
  window.addEventListener('message', ({ source, data }) => {
    if (typeof data?.shownText !== 'string') return;
    shown.set(source, { text: data.shownText, at: data.at, times: data.times });
  });
  new MutationObserver((records) => {
    for (const { addedNodes } of records)
      for (const node of addedNodes) watched.created += countFrames(node);
  }).observe(document, { childList: true, subtree: true });
  eachFrame(sampleFrames);
} else eachFrame(sendText);
