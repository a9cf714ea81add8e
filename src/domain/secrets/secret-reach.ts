/**
 * Decides which secrets a request may send to its URL. Secrets of a definition may be sent only to origins in that
 * definition. A secret with a list of hosts may be sent only to those hosts. An extracted value may also be sent back
 * to its source. Pure.
 */
import type {
  Definition,
  JsonValue,
  NamedValue,
  RequestBody,
  StepDefinition,
  WithAuth,
} from '../../contracts/definition';
import type { WithTls } from '../../contracts/definitions/tls';

import type { ProbeSecret } from '../../contracts/probe-protocol';
import type { RunVariable } from '../../contracts/records';
import { listStepUrls } from '../definitions/auth';
import { findKnownOrigin, readOrigin } from '../templates/known-origin';
import { listFilledIn } from '../templates/payload';
import { findReferences, type GeneratedName, type Reference } from '../templates/template';
import { listTexts } from '../text/list-texts';
import { formatHostPattern, isAllowedFor } from './secret-hosts';
import { hasLiteralSecret } from './sensitive-headers';

/** The limits of a secret value that a step extracted. */
export interface Reach {
  /** The origin of the response that contained the value. */
  readonly origin: string;
  /** The host lists of the secrets that the response contained. Each of them also limits the extracted value. */
  readonly hosts: readonly (readonly string[])[];
}

/**
 * A value of a run in plain text. A value without a reach comes from the person who started the run, and may be sent
 * anywhere.
 */
export interface ReachingVariable extends RunVariable {
  readonly reach?: Reach | undefined;
}

interface Sending {
  readonly definition: Pick<Definition, 'variables' | 'steps'>;
  /** The texts that are sent. They may refer to secrets. */
  readonly texts: readonly JsonValue[];
  /** Header values, which may contain a secret in plain text. */
  readonly headers: readonly NamedValue[];
  readonly url: URL;
  /** The URL of the step's token, and the texts that are sent only to this URL. */
  readonly token: { readonly url: URL; readonly texts: readonly JsonValue[] } | null;
  readonly secrets: readonly ProbeSecret[];
  readonly vars: readonly ReachingVariable[];
  readonly generated: Readonly<Record<GeneratedName, string>>;
}

/** Lists the parts of a request that may refer to secrets. */
export function listSentTexts(
  request: Pick<StepDefinition, 'headers'> & RequestBody & WithAuth & WithTls,
): readonly JsonValue[] {
  return [request.headers.map(({ value }) => value), listFilledIn(request)];
}

/** Returns why the request must not be sent. null means that the request may be sent. */
export function findForbiddenSecret(sending: Sending): string | null {
  const forbidden = findForbidden(sending.texts, sending) ?? findForbiddenHeader(sending);
  const { token } = sending;
  if (forbidden !== null || token === null) return forbidden;
  return (
    findForbidden(token.texts, { ...sending, url: token.url }) ??
    (isOwnAddress(sending) ? null : otherToken(token.url, sending.url))
  );
}

/**
 * Returns why the first forbidden reference in the texts must not be sent to the URL. null if no reference is
 * forbidden.
 */
function findForbidden(texts: readonly JsonValue[], sending: Sending): string | null {
  let known: boolean | null = null;
  const isOwn = (): boolean => {
    known ??= isOwnAddress(sending);
    return known;
  };
  for (const reference of listTexts(texts).flatMap((text) => findReferences(text))) {
    const problem = findProblem(reference, sending, isOwn);
    if (problem !== null) return problem;
  }
  return null;
}

function findForbiddenHeader(sending: Sending): string | null {
  const header = sending.headers.find(({ name, value }) => hasLiteralSecret(name, value));
  if (header === undefined || isOwnAddress(sending)) return null;
  return `The value of the header ${header.name} goes only to the origins of its definition, and not to ${readOrigin(sending.url)}. Use {{secret:name}} with a secret that has hosts instead.`;
}

function findProblem(
  { kind, name }: Reference,
  { definition, url, secrets, vars }: Sending,
  isOwn: () => boolean,
): string | null {
  if (kind === 'secret') {
    const secret = secrets.find((each) => each.name === name);
    if (secret === undefined) return null;
    if (secret.hosts === undefined) return isOwn() ? null : noHosts(name, url);
    return isAllowedFor(url, secret.hosts) ? null : otherHost(name, url);
  }
  if (kind !== 'variable') return null;
  const given = vars.findLast((each) => each.name === name);
  if (given === undefined) {
    const isKept = definition.variables.some((each) => each.name === name && each.secret === true);
    return !isKept || isOwn() ? null : otherAddress(name, url);
  }
  const { reach } = given;
  if (reach === undefined) return null;
  const isThere = readOrigin(url) === reach.origin || isOwn();
  return isThere && reach.hosts.every((hosts) => isAllowedFor(url, hosts))
    ? null
    : notExtractedFor(name, url);
}

/**
 * True if a step or token request of the definition has the same origin. Values of the run are not filled in, so that
 * they cannot change the result.
 */
function isOwnAddress({ definition, url, generated }: Sending): boolean {
  const plain = definition.variables.filter(({ secret }) => secret !== true);
  const variables = new Map(plain.map(({ name, value }) => [name, value]));
  return definition.steps.flatMap(listStepUrls).some((own) => {
    const known = findKnownOrigin(own, { variables, generated });
    return known !== null && readOrigin(known) === readOrigin(url);
  });
}

function otherHost(name: string, url: URL): string {
  return `The secret “${name}” is not allowed for ${readOrigin(url)}. Set it again with ${formatHostPattern(url)} among its hosts to allow that.`;
}

function noHosts(name: string, url: URL): string {
  return `The secret “${name}” has no hosts, so it goes only to the origins of the definition, and not to ${readOrigin(url)}. Set it again with ${formatHostPattern(url)} among its hosts to allow that.`;
}

function otherAddress(name: string, url: URL): string {
  return `The secret variable "${name}" goes only to the origins of its definition, and not to ${readOrigin(url)}. Give its value with the run, or use a secret of the account with hosts.`;
}

function otherToken(tokenUrl: URL, url: URL): string {
  return `The token of ${readOrigin(tokenUrl)} goes only to the origins of the definition, and not to ${readOrigin(url)}.`;
}

function notExtractedFor(name: string, url: URL): string {
  return `The extracted secret "${name}" goes only to the origins of the definition and to where it came from, and not to ${readOrigin(url)}.`;
}
