// The environment of tests with shared packages (shared-packages.cjs): the test runs in the
// worker's own realm, and each file leaves the realm as it found it.
const asyncHooks = require('node:async_hooks');
const { LegacyFakeTimers, ModernFakeTimers } = require('@jest/fake-timers');
const MeasuredEnvironment = require('./measured-environment.cjs');

const timerConfig = { idToRef: (id) => id, refToId: (timer) => timer };
const { global } = globalThis;
const REPLACED = [
  [global, 'console'],
  [process, 'getBuiltinModule'],
  [process, 'exit'],
].map(([holder, key]) => ({ holder, key, value: holder[key] }));

/** Context stores that were created since they were last disabled. */
const stores = new Set();

asyncHooks.AsyncLocalStorage = class AsyncLocalStorage extends asyncHooks.AsyncLocalStorage {
  constructor(...args) {
    super(...args);
    stores.add(this);
  }

  /**
   * Every promise of a worker pays for each store in use; the store of a shared package comes back
   * when it is used.
   */
  static disableAll() {
    for (const store of stores) store.disable();
    stores.clear();
  }
};

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
    asyncHooks.AsyncLocalStorage.disableAll();
  }
}

module.exports = OwnRealmEnvironment;
