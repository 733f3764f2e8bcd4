const tickMs = 10;

/**
 * Measures the time in which this process could run, for an upper bound that also holds on a busy
 * machine: time that other processes take does not count, time spent waiting does.
 *
 * @returns how to stop it and read the milliseconds
 */
export function startStopwatch(): () => number {
  let ticks = 0;
  // Ticks that are overdue are dropped.
  const timer = setInterval(() => (ticks += 1), tickMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    return ticks * tickMs;
  };
}
