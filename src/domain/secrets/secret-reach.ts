/**
 * Which secrets a request may carry to its address. What a definition keeps goes to the addresses that the
 * definition itself names, whatever the values of a run make of a URL; a secret with hosts goes to those; what
 * a step has extracted may also go back to where it came from. Pure.
 */
import {
  type Definition,
  isNetworkStep,
  type JsonValue,
  type SentStep,
  type StepDefinition,
} from '../../contracts/definition';
import type { ProbeSecret } from '../../contracts/probe-protocol';
import type { RunVariable } from '../../contracts/records';
import { authTexts, urlsOfStep } from '../definitions/auth';
import { findKnownOrigin, originOf } from '../templates/known-origin';
import { findReferences, type GeneratedName, type Reference } from '../templates/template';
import { textsIn } from '../text/texts-in';
import { hostPatternOf, isAllowedFor } from './secret-hosts';
import { sentTextsOf } from './secret-names';
import { holdsLiteralSecret } from './sensitive-headers';

/** Of a value that a step has extracted as secret. */
export interface Reach {
  /** Of the response that held it. */
  readonly origin: string;
  /** Lists of hosts of the secrets that stood in the response: each of them holds for the value, too. */
  readonly hosts: readonly (readonly string[])[];
}

/** A value of a run in clear. Without a reach, whoever started the run gave it, and knows it. */
export interface ReachingVariable extends RunVariable {
  readonly reach?: Reach | undefined;
}

interface Sending {
  readonly definition: Pick<Definition, 'variables' | 'steps'>;
  readonly step: SentStep;
  readonly url: URL;
  /** Where the step's token is fetched: the credentials of its auth go there, and nowhere else. */
  readonly tokenUrl?: URL | null | undefined;
  readonly secrets: readonly ProbeSecret[];
  readonly vars: readonly ReachingVariable[];
  readonly generated: Readonly<Record<GeneratedName, string>>;
}

/** Why the request must not be sent, or null. */
export function findForbiddenSecret(sending: Sending): string | null {
  const { step, url, tokenUrl } = sending;
  if (isNetworkStep(step)) return findForbidden(sentTextsOf(step), sending);
  const { auth, ...request } = step;
  if (tokenUrl == null || auth === undefined)
    return findForbidden(sentTextsOf(step), sending) ?? findForbiddenHeader(step, sending);
  return (
    findForbidden([authTexts(auth)], { ...sending, url: tokenUrl }) ??
    findForbidden(sentTextsOf(request), sending) ??
    findForbiddenHeader(step, sending) ??
    (isOwnAddress(sending) ? null : otherToken(tokenUrl, url))
  );
}

/** The first reference among the texts that must not go to the URL. */
function findForbidden(texts: readonly JsonValue[], sending: Sending): string | null {
  let known: boolean | null = null;
  const isOwn = (): boolean => {
    known ??= isOwnAddress(sending);
    return known;
  };
  for (const reference of textsIn(texts).flatMap((text) => findReferences(text))) {
    const problem = problemOf(reference, sending, isOwn);
    if (problem !== null) return problem;
  }
  return null;
}

function findForbiddenHeader({ headers }: StepDefinition, sending: Sending): string | null {
  const header = headers.find(({ name, value }) => holdsLiteralSecret(name, value));
  if (header === undefined || isOwnAddress(sending)) return null;
  return `The value of the header ${header.name} goes only to the origins of its definition, and not to ${originOf(sending.url)}. Use {{secret:name}} with a secret that has hosts instead.`;
}

function problemOf(
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
  const isThere = originOf(url) === reach.origin || isOwn();
  return isThere && reach.hosts.every((hosts) => isAllowedFor(url, hosts))
    ? null
    : notExtractedFor(name, url);
}

/** Whether a step of the definition, or the fetching of its token, goes there by the definition's own values. */
function isOwnAddress({ definition, url, generated }: Sending): boolean {
  const plain = definition.variables.filter(({ secret }) => secret !== true);
  const variables = new Map(plain.map(({ name, value }) => [name, value]));
  return definition.steps.flatMap(urlsOfStep).some((own) => {
    const known = findKnownOrigin(own, { variables, generated });
    return known !== null && originOf(known) === originOf(url);
  });
}

function otherHost(name: string, url: URL): string {
  return `The secret "${name}" is not allowed for ${originOf(url)}. Set it again with ${hostPatternOf(url)} among its hosts to allow that.`;
}

function noHosts(name: string, url: URL): string {
  return `The secret "${name}" has no hosts, so it goes only to the origins of the definition, and not to ${originOf(url)}. Set it again with ${hostPatternOf(url)} among its hosts to allow that.`;
}

function otherAddress(name: string, url: URL): string {
  return `The secret variable "${name}" goes only to the origins of its definition, and not to ${originOf(url)}. Give its value with the run, or use a secret of the account with hosts.`;
}

function otherToken(tokenUrl: URL, url: URL): string {
  return `The token of ${originOf(tokenUrl)} goes only to the origins of the definition, and not to ${originOf(url)}.`;
}

function notExtractedFor(name: string, url: URL): string {
  return `The extracted secret "${name}" goes only to the origins of the definition and to where it came from, and not to ${originOf(url)}.`;
}
