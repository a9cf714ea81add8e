/**
 * Restores secret variables in a changed definition. A stored secret that is not sent again stays if the definition has
 * no new origin. With a new origin, the client must send the secret again. Otherwise, editors could read secrets of
 * other people by sending them to an origin of their own.
 */
import type { Auth, Variable, WithAuth } from '../../contracts/definition';
import type { Inherited } from '../../contracts/definitions/inherited';
import { listTokenUrls } from '../../domain/definitions/auth';
import { listEffectiveVariables } from '../../domain/definitions/inherit';
import { readOrigin } from '../../domain/templates/known-origin';
import type { SentVariable } from '../../schemas/fields';
import { refuseProblems } from '../lists/field-problems';
import type { Dependencies } from '../ports/dependencies';
import { type Sealed, sealVariables } from '../secrets/secret-variables';
import { findOrigin } from './target';

interface Target extends WithAuth {
  readonly url: string;
  /** The settings of a check. Set only if the URL does not show whether the connection uses TLS. */
  readonly settings?: object | undefined;
}

interface Addressed {
  readonly step?: Target | null;
  readonly steps?: readonly Target[];
  /** The authentication of steps without their own `auth`. */
  readonly auth?: Auth | undefined;
  readonly inherited?: Inherited | undefined;
}

interface Stored extends Addressed {
  readonly accountId: string;
  readonly id: string;
  readonly variables: readonly Variable[];
}

/**
 * Like sealVariables. If a step has a new scheme, host or port, throws `validation_failed` with the path of each secret
 * that must be sent again.
 */
export function restoreSealedVariables<
  Fields extends Addressed & { readonly variables: readonly SentVariable[] },
>(needs: Pick<Dependencies, 'sealers'>, stored: Stored, fields: Fields): Sealed<Fields> {
  const known = new Set(listOrigins(stored));
  const added = listOrigins(fields).find((origin) => !known.has(origin));
  if (added !== undefined) requireValues(stored, fields, added);
  return sealVariables(needs, stored, fields);
}

function listOrigins({
  step,
  steps = [],
  auth,
  variables,
  inherited,
}: Addressed & {
  readonly variables: readonly (Variable | SentVariable)[];
}): readonly string[] {
  const all = step == null ? steps : [step, ...steps];
  const tokenUrls = [{ auth }, ...all].flatMap(listTokenUrls);
  const values = listEffectiveVariables({ variables, inherited });
  // If a URL has no known origin before a run, the text of the URL is compared instead.
  const origin = (url: string): string => {
    const known = findOrigin(url, values);
    return known === null ? url : readOrigin(known);
  };
  return [
    ...all.map(({ url, settings = {} }) => origin(url) + formatSecurity(settings)),
    ...tokenUrls.map(origin),
  ];
}

/**
 * Describes the encryption of a connection. A secret for an encrypted connection must not be sent over an unencrypted
 * one.
 */
function formatSecurity(settings: {
  readonly useTls?: unknown;
  readonly startTls?: unknown;
}): string {
  const { useTls, startTls } = settings;
  if (useTls === undefined) return '';
  return useTls === true || (startTls ?? null) !== null ? ' by TLS' : ' in clear';
}

function requireValues(
  { variables }: Stored,
  fields: { readonly variables: readonly SentVariable[] },
  origin: string,
): void {
  const secret = new Set(variables.filter((kept) => kept.secret === true).map(({ name }) => name));
  const message = `is required again: the request goes to another origin now (${origin})`;
  refuseProblems(
    fields.variables
      .filter((sent) => 'secret' in sent && sent.value === null && secret.has(sent.name))
      .map(({ name }) => ({ path: `variables.${name}.value`, code: 'required', message })),
  );
}
