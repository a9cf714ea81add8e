// Lets long reads pause every few milliseconds, so that other connections are served.
import type { Allowance } from './allowance';

const SLICE_MS = 8;
const ITEMS_PER_LOOK = 64;

/** Resolves after everything that is waiting in the event loop has run. */
function giveWay(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/**
 * An iteration that sometimes yields undefined, to let other connections be served. Generators must pass each undefined
 * on to their callers.
 */
export type Walk<Item> = Iterable<Item | undefined>;

export function* mapWalk<Item, Result>(
  items: Walk<Item>,
  change: (item: Item) => Result,
): Generator<Result | undefined> {
  for (const item of items) yield item === undefined ? undefined : change(item);
}

/** Continues a walk. If the caller leaves this generator early, the walk stays open. */
export function* continueWalk<Item>(
  items: Iterator<Item | undefined>,
): Generator<Item | undefined> {
  for (;;) {
    const next = items.next();
    if (next.done) return;
    yield next.value;
  }
}

/**
 * Calls `visit` for each item, and pauses every few milliseconds, so that other connections are served. Ends if `visit`
 * returns false. Throws when the time of the allowance is over.
 */
export async function forEachSliced<Item>(
  items: Walk<Item>,
  allowance: Allowance,
  visit: (item: Item) => unknown,
): Promise<void> {
  let sliceEnd = performance.now() + SLICE_MS;
  let seen = 0;
  for (const item of items) {
    if (item !== undefined && visit(item) === false) return;
    seen += 1;
    if (item !== undefined && seen % ITEMS_PER_LOOK !== 0) continue;
    allowance.assertTime();
    if (performance.now() < sliceEnd) continue;
    await giveWay();
    sliceEnd = performance.now() + SLICE_MS;
  }
}
