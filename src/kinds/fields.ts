/** Fields that several kinds of checks share, and the interface that each kind implements. */
import { z } from 'zod';
import {
  type NetworkCheck,
  type NetworkKind,
  type NetworkSettings,
  START_TLS_PROTOCOLS,
} from '../contracts/kinds';
import { hasEmptyLabel } from '../domain/definitions/host-labels';
import { patternShape } from '../schemas/assertion';
import { report, type ShapeProblem } from '../schemas/issues';
import { readRecord } from '../schemas/loose';

const HOST_MAX = 255;
const LABEL_MAX = 63;

/**
 * Returns the host as in a URL: in lower case, IDNA-encoded, and with normalised IP addresses. null if the text is not
 * a host.
 */
function normalHost(text: string): string | null {
  const bare = text.includes(':') && !text.startsWith('[') ? `[${text}]` : text;
  const address = `http://${bare}/`;
  if (!URL.canParse(address)) return null;
  const { hostname } = new URL(address);
  return hostname === '' ? null : hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

function findHostProblem(text: string): string | null {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text))
    return 'must be a host name or an IP address without a scheme; the type sets the protocol';
  if (text.includes('{{')) return 'must not contain variables';
  if (/[/\\?#]/.test(text))
    return 'must be a host name or an IP address without a path; use the type http for a URL';
  if (/[@\s]/.test(text)) return 'must be a host name or an IP address';
  if (/^(?:\[[^\]]*\]|[^:]+):\d*$/.test(text)) return 'must not contain a port; use the field port';
  const host = normalHost(text);
  const isLong = (host ?? '').split('.').some((label) => label.length > LABEL_MAX);
  if (host === null || isLong || hasEmptyLabel(host)) return 'is not a host name or an IP address';
  return null;
}

export const hostShape = z
  .string()
  .min(1)
  .max(HOST_MAX)
  .meta({ description: 'Host name or IP address, without scheme, port or path' })
  .superRefine((text, context) => {
    const problem = findHostProblem(text);
    if (problem !== null) report(context, [], { code: 'invalid_value', message: problem });
  })
  .transform((text) => normalHost(text) ?? text);

export const portShape = z.int().min(1).max(65_535).meta({ description: 'Port of the host' });

export const useTlsShape = z.boolean().meta({ description: 'true: TLS from the first byte on' });

export const serverNameShape = hostShape
  .nullable()
  .meta({ description: 'Server name in the handshake. Default: the host' });

export const startTlsShape = z
  .enum(START_TLS_PROTOCOLS)
  .nullable()
  .meta({ description: 'Starts in clear text with this protocol and switches to TLS' });

export const SEND_BYTES_MAX = 4 * 1024;

/** A text to send. A check may send it several times, so it must be safe to repeat. */
export const sendShape = z
  .string()
  .min(1)
  .refine(
    (text) => new TextEncoder().encode(text).length <= SEND_BYTES_MAX,
    'must have at most 4 KiB',
  )
  .nullable()
  .meta({
    description:
      'Text to send after connecting; may contain `{{variables}}` and `{{secret:name}}`. It may be sent again, so it must be safe to repeat',
  });

/** Headers in the form that a definition stores. */
export const namedValues = z.array(z.object({ name: z.string(), value: z.string() }));

/** The field with the expectation, for every kind that reads a response. */
export const expectShape = patternShape.nullable().meta({
  description:
    'Regular expression (RE2) that must match the response, or the DNS records, one per line',
});

/** The fields of a body before it has been validated. Any field may be missing or have a wrong type. */
export type Sent = Readonly<Record<string, unknown>>;

export interface SentTarget {
  /** Path of the field that contains the target. */
  readonly path: string;
  /** The URL for the target guard. */
  readonly url: string;
}

/** The result of reading a kind's body. */
export interface ReadKind {
  readonly check: NetworkCheck;
  /** Used for display, search and grouping. */
  readonly url: string;
  /** The targets of the check, if its definition names them. */
  readonly targets: readonly SentTarget[];
  /** The numbers of days before the expiry at which people are warned. If absent, the days for certificates apply. */
  readonly warnDays?: readonly number[];
}

/** The texts that users read about a kind. */
interface KindWords {
  /** The kind's name in a list of choices. */
  readonly label: string;
  readonly title: string;
  /** A sentence about the purpose of a check of this kind. */
  readonly about: string;
  /** An example of a JSON path. Set for kinds whose steps extract from JSON facts instead of the response. */
  readonly examplePath?: string;
}

/** The fields of an API response that describe the target, for all kinds. */
export interface TargetFields {
  readonly url?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly record?: string | undefined;
}

/** The schemas of `TargetFields` in responses. */
export type TargetShapes = {
  readonly [Name in keyof TargetFields]-?: z.ZodOptional<z.ZodType<TargetFields[Name]>>;
};

/** Everything that the service, the command line and the dashboard know about a kind. */
export interface KindShape<Type extends NetworkKind = NetworkKind> {
  /** Prefix of the names of this kind's schemas in the API reference. */
  readonly schemaName: string;
  readonly words: KindWords;
  /** The schema of each field, with its default. A field without a default is required. */
  readonly fields: Readonly<Record<string, z.ZodType>>;
  /** Fields that are sent to the target and not shown anywhere else. Only these fields may contain secrets. */
  readonly secretFields: readonly string[];
  /** True if checks see certificates, so that people can be warned before certificates expire. */
  readonly hasCertificate: boolean;
  /** True if checks learn when a registration expires, so that people can be warned on the days of `warnDays`. */
  readonly hasRegistration?: true;
  /** Set for kinds that are checked less often than others. `min` is in seconds, and is also the default. */
  readonly interval?: { readonly min: number; readonly description: string };
  /** Finds violations of rules that involve several fields of the kind. */
  readonly findProblems: (body: Sent) => readonly ShapeProblem[];
  /** Reads a body and fills in all defaults. Required fields may be missing: `findTypeProblems` reports such fields. */
  readonly read: (sent: object) => ReadKind;
  /** Converts the kind's settings to fields of a response. If absent, the settings are shown as they are stored. */
  readonly present?: (settings: NetworkSettings[Type]) => TargetFields;
}

/** Finds extractions that cannot work, for kinds that read a response only if there is an expectation. */
export function findUnreadExtraction({ extract, expect }: Sent): ShapeProblem[] {
  const isExtracting = Object.keys(readRecord(extract)).length > 0;
  if (!isExtracting || typeof expect === 'string') return [];
  const message = 'is required with extract: without it, nothing is read';
  return [{ path: 'expect', code: 'required', message }];
}

/** Returns a problem if both fields are set, because they cannot be combined. */
export function findBoth(body: Sent, [first, second]: readonly [string, string]): ShapeProblem[] {
  const isGiven = (name: string): boolean =>
    body[name] !== undefined && body[name] !== null && body[name] !== false;
  if (!isGiven(first) || !isGiven(second)) return [];
  return [{ path: second, code: 'invalid_value', message: `cannot be combined with ${first}` }];
}
