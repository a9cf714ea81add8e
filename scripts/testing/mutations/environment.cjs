// The environment of a test file in which at most one mutant is active. It records which mutants the test file reaches,
// and stops loops that a mutant has made endless.
const OwnRealmEnvironment = require('../../../test/support/own-realm-environment.cjs');

/** Set by the runner before each test file. */
const current = { awake: null, loopsMax: Number.POSITIVE_INFINITY, reached: new Set(), loops: 0 };

class MutantEnvironment extends OwnRealmEnvironment {
  async setup() {
    await super.setup();
    const { awake, reached } = current;
    const survey = (id) => {
      reached.add(id);
      return false;
    };
    this.global.__mutant = awake === null ? survey : (id) => id === awake;
    this.global.__loop = () => {
      current.loops += 1;
      if (current.loops > current.loopsMax) throw new Error('the mutant never ends');
    };
  }
}

module.exports = MutantEnvironment;
module.exports.current = current;
