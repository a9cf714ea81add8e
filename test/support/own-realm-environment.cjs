// The environment of tests whose packages are shared (shared-packages.cjs): the test runs in the worker's own realm,
// which each file leaves as it found it.
const { LegacyFakeTimers, ModernFakeTimers } = require('@jest/fake-timers');
const MeasuredEnvironment = require('./measured-environment.cjs');

const timerConfig = { idToRef: (id) => id, refToId: (timer) => timer };
const { global } = globalThis;
const REPLACED = [
  [global, 'console'],
  [process, 'getBuiltinModule'],
  [process, 'exit'],
].map(([holder, key]) => ({ holder, key, value: holder[key] }));

class OwnRealmEnvironment extends MeasuredEnvironment {
  constructor(settings, context) {
    super(settings, context);
    const { moduleMocker } = this;
    const config = settings.projectConfig;
    this.found = new Set(Reflect.ownKeys(global));
    this.global = global;
    this.fakeTimers = new LegacyFakeTimers({ config, global, moduleMocker, timerConfig });
    this.fakeTimersModern = new ModernFakeTimers({ config, global });
  }

  async teardown() {
    await super.teardown();
    const added = Reflect.ownKeys(global).filter((key) => !this.found.has(key));
    for (const key of added) Reflect.deleteProperty(global, key);
    for (const { holder, key, value } of REPLACED) holder[key] = value;
  }
}

module.exports = OwnRealmEnvironment;
