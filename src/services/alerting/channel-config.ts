/**
 * Handles the fields of channels. Finds secrets, masks them in responses, and replaces masks in bodies by the stored
 * values.
 */
import { HEADER_MASK, isSensitiveHeader } from '../../domain/secrets/sensitive-headers';
import { findReferences } from '../../domain/templates/template';
import type { Channel, Config, FieldKind } from '../../notify/channels/channel';
import { createSampleAlert } from '../../notify/sample-alerts';
import { composeOwn } from '../../notify/sender';
import type { FieldProblem } from '../../platform/errors';
import type { AlertChannelBody } from '../../schemas/alerts';
import { readText } from '../../schemas/loose';

const MASKED_MESSAGE = 'is masked, and no value is stored for it; give the whole value';
const REFERENCE_MESSAGE = 'may contain {{secret:name}}, but no other reference';

/** Returns the fields that the body sets, including the template. Fields of other channel types are left out. */
export function readConfig(channel: Channel, body: AlertChannelBody): Config {
  const names = new Set([...Object.keys(channel.fields), 'template']);
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => names.has(name) && value != null),
  );
}

/** Returns the configuration in the form that responses show. */
export function maskConfig(channel: Channel, config: Config): Config {
  return mapFields(channel, config, (kind, value) => {
    if (kind === 'secret') return maskText(readText(value));
    if (kind === 'secretUrl') return maskUrl(readText(value));
    if (kind === 'secretList') return readList(value).map(maskText);
    return kind === 'headers' ? maskHeaders(readRecord(value)) : value;
  });
}

/** Replaces each masked value by the stored value. */
export function unmaskConfig(channel: Channel, config: Config, stored: Config): Config {
  const shown = maskConfig(channel, stored);
  const kept = mapFields(channel, config, (kind, value, name) => {
    if (kind === 'headers') return keepHeaders(readRecord(value), readRecord(stored[name]));
    if (kind === 'secretList')
      return readList(value).map((each, index) =>
        each === readList(shown[name])[index] ? readList(stored[name])[index] : each,
      );
    return isSecretKind(kind) && value === shown[name] ? stored[name] : value;
  });
  return kept;
}

/**
 * Finds values that cannot be stored: a mask without a stored value, or a reference to something other than a secret.
 */
export function findConfigProblems(channel: Channel, config: Config): readonly FieldProblem[] {
  const stray = secretTexts(channel, config).filter(({ value }) =>
    findReferences(value).some(({ kind, isCode }) => kind !== 'secret' || isCode === true),
  );
  return [
    ...findMaskedValues(channel, config, MASKED_MESSAGE),
    ...stray.map(({ path }) => ({ path, code: 'unknown_variable', message: REFERENCE_MESSAGE })),
  ];
}

/**
 * Reports every masked value if a request would go to a new scheme, host or port, because a stored secret may be sent
 * only to the origin for which it was stored. `given` is the configuration that the client sent. `config` contains the
 * stored values instead of the masks.
 */
export function findMovedSecrets(
  channel: Channel,
  { given, config, stored }: Readonly<Record<'given' | 'config' | 'stored', Config>>,
): readonly FieldProblem[] {
  const known = new Set(listOrigins(channel, stored));
  const added = listOrigins(channel, config).find((origin) => !known.has(origin));
  if (added === undefined) return [];
  const message = `is masked, but alerts now go to another host (${added}); give the whole value again`;
  return findMaskedValues(channel, given, message);
}

function findMaskedValues(
  channel: Channel,
  config: Config,
  message: string,
): readonly FieldProblem[] {
  return secretTexts(channel, config)
    .filter(({ kind, value }) =>
      kind === 'secretUrl' ? isMaskedUrl(value) : value === HEADER_MASK,
    )
    .map(({ path }) => ({ path, code: 'invalid_value', message }));
}

/** Returns the origins to which the channel sends requests. Builds a sample request to find them. */
export function listOrigins(channel: Channel, config: Config): readonly string[] {
  const composing = { id: 'sample', alert: createSampleAlert('failure', 0), sentAtMs: 0 };
  const message = composeOwn(channel, composing, 'http://localhost');
  const requests = channel.requests?.(config, message) ?? [];
  return requests.map(({ url }) => new URL(url).origin);
}

