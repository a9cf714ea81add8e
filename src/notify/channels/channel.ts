/**
 * Defines a type of alert channel: its fields, its form, the POST requests for an alert, and the meaning of responses.
 * A new type needs one file in this folder and one line in the registry.
 */
import { z } from 'zod';
import type { AlertMessage } from '../../contracts/alerts';
import type { InstantStyle } from '../../domain/health/instant-words';
import { cutText, toWellFormed } from '../../domain/text/cut-text';
import { escapeMarkup, formatCode, type MarkupName } from '../../domain/text/markup-escapes';
import { type AlertLink, buildSnoozeLink } from '../alert-links';
import type { PostedResponse, PostRequest, ReadResponse } from '../post';
import type { AlertWords } from '../words';
import type { ChannelHook } from './hook';

/**
 * The kinds of fields. A kind determines how its fields are entered and shown. Values of secret kinds are masked in
 * responses; in `headers`, only sensitive values are masked. A field with a certain name has the same kind in all types
 * of channels.
 */
export const FIELD_KINDS = [
  'text',
  'longText',
  'number',
  'switch',
  'choice',
  'list',
  'url',
  'secret',
  'secretUrl',
  'secretList',
  'headers',
  'choices',
] as const;
export type FieldKind = (typeof FIELD_KINDS)[number];

export interface FormField {
  readonly kind: FieldKind;
  readonly label: string;
  readonly hint?: string;
  readonly placeholder?: string;
  /** The allowed values, for `choice`, `choices` and restricted lists. */
  readonly choices?: readonly string[];
  /** For `choices`: the names for which people choose one of the allowed values each. */
  readonly names?: readonly string[];
  /** True if forms show the field although it is optional, because most people use it. */
  readonly isCommon?: boolean;
}

/** The markup of a service. Escaped text cannot contain formatting, links or mentions. */
export interface Markup {
  readonly name: MarkupName;
  readonly escape: (text: string) => string;
  /** Formats a fact as one line, from its escaped name and its escaped value. */
  readonly fact: (name: string, value: string) => string;
  /** Escapes text of a target, in a monospaced font if the service has one. */
  readonly code: (text: string) => string;
  readonly instants: InstantStyle;
}

export function defineMarkup(
  name: MarkupName,
  fact: Markup['fact'],
  instants: InstantStyle = 'short',
): Markup {
  return {
    name,
    escape: (text) => escapeMarkup(name, text),
    fact,
    code: (text) => formatCode(name, text),
    instants,
  };
}

export const PLAIN = defineMarkup('plain', (name, value) => `${name}: ${value}`);
/** Plain text for services that keep alerts as records. */
export const PLAIN_RECORD = defineMarkup('plain', PLAIN.fact, 'record');

/** An alert that is about to be sent. */
export interface ChannelMessage {
  /** The id of the message. It is the same for all attempts, so that receivers can recognise a repetition. */
  readonly id: string;
  readonly alert: AlertMessage;
  /** The texts, without markup. */
  readonly words: AlertWords;
  /** The title in the markup of the channel. It comes from the account's template, or is the default text. */
  readonly title: string;
  readonly text: string;
  /** True if title and text come from a template of the account. */
  readonly isCustom: boolean;
  /** When this attempt is sent. */
  readonly sentAtMs: number;
  /** The secret that signs the request. Empty for all types except webhooks. */
  readonly signingSecret: string;
  readonly publicUrl: string;
  /** Link to acknowledge or snooze the incident. null if there is none. */
  readonly acknowledge: AlertLink | null;
  /** The account's name. null means that the name could not be loaded. */
  readonly accountName: string | null;
}

/** Lists the links of a message, most important first. */
export function listLinks({
  acknowledge,
  words: { link, runbook },
}: Pick<ChannelMessage, 'acknowledge' | 'words'>): readonly AlertLink[] {
  return [...listResponseLinks(acknowledge), link, ...(runbook === null ? [] : [runbook])];
}

/** Returns the links for acknowledging and snoozing the incident. */
export function listResponseLinks(acknowledge: AlertLink | null): readonly AlertLink[] {
  if (acknowledge === null) return [];
  return [acknowledge, buildSnoozeLink(acknowledge)];
}

/** Returns the link of the alert and the link to its runbook as text, for receivers that have no buttons. */
export function formatLinks({ link, runbook }: AlertWords): string {
  return [link.url, ...(runbook === null ? [] : [`Runbook: ${runbook.url}`])].join('\n');
}

