// Counts the bytes of unserved requests and unread replies. Above the limit, names the client to disconnect.

/** Limits on the data that clients may make the server buffer. */
export interface TrafficLimits {
  /** Bytes of all messages that are incomplete or waiting for their turn. */
  readonly unservedBytesMax: number;
  /** Bytes of all replies that clients have not read yet. */
  readonly unreadBytesMax: number;
  /** A message must be complete within this time from its first byte. */
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

  /** Records the bytes now held for a client; true while the sum is within its limit. */
  note(client: Client, bytes: number): boolean {
    this.total += bytes - (this.bytesOf.get(client) ?? 0);
    if (bytes === 0) this.bytesOf.delete(client);
    else this.bytesOf.set(client, bytes);
    return this.total <= this.bytesMax;
  }

  /** The client with the oldest bytes in the buffer. */
  oldest(): Client | undefined {
    return this.bytesOf.keys().next().value;
  }
}

export class Traffic<Client> {
  private readonly unserved: Ledger<Client>;
  private readonly unread: Ledger<Client>;

  constructor(readonly limits: TrafficLimits) {
    this.unserved = new Ledger(limits.unservedBytesMax);
    this.unread = new Ledger(limits.unreadBytesMax);
  }

  /** Above the limit, returns this client, which must be disconnected. */
  noteUnserved(client: Client, bytes: number): Client | undefined {
    return this.unserved.note(client, bytes) ? undefined : client;
  }

  /** Above the limit, returns the client that has had unread bytes the longest. It must be disconnected. */
  noteUnread(client: Client, bytes: number): Client | undefined {
    return this.unread.note(client, bytes) ? undefined : this.unread.oldest();
  }

  forget(client: Client): void {
    this.unserved.note(client, 0);
    this.unread.note(client, 0);
  }
}
