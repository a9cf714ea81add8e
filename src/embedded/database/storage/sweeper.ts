// Removes the keys of dropped collections and indexes in small transactions. Continues after a crash.
import { DatabaseError } from '../errors';
import { buildNumberRange } from './catalog';
import type { Engine } from './documents';

const KEYS_PER_TRANSACTION = 500;

export class Sweeper {
  private sweeping: Promise<void> = Promise.resolve();
  private isBusy = false;
  private isStopped = false;

  constructor(private readonly engine: Engine) {}

  /** Starts the removal if it is not running yet. Call this after every drop. */
  start(): void {
    if (this.isBusy || this.isStopped) return;
    this.isBusy = true;
    this.sweeping = this.sweep().finally(() => {
      this.isBusy = false;
    });
  }

  private async sweep(): Promise<void> {
    let limit = KEYS_PER_TRANSACTION;
    while (!this.isStopped && this.engine.catalog.nextDiscarded() !== undefined) {
      try {
        await this.engine.store.write(() => this.removeSome(limit), { shrinks: true });
      } catch (error) {
        // If the disk is full, a smaller transaction may still fit. After any other failure, the removal stops until
        // the next `start`.
        if (!(error instanceof DatabaseError) || limit === 1) return;
        limit = limit >> 1;
      }
    }
  }

  private removeSome(limit: number): void {
    const { catalog, store } = this.engine;
    const number = catalog.nextDiscarded();
    if (number === undefined) return;
    const keys = store.table.keys(buildNumberRange(number), limit);
    for (const key of keys) store.table.remove(key);
    if (keys.length < limit) catalog.forgetDiscarded(number);
  }

  /** Stops after the current transaction. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.sweeping;
  }
}
