// Sorts the test files of a run of jest. The longest files come first, by the times in test/times.json, so that no long
// file starts last. Files without a time come after them, sorted by size.
const times = require('../times.json');
const { relative } = require('node:path');

const secondsOf = ({ path, context }) =>
  times.elapsedSeconds[relative(context.config.rootDir, path)] ?? 0;
const sizeOf = ({ path, context }) => context.hasteFS.getSize(path) ?? 0;

class LongestFirst {
  sort(tests) {
    return [...tests].sort((a, b) => secondsOf(b) - secondsOf(a) || sizeOf(b) - sizeOf(a));
  }

  shard(tests) {
    return tests;
  }

  allFailedTests(tests) {
    return tests;
  }

  cacheResults() {}
}

module.exports = LongestFirst;
