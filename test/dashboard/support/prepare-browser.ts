/** Finds the browser of the tests, and unpacks it where a package brings it. It starts nothing. */
import { execFileSync } from 'node:child_process';
import bundled from '@sparticuz/chromium';

function onPath(): string | null {
  for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
    try {
      return execFileSync('which', [name], { encoding: 'utf8' }).trim();
    } catch {
      // The next name may be there.
    }
  }
  return null;
}

/**
 * Where the browser is. The first call on a machine unpacks it and must not run in two processes at once:
 * one would start what the other still writes.
 */
export async function prepareBrowser(): Promise<string> {
  return onPath() ?? (await bundled.executablePath());
}
