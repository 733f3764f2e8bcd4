/**
 * Sends SIGTERM to this process when npm or npx, which started it, has exited. Neither forwards
 * signals, so the only sign is that this process has another parent.
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
