/** The schemas of settings with URLs. Error messages do not contain the value, which may contain a password. */
import { z } from 'zod';

const ESCAPES =
  'in a user name or password, write % as %25, / as %2F, ? as %3F, # as %23, @ as %40, : as %3A';
const HOST = /^(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9_.%-]+)(?::(\d{1,5}))?$/;

interface UrlRules {
  /** The allowed schemes, without `://`. */
  readonly schemes: readonly string[];
  /** True if several hosts may be given, separated by commas. */
  readonly hasManyHosts?: boolean;
  readonly hasUser?: boolean;
  /** True if a path may follow the host. */
  readonly hasPath?: boolean;
  /** True if `?name=value` may follow the path. */
  readonly hasQuery?: boolean;
}

function listWords(schemes: readonly string[]): string {
  return schemes.map((scheme) => `${scheme}://`).join(' or ');
}

function isPart(text: string): boolean {
  if (/[/?#@:\s]/.test(text)) return false;
  try {
    return decodeURIComponent(text) !== '';
  } catch {
    return false;
  }
}

function findUserFault(user: string): string | null {
  const [name = '', ...password] = user.split(':');
  const parts = [name, ...password].filter((part) => part !== '');
  return password.length > 1 || !parts.every(isPart) ? ESCAPES : null;
}

function isHost(text: string): boolean {
  const [whole, port = '1'] = HOST.exec(text) ?? [];
  return whole !== undefined && Number(port) >= 1 && Number(port) <= 65_535;
}

/**
 * Returns the fault of the part after the hosts, or null. An @ in this part means that an unescaped character in a
 * password ended the hosts too early.
 */
function findTailFault(tail: string, hasAt: boolean, rules: UrlRules): string | null {
  const { hasPath = false, hasQuery = false } = rules;
  const [path = '', query] = tail.split(/\?(.*)/s);
  const isMisread = tail.includes('#') || path.includes('@') || (!hasAt && tail.includes('@'));
  if (isMisread) return rules.hasUser === true ? ESCAPES : 'must not contain # or @';
  if (path.replaceAll('/', '') !== '' && !hasPath) return 'must have no path';
  if (query === undefined) return null;
  if (!hasQuery) return 'must not contain ?';
  const arePairs = query.split('&').every((pair) => pair === '' || /^[^=]+=/.test(pair));
  return arePairs ? null : ESCAPES;
}

/** Describes the fault of the URL. null means that the URL is valid. */
function findFault(text: string, rules: UrlRules): string | null {
  const { schemes, hasManyHosts = false, hasUser = false } = rules;
  const [, scheme = '', authority = '', tail = ''] =
    /^([a-z][a-z0-9+]*):\/\/([^/?#]*)(.*)$/is.exec(text) ?? [];
  if (!schemes.includes(scheme.toLowerCase())) return `must begin with ${listWords(schemes)}`;
  if (/\s/.test(text)) return 'must not contain spaces';
  const at = authority.lastIndexOf('@');
  if (at !== -1 && !hasUser) return 'must have no user name or password';
  const userFault = at === -1 ? null : findUserFault(authority.slice(0, at));
  const fault = userFault ?? findTailFault(tail, at !== -1, rules);
  if (fault !== null) return fault;
  const named = authority.slice(at + 1);
  const hosts = hasManyHosts ? named.split(',') : [named];
  if (hosts.every(isHost)) return null;
  return `must name a host after the scheme${hasUser ? `; ${ESCAPES}` : ''}`;
}

function urlShape(rules: UrlRules) {
  return z.string().transform((text, context) => {
    const fault = findFault(text, rules);
    if (fault === null) return text;
    context.issues.push({ code: 'custom', message: fault, input: null });
    return z.NEVER;
  });
}

function withoutSlashes(text: string): string {
  return text.replace(/\/+$/, '');
}

const HTTP = ['http', 'https'];

/** A base URL that paths are appended to. */
export const httpUrl = urlShape({ schemes: HTTP, hasUser: true, hasPath: true })
  .refine((text) => URL.canParse(text), 'must be an http(s) URL')
  .transform(withoutSlashes);

/** The issuer of tokens, exactly as it names itself in its tokens. */
export const issuerUrl = urlShape({ schemes: HTTP, hasPath: true })
  .refine((text) => URL.canParse(text), 'must be an http(s) URL')
  .transform(withoutSlashes);

/** A URL that reports are sent to. It is used exactly as given, including a trailing slash. */
export const receiverUrl = urlShape({ schemes: HTTP, hasPath: true, hasQuery: true }).refine(
  (text) => URL.canParse(text),
  'must be an http(s) URL',
);

/** The public URL. It must have no path, because pages and links start at the root of the host. */
export const publicUrl = urlShape({ schemes: HTTP, hasPath: true })
  .refine(
    (text) => !URL.canParse(text) || new URL(text).pathname.replaceAll('/', '') === '',
    'must have no path: give Keepwatch a host name of its own, like https://watch.example.com',
  )
  .refine((text) => URL.canParse(text), 'must be an http(s) URL')
  .transform(withoutSlashes);

export const smtpUrl = urlShape({
  schemes: ['smtp', 'smtps'],
  hasUser: true,
  hasPath: true,
  hasQuery: true,
});

export const mongodbUrl = urlShape({
  schemes: ['mongodb', 'mongodb+srv'],
  hasUser: true,
  hasManyHosts: true,
  hasPath: true,
  hasQuery: true,
});

const ADDRESS = /^[^\s<>,;"@]+@[^\s<>,;"@]+$/;
const NAMED_ADDRESS = /^(?:"([^"\p{Cc}]*)"|([^"<>\p{Cc}]*?))\s*<([^<>]+)>$/u;

/** The sender of mail, for example `watch@example.com` or `Keepwatch <watch@example.com>`. */
export const mailSender = z.string().refine((text) => {
  const address = NAMED_ADDRESS.exec(text)?.[3] ?? text;
  return ADDRESS.test(address) && z.email().safeParse(address).success;
}, 'must be one email address, like watch@example.com or Keepwatch <watch@example.com>');
