// Counts the bytes of requests that wait, and of replies that clients have not read. If there are too many, names the
// client to disconnect.

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

/** The number of bytes of each client, and of all clients together. */
class Ledger<Client> {
  private readonly bytesByClient = new Map<Client, number>();
  private total = 0;

  constructor(private readonly bytesMax: number) {}

  /** Notes how many bytes a client has now. Returns true if all clients together are within the limit. */
  note(client: Client, bytes: number): boolean {
    this.total += bytes - (this.bytesByClient.get(client) ?? 0);
    if (bytes === 0) this.bytesByClient.delete(client);
    else this.bytesByClient.set(client, bytes);
    return this.total <= this.bytesMax;
  }

  /** Returns the client that has had bytes in the buffer for the longest time. */
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

  /**
   * Notes the bytes of a client's waiting requests. If the limit is exceeded, returns this client, which must be
   * disconnected.
   */
  noteUnserved(client: Client, bytes: number): Client | undefined {
    return this.unserved.note(client, bytes) ? undefined : client;
  }

  /**
   * Notes the bytes of a client's unread replies. If the limit is exceeded, returns the client that has had unread
   * replies for the longest time. It must be disconnected.
   */
  noteUnread(client: Client, bytes: number): Client | undefined {
    return this.unread.note(client, bytes) ? undefined : this.unread.oldest();
  }

  forget(client: Client): void {
    this.unserved.note(client, 0);
    this.unread.note(client, 0);
  }
}
