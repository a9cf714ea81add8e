/** The shape of every list of /v1. */

export interface ListPage<Item> {
  readonly data: readonly Item[];
  readonly nextCursor: string | null;
}

export interface ListRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
}
