// jest's runtime, except that a worker loads packages and the modules of `src` once. Evaluating
// mongoose, zod and the Temporal SDK again for each test file took a third of all CPU, and evaluating
// `src` again took a tenth of the rest. Node itself loads the packages. Modules of `test` are evaluated
// for each file, but compiled once per worker. Objects made by a package must be of the same realm as
// the test, so both run in the worker's own (own-realm-environment.cjs).
const { builtinModules } = require('node:module');
const { join } = require('node:path');
const { compileFunction } = require('node:vm');
const { default: JestRuntime } = require('jest-runtime');

// The Temporal SDK loads converters by their file name.
require('./read-typescript.cjs');

const OWN = /^(?:[./]|node:|@jest\/)/;
const BUILT_IN = new Set(builtinModules);
const isPackage = (name) => !OWN.test(name) && !BUILT_IN.has(name);

/**
 * By file name. A compiled function holds no state of an evaluation: each call makes its own
 * module.
 */
const compiled = new Map();

function compileOnce(source, filename, parameters) {
  const known = compiled.get(filename);
  if (known?.source === source && known.parameters.join() === parameters.join()) return known.run;
  const run = compileFunction(source, parameters, { filename });
  compiled.set(filename, { source, parameters, run });
  return run;
}

const SRC = join(__dirname, '..', '..', 'src', '/');
/** This file changes registries of `src`, so its modules are its own. */
const CHANGES_SRC = join(__dirname, '..', 'kinds', 'toy-kind.test.ts');

/** The modules of `src` by file name, evaluated. */
const evaluated = new Map();

class SharedPackagesRuntime extends JestRuntime {
  constructor(...args) {
    super(...args);
    const { executor } = this;
    executor.compile = (source, filename) =>
      compileOnce(source, filename, executor.injectedModuleParameters);
    if (this._testPath === CHANGES_SRC) return;
    const modules = this.registries.getActiveCjsRegistry();
    for (const [filename, module] of evaluated) modules.set(filename, module);
  }

  teardown() {
    if (this._testPath !== CHANGES_SRC)
      for (const [filename, module] of this.registries.getActiveCjsRegistry())
        if (module.loaded && filename.startsWith(SRC)) evaluated.set(filename, module);
    super.teardown();
  }

  requireModuleOrMock(from, name) {
    return isPackage(name) ? require(name) : super.requireModuleOrMock(from, name);
  }
}

module.exports = SharedPackagesRuntime;
