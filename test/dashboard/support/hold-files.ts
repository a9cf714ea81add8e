/** A page whose files take their time to be read. */
import type { Page } from 'playwright-core';

const HOLD = `(() => {
  const held = new Promise((resolve) => { window.releaseFiles = resolve; });
  for (const [type, read] of [[FileReader, 'readAsDataURL'], [Blob, 'arrayBuffer']]) {
    const original = type.prototype[read];
    type.prototype[read] = function (...args) { return held.then(() => original.apply(this, args)); };
  }
})()`;

/** Whatever is chosen from now on is read once the returned function is called. */
export async function holdFiles(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(HOLD);
  return () => page.evaluate('window.releaseFiles()');
}
