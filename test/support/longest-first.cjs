// The order of test files within a run of jest: the longest first, so that none begins when the others are
// about to end. longest-first.json names those of half a minute or more; the rest go by their size, as jest
// has them all on a clean clone, where a file that waits long may be small.
const { longest } = require('./longest-first.json');

const rankOf = ({ path }) => {
  const found = longest.findIndex((name) => path.endsWith(name));
  return found < 0 ? longest.length : found;
};
const sizeOf = ({ path, context }) => context.hasteFS.getSize(path) ?? 0;

class LongestFirst {
  sort(tests) {
    return [...tests].sort((a, b) => rankOf(a) - rankOf(b) || sizeOf(b) - sizeOf(a));
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
