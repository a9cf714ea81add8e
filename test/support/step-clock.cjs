// Preloaded into a process of the service. Its wall clock is shifted by the number of milliseconds in the file
// KEEPWATCH_TEST_CLOCK_FILE. A change of the file takes effect after a tenth of a second. Timers and performance.now()
// continue as they do when a machine's clock is set. Native code is not shifted.
const { readFileSync } = require('node:fs');
const { performance } = require('node:perf_hooks');

const READ_EVERY_MS = 100;
const file = process.env.KEEPWATCH_TEST_CLOCK_FILE;
const RealDate = Date;
const realNow = Date.now;
let offsetMs = 0;
let readAtMs = -Infinity;

function offset() {
  const nowMs = performance.now();
  if (nowMs - readAtMs < READ_EVERY_MS) return offsetMs;
  readAtMs = nowMs;
  try {
    offsetMs = Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    offsetMs = 0;
  }
  return offsetMs;
}

const now = () => realNow() + offset();
RealDate.now = now;
globalThis.Date = new Proxy(RealDate, {
  apply: () => new RealDate(now()).toString(),
  construct: (target, given, made) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, made),
});
