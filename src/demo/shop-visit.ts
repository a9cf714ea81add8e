/** The requests and responses of the demo shop's pages, and a limit for the entries that the shop keeps in memory. */

export interface PageResponse {
  readonly status: number;
  readonly json?: unknown;
  readonly html?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** The parts of a request that a handler can read. */
export interface Visit {
  readonly id: string;
  /** The fields of a JSON body or of a form. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly cookies: ReadonlyMap<string, string>;
  /** True if the request has a valid token of the shop's API. */
  readonly isLoggedIn: boolean;
}

export type Handler = (visit: Visit) => PageResponse | Promise<PageResponse>;

const KEPT_MAX = 1_000;

/**
 * Removes the oldest entry if there are too many. Otherwise, the memory of a shop that runs for days would keep
 * growing.
 */
export function forgetOldest(
  entries: Pick<Set<string>, 'size' | 'delete'> & { keys: () => IterableIterator<string> },
): void {
  if (entries.size <= KEPT_MAX) return;
  const [oldest] = entries.keys();
  if (oldest !== undefined) entries.delete(oldest);
}
