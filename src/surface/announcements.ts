/** Checks whether each deprecated part was announced as docs/compatibility.md promises. It is pure. */
import { readDay } from '../domain/compatibility/deprecation';
import { readRecord, readText } from '../schemas/loose';
import type { Narrowing } from './compare-schemas';
import type { Surface } from './surface';

interface Announcement {
  readonly at: string;
  /** The name of the deprecated part as the changelog writes it, without backticks. */
  readonly name: string;
  readonly announcedOn: string;
  readonly sunsetOn: string;
}

interface Announcing {
  readonly released: Surface;
  readonly current: Surface;
  /** The text of CHANGELOG.md. */
  readonly changelog: string;
}

const NOTICE_MONTHS = 12;
/** Minimum notice in months while the version begins with 0. */
const EARLY_NOTICE_MONTHS = 6;

/**
 * Returns a problem for each announcement that is too short, backdated, missing in the changelog, or shorter than in
 * the last release.
 */
export function findFaultyAnnouncements({
  released,
  current,
  changelog,
}: Announcing): readonly Narrowing[] {
  const earlier = new Map(listAnnouncements(released).map((each) => [each.at, each]));
  const months = current.version.startsWith('0.') ? EARLY_NOTICE_MONTHS : NOTICE_MONTHS;
  return listAnnouncements(current).flatMap(({ at, name, announcedOn, sunsetOn }) => {
    const before = earlier.get(at);
    const earliest = addMonths(announcedOn, months);
    return [
      ...(sunsetOn < earliest ? [`its last day is before ${earliest}`] : []),
      ...(before === undefined && announcedOn < released.releasedOn
        ? [`was not announced in the release of ${released.releasedOn}`]
        : []),
      ...(before !== undefined && sunsetOn < before.sunsetOn
        ? [`its last day was ${before.sunsetOn}`]
        : []),
      ...(changelog.includes(`\`${name}\``) ? [] : [`CHANGELOG.md does not name \`${name}\``]),
    ].map((change) => ({ at, change }));
  });
}

function addMonths(day: string, months: number): string {
  const date = new Date(readDay(day));
  const moved = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, date.getUTCDate());
  return new Date(moved).toISOString().slice(0, 10);
}

function listAnnouncements({ operations, schemas, names }: Surface): readonly Announcement[] {
  const parameters = Object.entries(operations).flatMap(([at, operation]) =>
    Object.entries(operation.parameters).flatMap(([name, parameter]) =>
      readAnnouncement(parameter, `${at} ${name}`, name.slice(name.indexOf(' ') + 1)),
    ),
  );
  return [
    ...Object.entries(operations).flatMap(([at, operation]) => [
      ...readAnnouncement(operation, at, at),
      ...listInSchema(operation.body, at, at),
      ...listInSchema(operation.responses, at, at),
    ]),
    ...parameters,
    ...Object.entries(schemas).flatMap(([name, schema]) => listInSchema(schema, name, name)),
    ...Object.entries(names).flatMap(([at, facts]) =>
      readAnnouncement(facts, at, at.slice(at.indexOf(' ') + 1)),
    ),
  ];
}

function readAnnouncement(node: unknown, at: string, name: string): readonly Announcement[] {
  const { deprecated, 'x-announced': announcedOn, 'x-sunset': sunsetOn } = readRecord(node);
  if (deprecated !== true) return [];
  return [{ at, name, announcedOn: readText(announcedOn), sunsetOn: readText(sunsetOn) }];
}

function listInSchema(node: unknown, at: string, name: string): readonly Announcement[] {
  if (Array.isArray(node)) return node.flatMap((each) => listInSchema(each, at, name));
  const parts = Object.entries(readRecord(node));
  return [
    ...readAnnouncement(node, at, name),
    ...parts.flatMap(([part, value]) =>
      part === 'properties'
        ? Object.entries(readRecord(value)).flatMap(([field, inner]) =>
            listInSchema(inner, `${at}.${field}`, field),
          )
        : listInSchema(value, at, name),
    ),
  ];
}
