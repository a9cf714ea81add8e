// A process with resources to close and with unhandled errors. The test of the shutdown runs this program.
require('./read-typescript.cjs');
const { createLogger } = require('../../src/platform/logger.ts');
const { createShutdown } = require('../../src/platform/shutdown.ts');

const [, , comes] = process.argv;
const shutdown = createShutdown(createLogger('test', 'info'));
shutdown.listen();
const closing = (name) => async () => {
  process.stdout.write(`${name} closed\n`);
  // Causes another error, as may happen in an unknown state.
  void Promise.reject(new Error(`${name} again`));
  await new Promise(setImmediate);
};
shutdown.onClose('first', closing('first'));
shutdown.onClose('second', closing('second'));
// Keeps the process alive, as a server would.
setInterval(() => undefined, 60_000);

if (comes === 'rejection') void Promise.reject(new Error('left alone'));
else
  setImmediate(() => {
    throw new Error('left alone');
  });
