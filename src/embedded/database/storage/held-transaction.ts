// A write transaction of LMDB that stays open from one turn of the event loop to the next. Reads see what was
// put into it. It is begun, committed and aborted at once, never by a promise, so that nothing runs in between.
import type { RootDatabase } from 'lmdb';

interface Ends {
  readonly commit: () => void;
  readonly abort: (reason: Error) => void;
}

/** At most one open transaction of one environment. */
export class HeldTransaction {
  private ends: Ends | undefined;

  constructor(private readonly root: RootDatabase<Buffer, Buffer>) {}

  /** Begins a transaction unless one is open. */
  begin(): void {
    if (this.ends) return;
    // lmdb ends a transaction when the thenable that its callback returned calls back.
    this.root.transactionSync(() => ({
      // biome-ignore lint/suspicious/noThenProperty: a promise would commit in a later turn.
      then: (commit: () => void, abort: (reason: Error) => void) => {
        this.ends = { commit, abort };
      },
    }));
  }

  /** Returns when all is on disk; throws when the commit failed, and nothing is open then. */
  commit(): void {
    const { ends } = this;
    this.ends = undefined;
    ends?.commit();
  }

  /** Undoes all since `begin`. */
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
