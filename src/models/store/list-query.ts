/** How lists are asked for and answered between use cases and stores. */

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly hasMore: boolean;
}

/** Position after which a newest-first list goes on; ids sort by creation. */
export interface ListQuery {
  readonly limit: number;
  readonly beforeId: string | null;
}
