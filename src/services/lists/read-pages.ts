/**
 * A whole list page by page, read as the reader goes on, so that memory does not grow with its length;
 * nothing is collected here.
 */
import type { ListPage } from './list-page';

/** The pages of a list, each read when it is asked for. */
export type Pages<Item> = AsyncIterable<readonly Item[]>;

/** The first page is read at once, so that a refusal is one before anything is sent. */
export async function readPages<Item>(
  read: (cursor: string | undefined) => Promise<ListPage<Item>>,
): Promise<Pages<Item>> {
  return goOn(await read(undefined), read);
}

async function* goOn<Item>(
  first: ListPage<Item>,
  read: (cursor: string | undefined) => Promise<ListPage<Item>>,
): AsyncGenerator<readonly Item[]> {
  let { data, nextCursor } = first;
  yield data;
  while (nextCursor !== null) {
    ({ data, nextCursor } = await read(nextCursor));
    yield data;
  }
}
