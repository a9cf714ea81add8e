// The environment of tests with shared packages (shared-packages.cjs). The test runs in the worker's own realm. After
// each file, the environment restores the realm to its state before the file.
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

/** Context stores that were created since the last call of `disableAll`. */
const stores = new Set();

asyncHooks.AsyncLocalStorage = class AsyncLocalStorage extends asyncHooks.AsyncLocalStorage {
  constructor(...args) {
    super(...args);
    stores.add(this);
  }

  /**
   * Disables all stores, because each store in use makes every promise of a worker slower. The store of a shared
   * package is enabled again when the package uses it.
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
