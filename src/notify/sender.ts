/**
 * Makes one attempt to send an alert to a recipient. Composes the text, sends the request, and interprets the response.
 * If the template fails, or the message from it is refused, sends the default text.
 */
import type {
  AlertAddress,
  AlertMessage,
  AlertTemplate,
  DeliveryOutcome,
} from '../contracts/alerts';
import { parseJson } from '../contracts/json';
import { MASK } from '../domain/secrets/redact';
import { cutText } from '../domain/text/cut-text';
import type { Clock } from '../platform/clock';
import type { TextSealer } from '../platform/sealing';
import type { RunTextJob } from '../text/text-task';
import { buildAcknowledgeUrl } from './acknowledge-link';
import {
  type Channel,
  type ChannelMessage,
  type Config,
  type Markup,
  PLAIN,
} from './channels/channel';
import { findChannel } from './channels/registry';
import { buildTemplateValues } from './event';
import { type Post, readPostOutcome } from './post';
import { renderTemplate } from './template';
import { type AlertWords, writeAlert } from './words';

const DETAIL_MAX = 240;

export interface Delivery {
  /** The id of the delivery. It is the same for all attempts, so that receivers can recognise a repetition. */
  readonly id: string;
  readonly alert: AlertMessage;
  readonly address: AlertAddress;
  /** The account's own text, which replaces the default text. null if there is none. */
  readonly template: AlertTemplate | null;
  /** Values that are hidden in the record of the attempt. */
  readonly secrets: readonly string[];
  /** The name of the channel. undefined if the names could not be loaded. */
  readonly channelName?: string | null;
  readonly accountName?: string | null;
  /** The group of the check. null if it has none, or if the group could not be read. */
  readonly group?: string | null;
}

/** The outcome, and the fields of the channel that the service wants to be changed. */
export type Sent = DeliveryOutcome & { readonly moved?: Config };

/** Sends the alert. Never rejects because of the receiver or the network. */
export type Send = (delivery: Delivery) => Promise<Sent>;

export type SendMail = (email: string, message: ChannelMessage) => Promise<DeliveryOutcome>;

export interface SenderParts {
  readonly post: Post;
  readonly mail: SendMail;
  readonly publicUrl: string;
  readonly clock: Clock;
  /** Renders templates in worker threads. */
  readonly runTextJob: RunTextJob;
  /** Encrypts the links with which recipients acknowledge incidents. */
  readonly sealer: Pick<TextSealer, 'seal'>;
}

export function createSender(parts: SenderParts): Send {
  const { post, mail, publicUrl, clock, runTextJob, sealer } = parts;
  const hand = async (
    channel: Channel,
    { config, moved }: Addressed,
    message: ChannelMessage,
  ): Promise<Sent> => {
    if (channel.requests === null) return mail(emailIn(config), message);
    let outcome: DeliveryOutcome = { kind: 'sent', detail: 'Nothing has to be sent.' };
    for (const request of channel.requests(config, message)) {
      const response = await post(request);
      const move = 'failure' in response ? null : (channel.readMove?.(response) ?? null);
      if (move !== null && moved === undefined)
        return hand(channel, { config: { ...config, ...move }, moved: move }, message);
      outcome = readPostOutcome(response, channel.read);
      if (outcome.kind !== 'sent') break;
    }
    return moved === undefined ? outcome : { ...outcome, moved };
  };
  return async (delivery) => {
    const { address, secrets } = delivery;
    const channel = findChannel(address.type);
    if (channel === undefined)
      return { kind: 'refused', detail: `This version has no channel of type ${address.type}.` };
    const hide = createHide(runTextJob, secrets);
    const sentAtMs = clock.now();
    const linked = { ...delivery, by: nameResponder(channel, delivery) };
    const composing = {
      ...delivery,
      sentAtMs,
      acknowledgeUrl: buildAcknowledgeUrl(sealer, publicUrl, linked),
    };
    const { message, fault } = await composeMessage(channel, composing, { publicUrl, runTextJob });
    const outcome = await hand(channel, address, message);
    if (!message.isCustom || outcome.kind !== 'refused') return addNote(outcome, fault, hide);
    const second = await hand(channel, address, composeOwn(channel, composing, publicUrl));
    // The default text was refused, too, so the template is not to blame.
    if (second.kind === 'refused') return addNote(outcome, null, hide);
    return addNote(second, `was refused: ${outcome.detail}`, hide);
  };
}

/**
 * Names the person who responds through the links of a message: the recipient of the email, or someone who reads the
 * channel.
 */
function nameResponder({ type, label }: Channel, { address, channelName }: Delivery): string {
  return type === 'email' ? emailIn(address.config) : `someone via ${channelName ?? label}`;
}

type Hide = (text: string) => Promise<string>;

