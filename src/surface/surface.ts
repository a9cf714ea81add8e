/**
 * The surface: everything that docs/compatibility.md calls stable, as data. Tests compare it with the last release
 * (test/surface/released.json).
 */
import type { Scope } from '../domain/accounts/roles';

export interface Json {
  readonly [name: string]: unknown;
}

/** An operation of `/v1`. Its schemas refer to `schemas` of the surface. */
export interface OperationSurface extends Partial<Announced> {
  readonly operationId: string;
  readonly scope: Scope | 'public' | 'operator';
  /** The error codes with which the operation refuses requests. */
  readonly codes: readonly string[];
  /** Maps a name such as `query limit` to its schema. */
  readonly parameters: Readonly<Record<string, ParameterSurface>>;
  /** The body of the request. null if there is none. */
  readonly body: BodySurface | null;
  /** Maps a response such as `200 application/json` to its schema. The schema is null if there is none. */
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

/** An announced removal, as OpenAPI and schemas show it. */
export interface Announced {
  readonly deprecated: true;
  readonly 'x-announced': string;
  readonly 'x-sunset': string;
}

/** Facts about a name, such as the name of a setting, that later releases must keep. */
export interface NameFacts extends Partial<Announced> {
  /** Facts that must stay the same. */
  readonly same?: Readonly<Record<string, string | number | boolean>>;
  /** Lists from which no entry may disappear. */
  readonly kept?: readonly string[];
  /** Lists to which no entry may be added. */
  readonly closed?: readonly string[];
}

export interface Surface {
  readonly version: string;
  /** The day of the release, such as `2027-01-31`. For the current surface, the day is today. */
  readonly releasedOn: string;
  /** Maps names such as `GET /v1/monitors` to operations. */
  readonly operations: Readonly<Record<string, OperationSurface>>;
  readonly schemas: Readonly<Record<string, Json>>;
  /** Maps names such as `setting PORT`, `metric probe_success` or `option run --tag` to facts. */
  readonly names: Readonly<Record<string, NameFacts>>;
}
