/** Parses the queries in the files under ops for tests. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const FOLDER = path.join(__dirname, '../../ops');
const RULES = z.object({
  groups: z.array(
    z.object({
      name: z.string(),
      rules: z.array(
        z.object({
          alert: z.string(),
          expr: z.string(),
          annotations: z.object({ summary: z.string(), description: z.string() }),
        }),
      ),
    }),
  ),
});
const DASHBOARD = z.object({
  templating: z.object({ list: z.array(z.object({ name: z.string(), query: z.unknown() })) }),
  panels: z.array(
    z.object({
      id: z.number(),
      title: z.string(),
      targets: z.array(z.object({ expr: z.string() })).default([]),
    }),
  ),
});
const SERIES_OF_HISTOGRAM = /_(?:bucket|sum|count)$/;

const read = (name: string): string => readFileSync(path.join(FOLDER, name), 'utf8');

export const rules = RULES.parse(parse(read('prometheus-rules.yml'))).groups.flatMap(
  (group) => group.rules,
);
export const dashboard = DASHBOARD.parse(JSON.parse(read('grafana-dashboard.json')));

/** Every query of rules, panels and variables. */
const queries: readonly string[] = [
  ...rules.map(({ expr }) => expr),
  ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ...dashboard.templating.list.map(({ query }) => JSON.stringify(query)),
];

/**
 * Returns the metrics with this prefix in the queries. The names are as declared, without the suffixes of histogram
 * series.
 */
export function metricsNamed(beginning: RegExp): readonly string[] {
  const names = queries.flatMap((query) => query.match(/\b[a-z]+_[a-z_]+\b/g) ?? []);
  const ours = names.filter((name) => beginning.test(name));
  return [...new Set(ours.map((name) => name.replace(SERIES_OF_HISTOGRAM, '')))];
}

/** Returns the labels that queries on metrics with this prefix select or group by. */
export function labelsNamed(beginning: RegExp): readonly string[] {
  const ours = queries.filter((query) => beginning.test(query));
  return ours.flatMap((query) => [
    ...[...query.matchAll(/[{,]\s*([a-z_]+)\s*(?:=|!)/g)].map(([, name = '']) => name),
    ...[...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/)),
  ]);
}

/** Returns the metrics that a page of metrics declares. */
export function declaredIn(page: string): ReadonlySet<string> {
  return new Set([...page.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name));
}
