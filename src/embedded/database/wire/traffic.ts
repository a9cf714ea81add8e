// What all clients together have sent and not had served, or been sent and not read. It decides which of
// them has to go when that becomes too much, and ends nobody itself.

/** Bounds of what clients may make the server hold. */
export interface TrafficLimits {
  /** Bytes of all messages that are not whole yet or wait for their turn. */
  readonly unservedBytesMax: number;
  /** Bytes of all replies that were not read yet. */
  readonly unreadBytesMax: number;
  /** Within this time from its first byte a message must be whole. */
  readonly halfMessageMs: number;
}

export const TRAFFIC_LIMITS: TrafficLimits = {
  unservedBytesMax: 256 * 1024 * 1024,
  unreadBytesMax: 64 * 1024 * 1024,
  halfMessageMs: 60_000,
};

/** The bytes of each client, and their sum. */
class Ledger<Client> {
  private readonly bytesOf = new Map<Client, number>();
  private total = 0;

  constructor(private readonly bytesMax: number) {}

  /** Notes what is held for a client now; true while the sum is within its bound. */
  note(client: Client, bytes: number): boolean {
    this.total += bytes - (this.bytesOf.get(client) ?? 0);
    if (bytes === 0) this.bytesOf.delete(client);
    else this.bytesOf.set(client, bytes);
    return this.total <= this.bytesMax;
  }

  /** The client for which something has been held longest. */
  oldest(): Client | undefined {
    return this.bytesOf.keys().next().value;
  }
}

/** The traffic of a server. */
export class Traffic<Client> {
  private readonly unserved: Ledger<Client>;
  private readonly unread: Ledger<Client>;

  constructor(readonly limits: TrafficLimits) {
    this.unserved = new Ledger(limits.unservedBytesMax);
    this.unread = new Ledger(limits.unreadBytesMax);
  }

  /** Notes what a client has sent; answers who has to go: the one that brings too much. */
  noteUnserved(client: Client, bytes: number): Client | undefined {
    return this.unserved.note(client, bytes) ? undefined : client;
  }

  /** Notes what a client has not read; answers who has to go: the one that has not read for longest. */
  noteUnread(client: Client, bytes: number): Client | undefined {
    return this.unread.note(client, bytes) ? undefined : this.unread.oldest();
  }

  forget(client: Client): void {
    this.unserved.note(client, 0);
    this.unread.note(client, 0);
  }
}
