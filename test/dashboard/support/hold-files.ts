/** A page on which reading files takes time. */
import type { Page } from 'playwright-core';

/** Install it once per document: twice would hold each file twice and release it once. */
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
 * Files chosen from now on are read only once the returned function is called, the newest first,
 * one after the other. That function waits until a file was chosen.
 */
export async function holdFiles(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(HOLD);
  return () => page.evaluate('window.releaseFiles()');
}
