// An LMDB write transaction that stays open across turns of the event loop. Reads see its changes. It starts and ends
// synchronously, so that nothing else runs in between.
import type { RootDatabase } from 'lmdb';

interface Ends {
  readonly commit: () => void;
  readonly abort: (reason: Error) => void;
}

/** The transaction of one environment; at most one is open. */
export class HeldTransaction {
  private ends: Ends | undefined;

  constructor(private readonly root: RootDatabase<Buffer, Buffer>) {}

  /** Begins a transaction unless one is open. */
  begin(): void {
    if (this.ends) return;
    // lmdb ends a transaction when the thenable returned by its callback resolves or rejects.
    this.root.transactionSync(() => ({
      // biome-ignore lint/suspicious/noThenProperty: a promise would commit in a later turn.
      then: (commit: () => void, abort: (reason: Error) => void) => {
        this.ends = { commit, abort };
      },
    }));
  }

  /** Returns once everything is on disk. Throws if the commit fails, without an open transaction. */
  commit(): void {
    const { ends } = this;
    this.ends = undefined;
    ends?.commit();
  }

  /** Undoes everything since `begin`. */
  abort(): void {
    const { ends } = this;
    this.ends = undefined;
    const reason = new Error('aborted');
    try {
      ends?.abort(reason);
    } catch (error) {
      if (error !== reason) throw error;
    }
  }
}
