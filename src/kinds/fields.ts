/** Fields that several kinds of checks have, each the same in all of them, and how a kind describes itself. */
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
import { recordOf } from '../schemas/loose';

const HOST_MAX = 255;
const LABEL_MAX = 63;

/** What an address would hold: lower case, IDNA, the usual spelling of an IP address; null: it is no host. */
function normalHost(text: string): string | null {
  const bare = text.includes(':') && !text.startsWith('[') ? `[${text}]` : text;
  const address = `http://${bare}/`;
  if (!URL.canParse(address)) return null;
  const { hostname } = new URL(address);
  return hostname === '' ? null : hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

function findHostProblem(text: string): string | null {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text))
    return 'must be a host name or an IP address without a scheme; the type says what is spoken';
  if (text.includes('{{')) return 'must not hold variables';
  if (/[/\\?#]/.test(text))
    return 'must be a host name or an IP address without a path; use the type http for a URL';
  if (/[@\s]/.test(text)) return 'must be a host name or an IP address';
  if (/^(?:\[[^\]]*\]|[^:]+):\d*$/.test(text)) return 'must not hold a port; use the field port';
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

/** The same of every kind that reads a response. */
export const expectShape = patternShape.nullable().meta({
  description:
    'Regular expression (RE2) that the response matches, or the records of DNS, one on each line',
});

/** A body as it came, or what of it is known. */
export type Sent = Readonly<Record<string, unknown>>;

export interface SentTarget {
  /** Of the field that names it. */
  readonly path: string;
  /** For the target guard. */
  readonly url: string;
}

/** What a body of a kind comes to. */
export interface ReadKind {
  readonly check: NetworkCheck;
  /** What is shown, found and grouped by. */
  readonly url: string;
  /** Where it connects to, as far as its definition says. */
  readonly targets: readonly SentTarget[];
  /** Days before what it looks at ends; absent: those of certificates. */
  readonly warnDays?: readonly number[];
}

/** What people read of a kind. */
interface KindWords {
  /** In a choice. */
  readonly label: string;
  /** Of its form, and of its fields in the reference. */
  readonly title: string;
  /** What a check of it does. */
  readonly about: string;
  /** Into what it hands on as JSON, where that is not what comes back itself. */
  readonly examplePath?: string;
}

/** The fields of a response that say what is checked, of whatever kind. */
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

/** All that the service, the command line and the dashboard know of a kind. It sends nothing. */
export interface KindShape<Type extends NetworkKind = NetworkKind> {
  /** Begins the names of its shapes in the reference, such as that of its body. */
  readonly schemaName: string;
  readonly words: KindWords;
  /** Each field with its default; one without is required. */
  readonly fields: Readonly<Record<string, z.ZodType>>;
  /** Those of its fields that go to the target and are shown nowhere else: they alone may hold secrets. */
  readonly secretFields: readonly string[];
  /** Whether it meets certificates, so that people may be warned of them. */
  readonly hasCertificate: boolean;
  /** Whether it learns when a registration ends, so that people may be warned of that by its own `warnDays`. */
  readonly hasRegistration?: true;
  /** Of a kind that is not checked as often as others may be: seconds, and by default. */
  readonly interval?: { readonly min: number; readonly description: string };
  /** Rules across its own fields, of a body as it came. */
  readonly findProblems: (body: Sent) => readonly ShapeProblem[];
  /** With every default filled in; also of a body without what is required, which is refused elsewhere. */
  readonly read: (sent: object) => ReadKind;
  /** Its fields as responses have them; absent: as they are stored. */
  readonly present?: (settings: NetworkSettings[Type]) => TargetFields;
}

/** Of a kind that reads nothing unless it expects something. */
export function findUnreadExtraction({ extract, expect }: Sent): ShapeProblem[] {
  const isExtracting = Object.keys(recordOf(extract)).length > 0;
  if (!isExtracting || typeof expect === 'string') return [];
  const message = 'is required beside extract: without it, nothing is read';
  return [{ path: 'expect', code: 'required', message }];
}

/** Two fields of which a body may have one. */
export function findBoth(body: Sent, [first, second]: readonly [string, string]): ShapeProblem[] {
  const isGiven = (name: string): boolean =>
    body[name] !== undefined && body[name] !== null && body[name] !== false;
  if (!isGiven(first) || !isGiven(second)) return [];
  return [{ path: second, code: 'invalid_value', message: `must not be given beside ${first}` }];
}
