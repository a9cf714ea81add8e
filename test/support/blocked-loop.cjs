// A process whose event loop is blocked, or only seems to be blocked. The test of the event loop watch runs this
// program.
require('./read-typescript.cjs');
const { beginWork, watchEventLoop } = require('../../src/platform/watch-event-loop.ts');

const [, , stillMs, does] = process.argv;
watchEventLoop('test', Number(stillMs));
process.stdout.write('watching\n');

if (does === 'blocks') {
  beginWork('activity done')();
  beginWork('GET /v1/monitors');
  setTimeout(() => {
    beginWork('POST /v1/apply');
    for (;;);
  }, 50);
} else {
  // Runs long turns for twice the limit. Each turn is shorter than the limit.
  const endsAt = performance.now() + Number(stillMs) * 2;
  const turn = () => {
    const until = performance.now() + Number(stillMs) / 4;
    while (performance.now() < until);
    if (performance.now() < endsAt) setTimeout(turn, Number(stillMs) / 8);
    else process.exit(0);
  };
  turn();
}
