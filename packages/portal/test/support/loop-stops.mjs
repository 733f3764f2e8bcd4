/**
 * Preloaded into a portal. Measures the processor time of its main thread between two turns of the event
 * loop: time that other processes take does not count. SIGWINCH prints the longest since the last signal.
 */
import fs from 'node:fs';

const readMs = () =>
  Number(fs.readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ', 1)[0]) /
  1_000_000;

let last = readMs();
let longest = 0;
setInterval(() => {
  const now = readMs();
  longest = Math.max(longest, now - last);
  last = now;
}, 1).unref();

process.on('SIGWINCH', () => {
  fs.writeSync(1, `longest stop: ${longest.toFixed(1)} ms\n`);
  longest = 0;
});
