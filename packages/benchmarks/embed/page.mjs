import '../../react/test/browser/meter.ts';
import { createRoot } from 'react-dom/client';
import { mount } from 'subject';

const pause = (ms) =>
  new Promise((done) => {
    setTimeout(done, ms);
  });

let mints = 0;
const fetchToken = async () => {
  mints++;
  const response = await fetch('/token', { method: 'POST' });
  return response.text();
};

/** Mounts and unmounts at random instants; what is open afterwards, less what was before. */
window.measure = async (portal, times) => {
  // React adds listeners with the first root and keeps them.
  createRoot(document.createElement('div')).render(null);
  await pause(100);
  const before = window.meter.count();
  for (let time = 0; time < times; time++) {
    const container = document.createElement('div');
    document.body.append(container);
    const unmount = mount(container, { portal, fetchToken });
    await pause(Math.random() * 300);
    unmount();
    container.remove();
  }
  await pause(1_500);
  const after = window.meter.count();
  const left = Object.fromEntries(
    Object.keys(after).map((kind) => [kind, after[kind] - before[kind]]),
  );
  return { mints, ...left };
};

/** What one mount that stays costs. */
window.mountOnce = async (portal) => {
  mints = 0;
  const container = document.createElement('div');
  document.body.append(container);
  const unmount = mount(container, { portal, fetchToken });
  await pause(1_000);
  const result = { mints, frames: document.querySelectorAll('iframe').length };
  unmount();
  return result;
};
