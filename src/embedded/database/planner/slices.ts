// Long reads give way: other connections are served between two slices of a few milliseconds.

const SLICE_MS = 8;
const ITEMS_PER_LOOK = 64;

/** Resolves after everything that is already waiting in the event loop had its turn. */
function giveWay(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Calls `visit` for each item, giving way every few milliseconds; `visit` ends the walk by answering false. */
export async function forEachSliced<Item>(
  items: Iterable<Item>,
  visit: (item: Item) => unknown,
): Promise<void> {
  let sliceEnd = performance.now() + SLICE_MS;
  let seen = 0;
  for (const item of items) {
    if (visit(item) === false) return;
    seen += 1;
    if (seen % ITEMS_PER_LOOK !== 0 || performance.now() < sliceEnd) continue;
    await giveWay();
    sliceEnd = performance.now() + SLICE_MS;
  }
}
