// If a property fails because of a mutant, no smaller counterexample is needed.
if (globalThis[Symbol.for('hasProperties')] === true)
  require('fast-check').configureGlobal({ endOnFailure: true });
