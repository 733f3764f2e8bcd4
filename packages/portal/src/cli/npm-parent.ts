/**
 * Sends SIGTERM to this process when npm or npx, which started it, has ended: neither passes the
 * signals on, so a process that they leave behind notices only that its parent has changed.
 *
 * @param parent the process id of npm; default the current parent
 */
export function stopWithNpm(parent: number = process.ppid): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  watch.unref();
}
