// Reports the times in which a process got no processor. On a busy machine they cost it its leases, as a fault does.

// The clock of the process may be set later.
const { now } = Date;

const lookEveryMs = 200;
const stalledMs = 700;

/** Returns a function that ends it. @param {(stall: { from: number, until: number }) => void} report */
export function watchStalls(report) {
  let last = now();
  const timer = setInterval(() => {
    const until = now();
    if (until - last > lookEveryMs + stalledMs) report({ from: last, until });
    last = until;
  }, lookEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}
