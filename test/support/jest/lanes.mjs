// Which test files run at the same time. Many wait for other processes most of the time, so that a fixed number of them leaves
// processors idle at one time and keeps them too busy at another.
import { cpus } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { weightOf } from './schedule.mjs';

/** @typedef {import('@jest/test-result').Test} Test */

const lookEveryMs = 2_000;
/** Of all processors together, from which on they count as idle. */
const idleShare = 0.2;
/** How many times more lanes there may be while processors are idle. */
const idleFactor = 1.6;

/**
 * Runs tests in their order, `lanes` at a time, of which only some may start processes: together they would keep each other from
 * the processors until their time limits pass. While processors are idle, one more starts every two seconds, of any kind.
 * @param {Test[]} tests
 * @param {number} lanes
 * @param {(test: Test) => Promise<void>} run
 */
export async function runInLanes(tests, lanes, run) {
  const queue = [...tests];
  /** @type {Set<Promise<void>>} */
  const running = new Set();
  const most = { all: Math.ceil(lanes * idleFactor), starting: maxStartingProcesses(lanes) };
  let starting = 0;

  /** @param {Test} test */
  async function start(test) {
    const counts = startsProcesses(test) ? 1 : 0;
    starting += counts;
    await run(test);
    starting -= counts;
  }

  /** Whether there was a test to start. @param {(test: Test) => boolean} may */
  function startNext(may) {
    const at = queue.findIndex(may);
    const [test] = at === -1 ? [] : queue.splice(at, 1);
    if (!test) return false;
    const ended = start(test).finally(() => running.delete(ended));
    running.add(ended);
    return true;
  }

  const isIdle = watchProcessors();
  while (queue.length > 0 || running.size > 0) {
    const mayStart = (/** @type {Test} */ test) =>
      starting < most.starting || !startsProcesses(test);
    while (running.size < lanes && startNext(mayStart));
    if (running.size < most.all && isIdle()) startNext(() => true);
    await Promise.race([...running, pause(lookEveryMs, undefined, { ref: false })]);
  }
}

const startsProcesses = (/** @type {Test} */ { path }) => weightOf(path).startsProcesses;

/**
 * A third of the lanes is for files that start none.
 * @param {number} lanes
 */
const maxStartingProcesses = (lanes) => Math.max(1, Math.ceil((lanes * 3) / 5));

/** Returns a function that says whether processors were idle since its last look, which is at least two seconds ago. */
function watchProcessors() {
  let last = processorTimes();
  let lookedAt = performance.now();
  return () => {
    if (performance.now() - lookedAt < lookEveryMs) return false;
    const now = processorTimes();
    const share = (now.idle - last.idle) / Math.max(1, now.all - last.all);
    [last, lookedAt] = [now, performance.now()];
    return share > idleShare;
  };
}

function processorTimes() {
  const times = cpus().map((one) => one.times);
  const sum = (/** @type {(time: import('node:os').CpuInfo['times']) => number} */ of) =>
    times.reduce((total, time) => total + of(time), 0);
  return {
    idle: sum(({ idle }) => idle),
    all: sum(({ user, nice, sys, irq, idle }) => user + nice + sys + irq + idle),
  };
}
