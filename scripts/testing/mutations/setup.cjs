// A property that a mutant fails needs no smaller counterexample.
if (globalThis[Symbol.for('hasProperties')] === true)
  require('fast-check').configureGlobal({ endOnFailure: true });
