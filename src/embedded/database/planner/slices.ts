// Long reads give way: other connections are served between two slices of a few milliseconds.
import type { Allowance } from './allowance';

const SLICE_MS = 8;
const ITEMS_PER_LOOK = 64;

/** Resolves after everything that is already waiting in the event loop had its turn. */
function giveWay(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/**
 * A walk that may find nothing for long yields undefined now and then: a place to give way.
 * Whoever hands items on hands these on, too.
 */
export type Walk<Item> = Iterable<Item | undefined>;

/** The same walk with every item changed. */
export function* mapWalk<Item, Result>(
  items: Walk<Item>,
  change: (item: Item) => Result,
): Generator<Result | undefined> {
  for (const item of items) yield item === undefined ? undefined : change(item);
}

/** The rest of a walk, which stays open when this part of it is left. */
export function* goOn<Item>(items: Iterator<Item | undefined>): Generator<Item | undefined> {
  for (;;) {
    const next = items.next();
    if (next.done) return;
    yield next.value;
  }
}

/**
 * Calls `visit` for each item, giving way every few milliseconds; `visit` ends the walk by answering
 * false, and the allowance by an error once its time is over.
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
