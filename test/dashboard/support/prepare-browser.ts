/** Finds the browser for the tests, and unpacks it if a package contains it. Does not start the browser. */
import { execFileSync } from 'node:child_process';
import bundled from '@sparticuz/chromium';

function onPath(): string | null {
  for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
    try {
      return execFileSync('which', [name], { encoding: 'utf8' }).trim();
    } catch {
      // This program is not installed. Try the next name.
    }
  }
  return null;
}

/**
 * Returns the path of the browser. The first call on a machine unpacks the browser. It must not run in two processes at
 * once, because one process would start the browser while the other is still writing it.
 */
export async function prepareBrowser(): Promise<string> {
  return onPath() ?? (await bundled.executablePath());
}
