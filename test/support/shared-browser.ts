/**
 * Connects to the single browser of the run. Suites open contexts in it and close them. Closing the connection leaves
 * the browser running.
 */
import { type Browser, chromium } from 'playwright-core';
import { z } from 'zod';
import { readShared } from './read-shared';

const ADDRESS = z.object({ endpoint: z.string() });

export async function connectBrowser(): Promise<Browser> {
  const { endpoint } = await readShared('/browser', ADDRESS);
  return chromium.connect(endpoint);
}
