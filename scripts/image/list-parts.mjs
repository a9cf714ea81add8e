// Sums up the files of an image by part, the largest first.
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const MB = 1_000_000;

/** Names of parts, by the first pattern that fits a path. */
const PARTS = [
  [/^usr\/local\/bin\/(\w+)$/, (name) => `${name} (program)`],
  [/^app\/node_modules\/((?:@[^/]+\/)?[^/]+)\//, (name) => name],
  [/^app\/(dist\/dashboard)\//, () => 'dashboard'],
  [/^app\/()/, () => 'Keepwatch'],
  [/()/, () => 'libraries of the system'],
];

function findPart(path) {
  for (const [pattern, name] of PARTS) {
    const found = pattern.exec(path);
    if (found !== null) return name(found[1]);
  }
  return path;
}

/** Returns a map from part to bytes. Sums the sizes of files, not of their disk blocks. */
export function measureParts(folder) {
  const parts = new Map();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const entry = lstatSync(join(folder, name));
    if (!entry.isFile()) continue;
    const part = findPart(name);
    parts.set(part, (parts.get(part) ?? 0) + entry.size);
  }
  return new Map([...parts].toSorted(([, one], [, other]) => other - one));
}

/**
 * Returns one line for each part that makes up at least 1 % of the total, one line for all smaller parts, and one line
 * for the total.
 */
export function describeParts(parts) {
  const sum = [...parts.values()].reduce((total, bytes) => total + bytes, 0);
  const large = [...parts].filter(([, bytes]) => bytes >= sum / 100);
  const rest = sum - large.reduce((total, [, bytes]) => total + bytes, 0);
  const line = ([name, bytes]) => `${(bytes / MB).toFixed(1).padStart(7)} MB  ${name}`;
  const small = [`${parts.size - large.length} smaller parts`, rest];
  return [...large, small, ['in all', sum]].map(line).join('\n');
}
