/** Fields that several kinds of checks share, and the interface by which a kind describes itself. */
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

/** The host as in a URL: lower case, IDNA, the usual spelling of an IP address. null if it is not a host. */
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

export const useTlsShape = z.boolean().meta({ description: 'Speaks TLS from the first byte on' });

export const serverNameShape = hostShape
  .nullable()
  .meta({ description: 'Name that the server is asked for, where it is not the host' });

export const startTlsShape = z
  .enum(START_TLS_PROTOCOLS)
  .nullable()
  .meta({ description: 'Begins in clear by this protocol and turns to TLS, as STARTTLS does' });

export const SEND_BYTES_MAX = 4 * 1024;

/** Text that may be sent again. */
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
      'Text sent once connected; may hold `{{variables}}` and `{{secret:name}}`. It may be sent again, so it must be safe to repeat',
  });

/** Headers as a definition keeps them. */
export const namedValues = z.array(z.object({ name: z.string(), value: z.string() }));

/** The same for every kind that reads a response. */
export const expectShape = patternShape.nullable().meta({
  description:
    'Regular expression (RE2) that the response matches, or the records of DNS, one on each line',
});

/** A body as it was sent, or the known part of it. */
export type Sent = Readonly<Record<string, unknown>>;

export interface SentTarget {
  /** Path of the field that names the target. */
  readonly path: string;
  /** For the target guard. */
  readonly url: string;
}

/** A parsed body of a kind. */
export interface ReadKind {
  readonly check: NetworkCheck;
  /** Used for display, search and grouping. */
  readonly url: string;
  /** The targets that the check connects to, as far as its definition says. */
  readonly targets: readonly SentTarget[];
  /** Days before expiry at which to warn; absent: those of certificates. */
  readonly warnDays?: readonly number[];
}

/** The texts that users read about a kind. */
interface KindWords {
  /** The name in a list of choices. */
  readonly label: string;
  /** Title of its form, and of its fields in the reference. */
  readonly title: string;
  /** A sentence about the purpose of such a check. */
  readonly about: string;
  /** An example JSON path into its facts, for kinds whose steps extract from JSON facts instead of the response. */
  readonly examplePath?: string;
}

/** The fields of an API response that say what is checked, for every kind. */
export interface TargetFields {
  readonly url?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly record?: string | undefined;
}

/** The same in the shapes of responses. */
export type TargetShapes = {
  readonly [Name in keyof TargetFields]-?: z.ZodOptional<z.ZodType<TargetFields[Name]>>;
};

/** Everything that the service, the command line and the dashboard know about a kind. It sends nothing. */
export interface KindShape<Type extends NetworkKind = NetworkKind> {
  /** Prefix of the names of its shapes in the reference, such as that of its body. */
  readonly schemaName: string;
  readonly words: KindWords;
  /** Each field with its default; a field without a default is required. */
  readonly fields: Readonly<Record<string, z.ZodType>>;
  /** The fields that are sent to the target and shown nowhere else. Only these may contain secrets. */
  readonly secretFields: readonly string[];
  /** True if a check sees certificates, so that users can be warned before they expire. */
  readonly hasCertificate: boolean;
  /** True if a check learns when a registration ends, so that users can be warned according to its `warnDays`. */
  readonly hasRegistration?: true;
  /** For a kind that is checked less often than others: the minimum in seconds, which is also the default. */
  readonly interval?: { readonly min: number; readonly description: string };
  /** Checks the rules across the kind's own fields, for a body as it was sent. */
  readonly findProblems: (body: Sent) => readonly ShapeProblem[];
  /** Parses a body and fills in every default. Accepts missing required fields, which are rejected elsewhere. */
  readonly read: (sent: object) => ReadKind;
  /** Its fields in responses; absent: as they are stored. */
  readonly present?: (settings: NetworkSettings[Type]) => TargetFields;
}

/** For a kind that reads a response only if it expects something. */
export function findUnreadExtraction({ extract, expect }: Sent): ShapeProblem[] {
  const isExtracting = Object.keys(readRecord(extract)).length > 0;
  if (!isExtracting || typeof expect === 'string') return [];
  const message = 'is required with extract: without it, nothing is read';
  return [{ path: 'expect', code: 'required', message }];
}

/** For two fields that exclude each other. */
export function findBoth(body: Sent, [first, second]: readonly [string, string]): ShapeProblem[] {
  const isGiven = (name: string): boolean =>
    body[name] !== undefined && body[name] !== null && body[name] !== false;
  if (!isGiven(first) || !isGiven(second)) return [];
  return [{ path: second, code: 'invalid_value', message: `cannot be combined with ${first}` }];
}
