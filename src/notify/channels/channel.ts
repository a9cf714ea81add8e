/**
 * What a type of alert channel is: its fields, the words of its form, how an alert becomes one POST,
 * and how the service's responses are read. A new type is one file like its neighbours and one line of
 * the registry. Nothing here sends, stores or knows an account.
 */
import { z } from 'zod';
import type { AlertMessage } from '../../contracts/alerts';
import { cutText, toWellFormed } from '../../domain/text/cut-text';
import { escapeMarkup, type MarkupName } from '../../domain/text/markup-escapes';
import type { AlertLink } from '../alert-links';
import type { PostedResponse, PostRequest, ReadResponse } from '../post';
import type { AlertWords } from '../words';
import type { ChannelHook } from './hook';

/**
 * How a field is typed and shown. `secret` and `secretUrl` come back masked; `headers` only where they
 * are sensitive. Fields of the same name are of the same kind in every type.
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
  /** Of `choice`, `choices` and, where not everything is allowed, `list`: what may be chosen. */
  readonly choices?: readonly string[];
  /** Of `choices`: what something is chosen for. */
  readonly names?: readonly string[];
  /** Optional, but what most people fill in: forms do not fold it away. */
  readonly isCommon?: boolean;
}

/** How a service writes text: nothing in a name may format, link or notify anyone. */
export interface Markup {
  readonly name: MarkupName;
  readonly escape: (text: string) => string;
  /** One line; both parts are escaped already. */
  readonly fact: (name: string, value: string) => string;
}

export function defineMarkup(name: MarkupName, fact: Markup['fact']): Markup {
  return { name, escape: (text) => escapeMarkup(name, text), fact };
}

export const PLAIN = defineMarkup('plain', (name, value) => `${name}: ${value}`);

/** An alert as it is about to be sent. */
export interface ChannelMessage {
  /** The same for every try, so that receivers can tell a repetition. */
  readonly id: string;
  readonly alert: AlertMessage;
  /** Plain. */
  readonly words: AlertWords;
  /** In the markup of the channel: the account's own words, or ours. */
  readonly title: string;
  readonly text: string;
  /** Title and text come from a template of the account. */
  readonly isCustom: boolean;
  /** When it is handed over. */
  readonly sentAtMs: number;
  /** Of a webhook. */
  readonly signingSecret: string;
  readonly publicUrl: string;
  /** By which whoever reads it acknowledges or snoozes; null: there is nothing to. */
  readonly acknowledge: AlertLink | null;
  /** null: it could not be read. */
  readonly accountName: string | null;
}

/** In the order in which people need them. */
export function linksOf({
  acknowledge,
  words: { link, runbook },
}: Pick<ChannelMessage, 'acknowledge' | 'words'>): readonly AlertLink[] {
  return [acknowledge, link, runbook].filter((each) => each !== null);
}

/** For receivers that know no buttons. */
export function linkLines({ link, runbook }: AlertWords): string {
  return [link.url, ...(runbook === null ? [] : [`Runbook: ${runbook.url}`])].join('\n');
}

/** Several requests are sent one after the other; a later try begins with the first again. */
type Requests<Config> = (config: Config, message: ChannelMessage) => readonly PostRequest[];

interface Spec<Type extends string, Fields extends z.ZodRawShape> {
  readonly type: Type;
  readonly label: string;
  /** One sentence for the form: where its address comes from. */
  readonly about: string;
  readonly fields: Fields;
  readonly form: { readonly [Name in keyof Fields]: FormField };
  /** Each entry of this list is a recipient of its own. */
  readonly splitBy?: keyof Fields & string;
  readonly markup?: Markup;
  /** A template is the whole body, instead of title and text. */
  readonly hasBodyTemplate?: boolean;
  /** Problems across fields. */
  readonly findProblems?: (config: Config) => readonly FieldFault[];
  /** null: mail, which is not sent by POST. */
  readonly requests: Requests<z.output<z.ZodObject<Fields>>> | null;
  readonly read?: ReadResponse;
  /** Fields that the service wants otherwise from now on; the message is sent again at once with them. */
  readonly readMove?: (response: PostedResponse) => Config | null;
  /** How acknowledgements come back; absent: they do not. */
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
  /** null: mail. Throws for a configuration that was never valid. */
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

/** No receiver takes half a character, and some refuse the whole message for one. */
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

/** The path behind an address of an API, which may have a path of its own. */
export function under(base: string, path: string): string {
  return `${base.replace(/\/+$/, '')}${path}`;
}

/** As many whole lines as fit, so that no markup is cut in two; a first line too long is cut. */
export function fitLines(text: string, max: number): string {
  if (text.length <= max) return toWellFormed(text);
  const end = text.lastIndexOf('\n', max - 2);
  return end > 0 ? toWellFormed(`${text.slice(0, end)}\n…`) : cutText(text, max);
}
