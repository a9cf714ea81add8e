/**
 * Everything that docs/compatibility.md calls stable, as data. Tests compare it with the last release
 * (test/surface/released.json).
 */
import type { Scope } from '../domain/accounts/roles';

export interface Json {
  readonly [name: string]: unknown;
}

/** An operation of `/v1`. Schemas refer to `schemas` of the surface. */
export interface OperationSurface extends Partial<Announced> {
  readonly operationId: string;
  readonly scope: Scope | 'public' | 'operator';
  /** The codes of its refusals. */
  readonly codes: readonly string[];
  /** `query limit` → its schema. */
  readonly parameters: Readonly<Record<string, ParameterSurface>>;
  /** null if there is no body. */
  readonly body: BodySurface | null;
  /** `200 application/json` → its schema; null if there is no schema. */
  readonly responses: Readonly<Record<string, Json | null>>;
}

export interface ParameterSurface extends Partial<Announced> {
  readonly isRequired: boolean;
  readonly schema: Json;
}

interface BodySurface {
  readonly isRequired: boolean;
  readonly mediaTypes: readonly string[];
  readonly schema: Json;
}

/** The last day of something deprecated, in OpenAPI and in schemas. */
export interface Announced {
  readonly deprecated: true;
  readonly 'x-announced': string;
  readonly 'x-sunset': string;
}

/** The facts about a name, such as a setting, that later releases must keep. */
export interface NameFacts extends Partial<Announced> {
  /** Must stay the same. */
  readonly same?: Readonly<Record<string, string | number | boolean>>;
  /** No entry may disappear. */
  readonly kept?: readonly string[];
  /** No entry may be added. */
  readonly closed?: readonly string[];
}

export interface Surface {
  readonly version: string;
  /** The day of its release, such as `2027-01-31`; for the current surface, today. */
  readonly releasedOn: string;
  /** `GET /v1/monitors` → the operation. */
  readonly operations: Readonly<Record<string, OperationSurface>>;
  readonly schemas: Readonly<Record<string, Json>>;
  /** Maps `setting PORT`, `metric probe_success`, `option run --tag` … to facts. */
  readonly names: Readonly<Record<string, NameFacts>>;
}
