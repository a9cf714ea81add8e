/** Reads the surface of this version, and writes it as text for test/surface/released.json. */
import { ROUTES } from '../api/v1/route-table';
import { createProgram } from '../cli/program';
import { DEPRECATED_NAMES, type DeprecatedNames } from '../domain/compatibility/deprecated-names';
import { buildDeprecationFacts } from '../domain/compatibility/deprecation';
import { readVersion } from '../platform/version';
import {
  readCodeNames,
  readCommandNames,
  readFileNames,
  readMetricNames,
  readSettingNames,
  readToolNames,
} from './read-names';
import { readOperations } from './read-operations';
import { readWebhookNames } from './read-webhooks';
import type { NameFacts, Surface } from './surface';

/** Returns the surface of this version. `today` is a date like `2027-01-31`. */
export function readSurface(today: string): Surface {
  const { stdin, stdout, stderr } = process;
  const version = readVersion();
  const surroundings = { stdin, stdout, stderr, environment: {}, version, now: () => 0 };
  const names = [
    ...readSettingNames(),
    ...readMetricNames(),
    ...readCommandNames(createProgram({ surroundings, exitCode: 0 })),
    ...readCodeNames(),
    ...readToolNames(),
    ...readFileNames(),
    ...readWebhookNames(),
  ];
  const announced = announce(names, DEPRECATED_NAMES);
  return { version, releasedOn: today, ...readOperations(ROUTES), names: announced };
}

/** Adds the announcements of deprecated names to the facts. Throws if a deprecated name does not exist. */
export function announce(
  names: readonly (readonly [string, NameFacts])[],
  deprecated: DeprecatedNames,
): Surface['names'] {
  const all = new Map(names);
  for (const [name, deprecation] of Object.entries(deprecated)) {
    const facts = all.get(name);
    if (facts === undefined) throw new Error(`${name} is deprecated and does not exist`);
    const { 'x-deprecation-page': _page, ...announced } = buildDeprecationFacts(deprecation);
    all.set(name, { ...facts, ...announced });
  }
  return Object.fromEntries(all);
}

/** Renders JSON with one line for each operation, schema and name, so that changes are easy to read. */
export function renderSurface({ version, releasedOn, ...parts }: Surface): string {
  const sections = Object.entries(parts).map(([part, entries]) => {
    const lines = Object.entries(entries)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`);
    return `  ${JSON.stringify(part)}: {\n${lines.join(',\n')}\n  }`;
  });
  const head = Object.entries({ version, releasedOn }).map(
    ([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  return `{\n${[...head, ...sections].join(',\n')}\n}\n`;
}
