/** The release that is running, and the User-Agent with which it sends requests to targets. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export function readVersion(): string {
  const text = readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8');
  const { version }: { version?: unknown } = JSON.parse(text);
  return typeof version === 'string' ? version : '0.0.0';
}

/** Returns the User-Agent, which names Keepwatch and a URL for questions. */
export function buildUserAgent(): string {
  return `Keepwatch/${readVersion()} (+https://github.com/keepwatch/keepwatch)`;
}
