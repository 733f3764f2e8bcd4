/**
 * Stops this process as SIGTERM does once npm, which started it, is gone: npm passes SIGTERM on to
 * nobody, so that it has gone shows only in who our parent is.
 */
export function stopWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  watch.unref();
}
