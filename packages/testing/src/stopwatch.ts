const tickMs = 10;

/**
 * Measures time as this process has it, for an upper bound that holds at any speed of the machine:
 * what a busy machine keeps from the process does not count, what the process waits for does.
 *
 * @returns how to stop it and read the milliseconds
 */
export function startStopwatch(): () => number {
  let ticks = 0;
  // Ticks that are overdue are not made up for.
  const timer = setInterval(() => (ticks += 1), tickMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    return ticks * tickMs;
  };
}
