// Counts the bytes of requests that wait and of replies that clients have not read. Above the
// limit, names the client to disconnect.

/** Limits of the data that clients may make the server buffer. */
export interface TrafficLimits {
  /** Limit for all messages that are incomplete or wait for their turn. */
  readonly unservedBytesMax: number;
  /** Limit for all replies that clients have not read yet. */
  readonly unreadBytesMax: number;
  /** Maximum time from the first to the last byte of a message, in ms. */
  readonly halfMessageMs: number;
}

export const TRAFFIC_LIMITS: TrafficLimits = {
  unservedBytesMax: 256 * 1024 * 1024,
  unreadBytesMax: 64 * 1024 * 1024,
  halfMessageMs: 60_000,
};

/** The bytes of each client, and their sum. */
class Ledger<Client> {
  private readonly bytesByClient = new Map<Client, number>();
  private total = 0;

  constructor(private readonly bytesMax: number) {}

  /** Records the bytes of a client. Returns true while the sum is within the limit. */
  note(client: Client, bytes: number): boolean {
    this.total += bytes - (this.bytesByClient.get(client) ?? 0);
    if (bytes === 0) this.bytesByClient.delete(client);
    else this.bytesByClient.set(client, bytes);
    return this.total <= this.bytesMax;
  }

  /** Returns the client whose bytes have been in the buffer the longest. */
  oldest(): Client | undefined {
    return this.bytesByClient.keys().next().value;
  }
}

export class Traffic<Client> {
  private readonly unserved: Ledger<Client>;
  private readonly unread: Ledger<Client>;

  constructor(readonly limits: TrafficLimits) {
    this.unserved = new Ledger(limits.unservedBytesMax);
    this.unread = new Ledger(limits.unreadBytesMax);
  }

  /** Records the bytes of waiting requests. Above the limit, returns this client, which must be disconnected. */
  noteUnserved(client: Client, bytes: number): Client | undefined {
    return this.unserved.note(client, bytes) ? undefined : client;
  }

  /**
   * Records the bytes of unread replies. Above the limit, returns the client that has had unread bytes the longest,
   * which must be disconnected.
   */
  noteUnread(client: Client, bytes: number): Client | undefined {
    return this.unread.note(client, bytes) ? undefined : this.unread.oldest();
  }

  forget(client: Client): void {
    this.unserved.note(client, 0);
    this.unread.note(client, 0);
  }
}
