// Loaded before a process under test: a machine whose calendar is wrong by SKEW_MS. Its monotonic clock is not.
const skewMs = Number(process.env.SKEW_MS ?? 0);
const trueNow = Date.now;
const now = () => trueNow() + skewMs;

globalThis.Date = new Proxy(Date, {
  construct: (target, given, caller) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, caller),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
