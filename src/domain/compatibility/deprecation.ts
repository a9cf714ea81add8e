/** An announced removal, with its dates and its descriptions for people, OpenAPI and headers. Pure. */

/** The facts of an announced removal. The two days are dates in UTC, for example `2027-01-31`. */
export interface Deprecation {
  readonly announcedOn: string;
  /** The last day before the removal. */
  readonly sunsetOn: string;
  /** The recommended replacement, worded as the end of a sentence: `use PATCH`. */
  readonly instead: string;
  /** The page that describes the change, for example `docs/api/monitors.md#many-at-once`. */
  readonly page: string;
}

/** The facts of an announced removal in the form of OpenAPI and JSON Schema. */
export type DeprecationFacts = {
  readonly deprecated: true;
  readonly 'x-announced': string;
  readonly 'x-sunset': string;
  readonly 'x-deprecation-page': string;
};

const DAY_MS = 86_400_000;

/** Describes the removal in one sentence for people. */
export function formatDeprecation({ announcedOn, sunsetOn, instead }: Deprecation): string {
  return `Deprecated since ${announcedOn}, works until ${sunsetOn}: ${instead}.`;
}

export function buildDeprecationFacts(deprecation: Deprecation): DeprecationFacts {
  return {
    deprecated: true,
    'x-announced': deprecation.announcedOn,
    'x-sunset': deprecation.sunsetOn,
    'x-deprecation-page': deprecation.page,
  };
}

/**
 * Returns the metadata of a deprecated parameter or field: `shape.meta(buildDeprecatedMeta(deprecation, 'The old
 * name'))`.
 */
export function buildDeprecatedMeta(
  deprecation: Deprecation,
  description: string,
): DeprecationFacts & { readonly description: string } {
  const sentence = `${description.replace(/\.?$/, '.')} ${formatDeprecation(deprecation)}`;
  return { ...buildDeprecationFacts(deprecation), description: sentence };
}

/**
 * Returns the response headers of a deprecated operation: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and a link.
 * Throws for an invalid date.
 */
export function buildDeprecationHeaders(
  { announcedOn, sunsetOn, page }: Deprecation,
  publicUrl: string,
): Readonly<Record<'Deprecation' | 'Sunset' | 'Link', string>> {
  const lastSecondMs = readDay(sunsetOn) + DAY_MS - 1_000;
  return {
    Deprecation: `@${readDay(announcedOn) / 1_000}`,
    Sunset: new Date(lastSecondMs).toUTCString(),
    Link: `<${new URL(page, new URL('/', publicUrl)).href}>; rel="deprecation"; type="text/markdown"`,
  };
}

/** Returns the first instant of a day in UTC, in milliseconds. Throws if the text is not a date. */
export function readDay(text: string): number {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== text)
    throw new Error(`${text} is not a date like 2027-01-31`);
  return ms;
}
