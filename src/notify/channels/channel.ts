/**
 * Defines a type of alert channel: its fields, the labels of its form, how an alert becomes POST requests, and how the
 * service's responses are read. A new type is one file in this folder and one line in the registry. Nothing here sends,
 * stores or knows an account.
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
 * The ways to enter and show a field. Secret kinds are masked in responses; of `headers`, only sensitive values are.
 * Fields with the same name have the same kind in every channel type.
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
  /** For `choices`: the names that a value is chosen for. */
  readonly names?: readonly string[];
  /** Optional, but filled in by most people, so forms do not hide it under the advanced fields. */
  readonly isCommon?: boolean;
}

/** The markup of a service. Escaped text cannot format, link or notify anyone. */
export interface Markup {
  readonly name: MarkupName;
  readonly escape: (text: string) => string;
  /** Formats one line; both parts are already escaped. */
  readonly fact: (name: string, value: string) => string;
}

export function defineMarkup(name: MarkupName, fact: Markup['fact']): Markup {
  return { name, escape: (text) => escapeMarkup(name, text), fact };
}

export const PLAIN = defineMarkup('plain', (name, value) => `${name}: ${value}`);

/** An alert as it is about to be sent. */
export interface ChannelMessage {
  /** The same for every attempt, so that receivers can recognize a repetition. */
  readonly id: string;
  readonly alert: AlertMessage;
  /** Plain text. */
  readonly words: AlertWords;
  /** In the markup of the channel: from the account's template, or the default text. */
  readonly title: string;
  readonly text: string;
  /** Title and text come from a template of the account. */
  readonly isCustom: boolean;
  /** When this attempt is sent. */
  readonly sentAtMs: number;
  /** Empty unless the channel is a webhook. */
  readonly signingSecret: string;
  readonly publicUrl: string;
  /** Link with which a reader acknowledges or snoozes the incident; null: there is nothing to acknowledge. */
  readonly acknowledge: AlertLink | null;
  /** null: it could not be read. */
  readonly accountName: string | null;
}

/** The links of a message, most important first. */
export function listLinks({
  acknowledge,
  words: { link, runbook },
}: Pick<ChannelMessage, 'acknowledge' | 'words'>): readonly AlertLink[] {
  return [...responseLinks(acknowledge), link, ...(runbook === null ? [] : [runbook])];
}

/** To acknowledge the incident, and to snooze it. */
export function responseLinks(acknowledge: AlertLink | null): readonly AlertLink[] {
  if (acknowledge === null) return [];
  return [acknowledge, buildSnoozeLink(acknowledge)];
}

/** For receivers without buttons. */
export function linkLines({ link, runbook }: AlertWords): string {
  return [link.url, ...(runbook === null ? [] : [`Runbook: ${runbook.url}`])].join('\n');
}

/** Several requests are sent in sequence; a retry starts again with the first one. */
type Requests<Config> = (config: Config, message: ChannelMessage) => readonly PostRequest[];

interface Spec<Type extends string, Fields extends z.ZodRawShape> {
  readonly type: Type;
  readonly label: string;
  /** One sentence for the form: where to get its URL or key. */
  readonly about: string;
  readonly fields: Fields;
  readonly form: { readonly [Name in keyof Fields]: FormField };
  /** Each entry of this list is a separate recipient. */
  readonly splitBy?: keyof Fields & string;
  readonly markup?: Markup;
  /** A template defines the whole body instead of title and text. */
  readonly hasBodyTemplate?: boolean;
  /** Problems that concern several fields. */
  readonly findProblems?: (config: Config) => readonly FieldFault[];
  /** null: email, which is not sent by POST. */
  readonly requests: Requests<z.output<z.ZodObject<Fields>>> | null;
  readonly read?: ReadResponse;
  /** Fields that the service wants changed from now on; the message is sent again with them at once. */
  readonly readMove?: (response: PostedResponse) => Config | null;
  /** The hook that receives acknowledgements; undefined: there is none. */
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
  /** null: email. Throws for an invalid configuration. */
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

/** A POST of JSON. */
export function jsonPost(
  url: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): PostRequest {
  return { url, headers: namedValues(headers), body: wellFormedJson(body) };
}

/** Replaces lone surrogates: no receiver accepts half a character, and some refuse the whole message for one. */
export function wellFormedJson(body: object): string {
  return JSON.stringify(body, (_name, value: unknown) =>
    typeof value === 'string' ? toWellFormed(value) : value,
  );
}

/** A POST of a form. */
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

/** Appends the path to the base URL of an API, which may have a path of its own. */
export function under(base: string, path: string): string {
  return `${base.replace(/\/+$/, '')}${path}`;
}

/** Keeps as many whole lines as fit, so that no markup is cut in two. A first line that is too long is cut. */
export function fitLines(text: string, max: number): string {
  if (text.length <= max) return toWellFormed(text);
  const end = text.lastIndexOf('\n', max - 2);
  return end > 0 ? toWellFormed(`${text.slice(0, end)}\n…`) : cutText(text, max);
}
