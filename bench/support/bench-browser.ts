// The browser of benchmarks. The owner is signed in.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import bundled from '@sparticuz/chromium';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import type { BenchService } from './service';

const VIEWPORT = { width: 1360, height: 900 };
const ARGUMENTS = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run'];
/**
 * On Linux with autogroups (sched(7), "The autogroup feature"), each session gets the same share of the processors, and
 * `nice` works only within a session. The browser runs in its own session; this command gives the session the lowest
 * priority.
 */
const YIELD_SESSION = 'echo 19 2>/dev/null >/proc/self/autogroup || true';

/**
 * Starts the browser. With `isElsewhere`, it uses only processor time that no other process needs, as if it ran on
 * another machine.
 */
export async function launchBenchBrowser({ isElsewhere = false } = {}): Promise<Browser> {
  const program = await bundled.executablePath();
  if (!isElsewhere) return chromium.launch({ executablePath: program, args: ARGUMENTS });
  const folder = mkdtempSync(join(tmpdir(), 'keepwatch-browser-'));
  const script = join(folder, 'browser');
  writeFileSync(script, `#!/bin/sh\n${YIELD_SESSION}\nexec nice -n 19 '${program}' "$@"\n`);
  chmodSync(script, 0o700);
  try {
    return await chromium.launch({ executablePath: script, args: ARGUMENTS });
  } finally {
    // The browser runs now and no longer needs the file of the script.
    rmSync(folder, { recursive: true });
  }
}

export async function signIn(
  browser: Browser,
  { cookie, url }: Pick<BenchService, 'cookie' | 'url'>,
): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: VIEWPORT, reducedMotion: 'reduce' });
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url }]);
  return context;
}
