// An LMDB write transaction that stays open for several turns of the event loop. Reads see its changes. `begin`,
// `commit` and `abort` are synchronous, so that no other code runs while they work.
import type { RootDatabase } from 'lmdb';

interface Ends {
  readonly commit: () => void;
  readonly abort: (reason: Error) => void;
}

/** The transaction of one LMDB environment. At most one transaction is open. */
export class HeldTransaction {
  private ends: Ends | undefined;

  constructor(private readonly root: RootDatabase<Buffer, Buffer>) {}

  /** Begins a transaction unless one is open. */
  begin(): void {
    if (this.ends) return;
    // The callback returns a thenable, which `commit` or `abort` resolves or rejects later. Only then does lmdb end the
    // transaction.
    this.root.transactionSync(() => ({
      // biome-ignore lint/suspicious/noThenProperty: a promise would commit in a later turn.
      then: (commit: () => void, abort: (reason: Error) => void) => {
        this.ends = { commit, abort };
      },
    }));
  }

  /** Commits. Returns once everything is on disk. If the commit fails, throws and leaves no transaction open. */
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