/**
 * Creates a function that redacts the secrets in a text, also a secret that is cut off at the end. If redacting takes
 * too long, it returns only the mask.
 */
function createHide(runTextJob: RunTextJob, secrets: readonly string[]): Hide {
  return async (text) => {
    if (secrets.length === 0) return text;
    const task = { kind: 'redaction', subject: text, isBroken: true } as const;
    const [result] = await runTextJob({ text: '', tasks: [task], hidden: secrets });
    return result !== undefined && 'redacted' in result ? result.redacted : MASK;
  };
}

interface Addressed {
  readonly config: Config;
  /** Present for the second request, after the service has asked for changed fields. */
  readonly moved?: Config;
}

/** Adds the note of a fault to the outcome. Secrets are redacted before the text is cut. */
async function addNote(outcome: Sent, fault: string | null, hide: Hide): Promise<Sent> {
  const detail = cut(await hide(outcome.detail));
  if (fault === null) return { ...outcome, detail };
  const note = `The template ${cut(await hide(fault))}; the default text was used.`;
  return { ...outcome, detail: `${detail} ${note}` };
}

function cut(text: string): string {
  return cutText(text, DETAIL_MAX);
}

export interface Composed {
  readonly message: ChannelMessage;
  /** Why the default text is used although the channel has a template. null if it is not. */
  readonly fault: string | null;
}

type Composing = Pick<Delivery, 'id' | 'alert' | 'accountName' | 'group'> & {
  readonly sentAtMs: number;
  /** The URL of the acknowledge page. undefined or null means that there is no incident to acknowledge. */
  readonly acknowledgeUrl?: string | null;
  readonly address?: Pick<AlertAddress, 'signingSecret' | 'config'>;
};

/** Composes the message with the default text, in the markup of the channel. */
export function composeOwn(
  { markup }: Pick<Channel, 'markup'>,
  { id, alert, address, acknowledgeUrl: url = null, accountName = null, ...sending }: Composing,
  publicUrl: string,
): ChannelMessage {
  const { sentAtMs, group = null } = sending;
  const words = writeAlert(alert, publicUrl, { sentAtMs, group, instants: markup.instants });
  const lead = words.lead.map((line) => leadLine(markup, line));
  return {
    id,
    alert,
    words,
    title: markup.escape(words.headline),
    text: [...lead, ...words.facts.map((fact) => factLine(markup, fact))].join('\n'),
    isCustom: false,
    sentAtMs,
    signingSecret: address?.signingSecret ?? '',
    publicUrl,
    acknowledge: url === null ? null : { label: 'Acknowledge', url },
    accountName,
  };
}

/** Composes the message from the template of the channel. Without a usable template, composes the default text. */
export async function composeMessage(
  channel: Pick<Channel, 'markup' | 'hasBodyTemplate'>,
  { template, ...composing }: Composing & Pick<Delivery, 'template'>,
  { publicUrl, runTextJob }: Pick<SenderParts, 'publicUrl' | 'runTextJob'>,
): Promise<Composed> {
  const own = composeOwn(channel, composing, publicUrl);
  // An event ignores the template: templates are written for alerts, and programs expect events in the documented form.
  if (template === null || composing.alert.event !== undefined)
    return { message: own, fault: null };
  const { hasBodyTemplate, markup } = channel;
  const rendered = await renderTemplate(runTextJob, template, {
    values: buildTemplateValues(own),
    markup: hasBodyTemplate ? PLAIN.name : markup.name,
  });
  if ('fault' in rendered) return { message: own, fault: rendered.fault };
  const { title, text } = rendered;
  if (hasBodyTemplate && isBrokenJson(text, composing.address?.config))
    return { message: own, fault: 'does not give valid JSON' };
  const custom = { title: title === null ? own.title : oneLine(title), text };
  return { message: { ...own, ...custom, isCustom: true }, fault: null };
}

/** True if the body should be JSON but is not. Without a content type, a body should be JSON. */
function isBrokenJson(text: string, config: AlertAddress['config'] | undefined): boolean {
  const type = config?.['contentType'];
  if (typeof type === 'string' && !/[/+]json\b/i.test(type)) return false;
  return parseJson(text) === undefined;
}

function factLine({ escape: escapeText, fact }: Markup, part: AlertWords['facts'][number]): string {
  return fact(escapeText(part.name), escapeText(part.value));
}

function leadLine(markup: Markup, line: AlertWords['lead'][number]): string {
  if (line.look === 'labelled') return factLine(markup, line);
  return line.look === 'code' ? markup.code(line.value) : markup.escape(line.value);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function emailIn({ emails }: AlertAddress['config']): string {
  const [first]: readonly unknown[] = Array.isArray(emails) ? emails : [];
  return typeof first === 'string' ? first : '';
}
