/** Finds the browser for the tests, and unpacks it if a package contains it. It starts nothing. */
import { execFileSync } from 'node:child_process';
import bundled from '@sparticuz/chromium';

function onPath(): string | null {
  for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
    try {
      return execFileSync('which', [name], { encoding: 'utf8' }).trim();
    } catch {
      // Try the next name.
    }
  }
  return null;
}

/**
 * The path of the browser. The first call on a machine unpacks it and must not run in two processes
 * at once: one would start the browser while the other is still writing it.
 */
export async function prepareBrowser(): Promise<string> {
  return onPath() ?? (await bundled.executablePath());
}