/** Builds the requests of a message, which are sent one after the other. A retry sends all of them again. */
type Requests<Config> = (config: Config, message: ChannelMessage) => readonly PostRequest[];

interface Spec<Type extends string, Fields extends z.ZodRawShape> {
  readonly type: Type;
  readonly label: string;
  /** A sentence for the form that describes where to get the URL or key. */
  readonly about: string;
  readonly fields: Fields;
  readonly form: { readonly [Name in keyof Fields]: FormField };
  /** The list field whose entries are separate recipients. */
  readonly splitBy?: keyof Fields & string;
  readonly markup?: Markup;
  /** True if a template replaces the whole body instead of title and text. */
  readonly hasBodyTemplate?: boolean;
  /** Finds problems that involve several fields. */
  readonly findProblems?: (config: Config) => readonly FieldFault[];
  /** Builds the requests. null for email, which is not sent with POST. */
  readonly requests: Requests<z.output<z.ZodObject<Fields>>> | null;
  readonly read?: ReadResponse;
  /**
   * Reads from the response which fields the service wants to be changed, or returns null. The message is then sent
   * again at once with the changed fields, and the channel keeps them.
   */
  readonly readMove?: (response: PostedResponse) => Config | null;
  /** The hook that receives acknowledgements. undefined means that the service sends none. */
  readonly hook?: ChannelHook;
}

export type Config = Readonly<Record<string, unknown>>;

interface FieldFault {
  readonly path: string;
  readonly message: string;
}

export interface Channel<Type extends string = string> {
  readonly type: Type;
  readonly label: string;
  readonly about: string;
  readonly fields: z.ZodRawShape;
  readonly form: Readonly<Record<string, FormField>>;
  readonly splitBy: string | null;
  readonly markup: Markup;
  readonly hasBodyTemplate: boolean;
  readonly findProblems: (config: Config) => readonly FieldFault[];
  /** Builds the requests. null for email. Throws if the configuration is invalid. */
  readonly requests: Requests<unknown> | null;
  readonly read: ReadResponse | undefined;
  readonly readMove: Spec<Type, z.ZodRawShape>['readMove'] | undefined;
  readonly hook: ChannelHook | undefined;
}

export function defineChannel<const Type extends string, Fields extends z.ZodRawShape>(
  spec: Spec<Type, Fields>,
): Channel<Type> {
  const { requests } = spec;
  const shape = z.object(spec.fields);
  return {
    type: spec.type,
    label: spec.label,
    about: spec.about,
    fields: spec.fields,
    form: spec.form,
    splitBy: spec.splitBy ?? null,
    markup: spec.markup ?? PLAIN,
    hasBodyTemplate: spec.hasBodyTemplate ?? false,
    findProblems: spec.findProblems ?? (() => []),
    requests:
      requests === null ? null : (config, message) => requests(shape.parse(config), message),
    read: spec.read,
    readMove: spec.readMove,
    hook: spec.hook,
  };
}

/** Builds a POST with a JSON body. */
export function buildJsonPost(
  url: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): PostRequest {
  return { url, headers: namedValues(headers), body: toWellFormedJson(body) };
}

/** Returns JSON in which lone surrogates are replaced. With them, some receivers would refuse the whole message. */
export function toWellFormedJson(body: object): string {
  return JSON.stringify(body, (_name, value: unknown) =>
    typeof value === 'string' ? toWellFormed(value) : value,
  );
}

/** Builds a POST with a form body. */
export function buildFormPost(
  url: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): PostRequest {
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  return {
    url,
    headers: namedValues({ ...type, ...headers }),
    body: new URLSearchParams(fields).toString(),
  };
}

function namedValues(headers: Readonly<Record<string, string>>) {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

/** Appends the path to the base URL of an API. The base URL may contain a path, too. */
export function appendPath(base: string, path: string): string {
  return `${base.replace(/\/+$/, '')}${path}`;
}

/** Keeps as many whole lines as fit, so that no markup is cut. If even the first line is too long, it is cut. */
export function fitLines(text: string, max: number): string {
  if (text.length <= max) return toWellFormed(text);
  const end = text.lastIndexOf('\n', max - 2);
  return end > 0 ? toWellFormed(`${text.slice(0, end)}\n…`) : cutText(text, max);
}
