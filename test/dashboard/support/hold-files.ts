/** Delays reading of files on a page until the test releases them. */
import type { Page } from 'playwright-core';

/**
 * A script that delays reading of files. It runs only once per document. If it ran twice, it would hold each file twice
 * but release it only once.
 */
const HOLD = `(() => {
  if (window.releaseFiles !== undefined) return;
  const held = [];
  let onHeld = () => {};
  const hold = (type, read, ended) => {
    const original = type.prototype[read];
    type.prototype[read] = async function (...args) {
      const begins = new Promise((resolve) => held.unshift(resolve));
      onHeld();
      const tellEnd = await begins;
      const result = original.apply(this, args);
      ended(this, result).then(tellEnd, tellEnd);
      return result;
    };
  };
  const loaded = (reader) =>
    new Promise((resolve) => reader.addEventListener('loadend', resolve, { once: true }));
  hold(FileReader, 'readAsDataURL', loaded);
  hold(Blob, 'arrayBuffer', (_blob, result) => result);
  hold(Blob, 'text', (_blob, result) => result);
  window.releaseFiles = async () => {
    if (held.length === 0) await new Promise((resolve) => (onHeld = resolve));
    for (const release of held.splice(0)) await new Promise(release);
  };
})()`;

/**
 * Delays reading of the files that are chosen from now on. The returned function waits until a file is chosen. Then it
 * reads the files one after the other, the newest first.
 */
export async function holdFiles(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(HOLD);
  return () => page.evaluate('window.releaseFiles()');
}
