/** Calls as often as so many at once can for a while. Latencies in milliseconds. */
export async function drive(call, concurrency, durationMs) {
  const latencies = [];
  const end = performance.now() + durationMs;
  const loop = async () => {
    for (let now = performance.now(); now < end;) {
      await call();
      const after = performance.now();
      latencies.push(after - now);
      now = after;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, loop));
  latencies.sort((a, b) => a - b);
  const at = (share) => latencies[Math.floor(latencies.length * share)];
  const mints = latencies.length;
  return { mints, perSecond: (mints * 1_000) / durationMs, p50: at(0.5), p99: at(0.99) };
}
