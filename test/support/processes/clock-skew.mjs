// Loaded before a process under test: shifts its wall clock by SKEW_MS, and not its monotonic clock.
const skewMs = Number(process.env.SKEW_MS ?? 0);
const trueNow = Date.now;
const now = () => trueNow() + skewMs;

globalThis.Date = new Proxy(Date, {
  construct: (target, given, caller) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, caller),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
