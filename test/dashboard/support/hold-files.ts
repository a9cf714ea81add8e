/** A page whose files take their time to be read. */
import type { Page } from 'playwright-core';

const HOLD = `(() => {
  const held = [];
  for (const [type, read] of [[FileReader, 'readAsDataURL'], [Blob, 'arrayBuffer'], [Blob, 'text']]) {
    const original = type.prototype[read];
    type.prototype[read] = async function (...args) {
      await new Promise((resolve) => held.unshift(resolve));
      return original.apply(this, args);
    };
  }
  window.releaseFiles = async () => {
    for (const release of held.splice(0)) {
      release();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
})()`;

/** Whatever is chosen from now on is read once the returned function is called, the newest first. */
export async function holdFiles(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(HOLD);
  return () => page.evaluate('window.releaseFiles()');
}
