/** Starts the browser for the tests. It can connect only to loopback. */
import { type BrowserServer, chromium } from 'playwright-core';
import { noteStart } from './note-start';

const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts a browser. Any process of this machine can connect to its endpoint. */
export async function launchBrowserServer(executablePath: string): Promise<BrowserServer> {
  noteStart('browser');
  return chromium.launchServer({ executablePath, args: ARGUMENTS });
}
