/**
 * Defines a type of alert channel: its fields, its form, the POST requests for an alert, and the meaning of responses.
 * A new type needs one file in this folder and one line in the registry.
 */
import { z } from 'zod';
import type { AlertMessage } from '../../contracts/alerts';
import { cutText, toWellFormed } from '../../domain/text/cut-text';
import { escapeMarkup, type MarkupName } from '../../domain/text/markup-escapes';
import { type AlertLink, buildSnoozeLink } from '../alert-links';
import type { PostedResponse, PostRequest, ReadResponse } from '../post';
import type { AlertWords } from '../words';
import type { ChannelHook } from './hook';

/**
 * How to enter and show a field. Secret kinds are masked in responses; of `headers`, only sensitive values. Fields of
 * the same name have the same kind in all types.
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
  /** For `choice`, `choices` and restricted lists: the allowed values. */
  readonly choices?: readonly string[];
  /** For `choices`: the names for which a value is chosen. */
  readonly names?: readonly string[];
  /** Optional, but shown by forms, because most people use it. */
  readonly isCommon?: boolean;
}

/** The markup of a service. Escaped text cannot contain formatting, links or mentions. */
export interface Markup {
  readonly name: MarkupName;
  readonly escape: (text: string) => string;
  /** Formats one line. Both parts are escaped. */
  readonly fact: (name: string, value: string) => string;
}

export function defineMarkup(name: MarkupName, fact: Markup['fact']): Markup {
  return { name, escape: (text) => escapeMarkup(name, text), fact };
}

export const PLAIN = defineMarkup('plain', (name, value) => `${name}: ${value}`);

/** An alert that is about to be sent. */
export interface ChannelMessage {
  /** The same for all attempts, so that receivers can recognize a repetition. */
  readonly id: string;
  readonly alert: AlertMessage;
  /** Plain text. */
  readonly words: AlertWords;
  /** In the markup of the channel. From the account's template, or the default text. */
  readonly title: string;
  readonly text: string;
  /** True if title and text come from a template of the account. */
  readonly isCustom: boolean;
  /** The time at which this attempt is sent. */
  readonly sentAtMs: number;
  /** Empty except for webhooks. */
  readonly signingSecret: string;
  readonly publicUrl: string;
  /** Link to acknowledge or snooze the incident. null if there is none. */
  readonly acknowledge: AlertLink | null;
  /** null means that the name could not be loaded. */
  readonly accountName: string | null;
}

/** The links of a message, most important first. */
export function listLinks({
  acknowledge,
  words: { link, runbook },
}: Pick<ChannelMessage, 'acknowledge' | 'words'>): readonly AlertLink[] {
  return [...responseLinks(acknowledge), link, ...(runbook === null ? [] : [runbook])];
}

/** Links for acknowledging and snoozing the incident. */
export function responseLinks(acknowledge: AlertLink | null): readonly AlertLink[] {
  if (acknowledge === null) return [];
  return [acknowledge, buildSnoozeLink(acknowledge)];
}

/** The links as text, for receivers without buttons. */
export function linkLines({ link, runbook }: AlertWords): string {
  return [link.url, ...(runbook === null ? [] : [`Runbook: ${runbook.url}`])].join('\n');
}

/** Several requests are sent in sequence. A retry starts with the first request again. */
type Requests<Config> = (config: Config, message: ChannelMessage) => readonly PostRequest[];

interface Spec<Type extends string, Fields extends z.ZodRawShape> {
  readonly type: Type;
  readonly label: string;
  /** A sentence for the form: where to get the URL or key. */
  readonly about: string;
  readonly fields: Fields;
  readonly form: { readonly [Name in keyof Fields]: FormField };
  /** Each entry of this list is a separate recipient. */
  readonly splitBy?: keyof Fields & string;
  readonly markup?: Markup;
  /** True if a template defines the whole body instead of title and text. */
  readonly hasBodyTemplate?: boolean;
  /** Finds problems that involve several fields. */
  readonly findProblems?: (config: Config) => readonly FieldFault[];
  /** null means email, which is not sent with POST. */
  readonly requests: Requests<z.output<z.ZodObject<Fields>>> | null;
  readonly read?: ReadResponse;
  /** Fields that the service wants to be changed from now on. The message is immediately sent again with them. */
  readonly readMove?: (response: PostedResponse) => Config | null;
  /** The hook that receives acknowledgements. undefined means that the type has no hook. */
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
  /** null means email. Throws if the configuration is invalid. */
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
export function jsonPost(
  url: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): PostRequest {
  return { url, headers: namedValues(headers), body: wellFormedJson(body) };
}

/** Replaces lone surrogates, because some receivers refuse the whole message. */
export function wellFormedJson(body: object): string {
  return JSON.stringify(body, (_name, value: unknown) =>
    typeof value === 'string' ? toWellFormed(value) : value,
  );
}

/** Builds a POST with a form body. */
export function formPost(
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

/** Appends the path to the base URL of an API. The base URL may have its own path. */
export function under(base: string, path: string): string {
  return `${base.replace(/\/+$/, '')}${path}`;
}

/** Keeps as many whole lines as fit, so that no markup is cut. A first line that is too long is cut. */
export function fitLines(text: string, max: number): string {
  if (text.length <= max) return toWellFormed(text);
  const end = text.lastIndexOf('\n', max - 2);
  return end > 0 ? toWellFormed(`${text.slice(0, end)}\n…`) : cutText(text, max);
}
