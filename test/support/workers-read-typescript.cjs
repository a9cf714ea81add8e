// Makes worker threads that a test starts from a TypeScript file compile the file when they load it.
const threads = require('node:worker_threads');

const LOADER = require.resolve('./read-typescript.cjs');

if (threads.Worker.readsTypeScript !== true) {
  threads.Worker = class Worker extends threads.Worker {
    static readsTypeScript = true;

    constructor(file, options = {}) {
      const isTypeScript = typeof file === 'string' && file.endsWith('.ts');
      super(file, isTypeScript ? { ...options, execArgv: ['--require', LOADER] } : options);
    }
  };
}