/** Lists the URLs in the configuration. The target guard checks them. */
export function listUrls(
  channel: Channel,
  config: Config,
): readonly { readonly path: string; readonly url: string }[] {
  return Object.entries(channel.form).flatMap(([path, { kind }]) => {
    const url = config[path];
    return (kind === 'url' || kind === 'secretUrl') && typeof url === 'string'
      ? [{ path, url }]
      : [];
  });
}

/** Splits the configuration into one configuration per recipient, without the template. */
export function splitConfig(
  { splitBy }: Channel,
  { template: _template, ...config }: Config,
): readonly Config[] {
  if (splitBy === null) return [config];
  return readList(config[splitBy]).map((entry) => ({ ...config, [splitBy]: [entry] }));
}

/** Lists the names of the account's secrets to which the configuration refers, each once. */
export function listSecretNames(channel: Channel, config: Config): readonly string[] {
  const names = secretTexts(channel, config).flatMap(({ value }) =>
    findReferences(value).flatMap(({ kind, name }) => (kind === 'secret' ? [name] : [])),
  );
  return [...new Set(names)];
}

/** Applies `fill` to every text that can contain a reference to a secret. */
export function fillSecrets(
  channel: Channel,
  config: Config,
  fill: (text: string) => string,
): Config {
  return mapFields(channel, config, (kind, value) => {
    if (kind === 'secret') return fill(readText(value));
    if (kind !== 'headers') return value;
    return Object.fromEntries(
      Object.entries(readRecord(value)).map(([name, text]) => [name, fill(String(text))]),
    );
  });
}

/** Lists the values that must never be shown. For a secret URL, these are the whole URL and its path. */
export function listSecretValues(channel: Channel, config: Config): readonly string[] {
  return secretTexts(channel, config).flatMap(({ kind, value }) =>
    kind === 'secretUrl' ? [value, readPath(value)] : [value],
  );
}

interface SecretText {
  readonly path: string;
  readonly kind: FieldKind;
  readonly value: string;
}

function secretTexts({ form }: Channel, config: Config): readonly SecretText[] {
  return Object.entries(form).flatMap(([name, { kind }]): readonly SecretText[] => {
    const value = config[name];
    if (value === undefined) return [];
    if (kind === 'secretList')
      return readList(value).map((each, at) => ({ path: `${name}[${at}]`, kind, value: each }));
    if (kind === 'headers')
      return Object.entries(readRecord(value))
        .filter(([header, text]) => isSecretHeader(header, String(text)))
        .map(([header, text]) => ({ path: `${name}.${header}`, kind, value: String(text) }));
    return isSecretKind(kind) ? [{ path: name, kind, value: readText(value) }] : [];
  });
}

function isSecretHeader(name: string, value: string): boolean {
  return (
    isSensitiveHeader(name, value) || findReferences(value).length > 0 || value === HEADER_MASK
  );
}

function isSecretKind(kind: FieldKind): boolean {
  return kind === 'secret' || kind === 'secretUrl' || kind === 'secretList';
}

function mapFields(
  { form }: Channel,
  config: Config,
  map: (kind: FieldKind, value: unknown, name: string) => unknown,
): Config {
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => {
      const kind = form[name]?.kind;
      return [name, kind === undefined ? value : map(kind, value, name)];
    }),
  );
}

/** Masks a text. A text that consists only of references to secrets reveals nothing and is not masked. */
function maskText(text: string): string {
  return /^(?:\{\{secret:[^{}]*\}\})+$/.test(text) ? text : HEADER_MASK;
}

function maskHeaders(headers: Config): Config {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      isSensitiveHeader(name, String(value)) ? HEADER_MASK : value,
    ]),
  );
}

function keepHeaders(headers: Config, stored: Config): Config {
  const before = new Map(
    Object.entries(stored).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value === HEADER_MASK ? (before.get(name.toLowerCase()) ?? value) : value,
    ]),
  );
}

/** Returns a URL that shows only scheme, host and port. The path is the secret of a webhook. */
export function maskUrl(url: string): string {
  return `${new URL(url).origin}/…`;
}

/** True for a URL in the form that maskUrl returns. */
function isMaskedUrl(url: string): boolean {
  return new URL(url).href === new URL(maskUrl(url)).href;
}

function readPath(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname.length > 1 ? `${pathname}${search}` : '';
}

function readRecord(value: unknown): Config {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function readList(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
