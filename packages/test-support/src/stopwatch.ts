const tickMs = 10;

/**
 * Measures the time in which this process could run, for an upper bound that also holds on a busy
 * machine. Time that other processes take does not count; time spent waiting does.
 *
 * @returns a function that stops the stopwatch and returns the milliseconds
 */
export function startStopwatch(): () => number {
  let ticks = 0;
  // An interval drops overdue ticks.
  const timer = setInterval(() => (ticks += 1), tickMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    return ticks * tickMs;
  };
}
