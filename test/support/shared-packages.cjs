// The runtime of jest, except that packages are loaded once per worker, by Node itself. Evaluating mongoose, zod and
// the Temporal SDK again for each test file took a third of all CPU. Our own modules are still evaluated for each file,
// but compiled once per worker. Objects made by a package must be of the same realm as the test, so packages and tests
// run in the worker's own realm (own-realm-environment.cjs).
const { builtinModules, createRequire } = require('node:module');
const { compileFunction } = require('node:vm');
const { default: JestRuntime } = require('jest-runtime');

// Lets Node load TypeScript, because the Temporal SDK loads converters by their file name.
require('./read-typescript.cjs');

const OWN = /^(?:[./]|node:|@jest\/)/;
const BUILT_IN = new Set(builtinModules);
const isPackage = (name) => !OWN.test(name) && !BUILT_IN.has(name);

/**
 * Compiled functions by file name. A compiled function contains no state of an evaluation, because each call creates
 * its own module.
 */
const compiled = new Map();

function compileOnce(source, filename, parameters) {
  const known = compiled.get(filename);
  if (known?.source === source && known.parameters.join() === parameters.join()) return known.run;
  const run = compileFunction(source, parameters, { filename });
  compiled.set(filename, { source, parameters, run });
  return run;
}

class SharedPackagesRuntime extends JestRuntime {
  constructor(...args) {
    super(...args);
    const { executor } = this;
    executor.compile = (source, filename) =>
      compileOnce(source, filename, executor.injectedModuleParameters);
  }

  requireModuleOrMock(from, name) {
    return isPackage(name) ? createRequire(from)(name) : super.requireModuleOrMock(from, name);
  }
}

module.exports = SharedPackagesRuntime;
