/** Requests and responses of the demo shop's pages, with one size limit. */

export interface PageResponse {
  readonly status: number;
  readonly json?: unknown;
  readonly html?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** What a handler can read from a request. */
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

/** Removes the oldest entries, because a shop that runs for days would otherwise need more and more memory. */
export function forgetOldest(
  entries: Pick<Set<string>, 'size' | 'delete'> & { keys: () => IterableIterator<string> },
): void {
  if (entries.size <= KEPT_MAX) return;
  const [oldest] = entries.keys();
  if (oldest !== undefined) entries.delete(oldest);
}
