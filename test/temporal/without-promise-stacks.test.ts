/** The preload of orchestrators, and the programs that get it. */
import { promiseHooks } from 'node:v8';
import { callOwnProgram } from '../../src/embedded/own-program';

const { createHook } = promiseHooks;
afterEach(() => {
  promiseHooks.createHook = createHook;
});

/** The number of promises that a hook like the SDK's sees. */
function countSeen(): number {
  let seen = 0;
  const stop = promiseHooks.createHook({
    init: () => {
      seen += 1;
    },
  });
  void Promise.resolve().then(() => undefined);
  stop();
  return seen;
}

test('with the preload of orchestrators, a hook of V8 sees no promises, and errors keep their stacks', () => {
  expect(countSeen()).toBeGreaterThan(0);
  jest.requireActual('../../src/temporal/runtime/without-promise-stacks');
  expect(countSeen()).toBe(0);
  expect(new Error('for its stack').stack).toContain('    at ');
});

test('only the orchestrator of npm start gets the preload', () => {
  const { args } = callOwnProgram('main/orchestrator');
  expect(args[args.indexOf('--require') + 1]).toMatch(/without-promise-stacks\.js$/);
  for (const name of ['main/api', 'main/probe', 'embedded/database/main'])
    expect(callOwnProgram(name).args).not.toContain('--require');
});
