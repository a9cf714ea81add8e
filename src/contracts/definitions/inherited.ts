/** Values that a definition takes from its environment and its account. Types only. */
import type { NamedValue } from '../definition';

/** A name that `{{secret:alias}}` uses, and the secret of the account that it stands for. */
export interface SecretAlias {
  readonly alias: string;
  readonly name: string;
}

/**
 * Stored next to the own variables of a resource. Contains only what the definition uses, and no
 * secret values.
 */
export interface Inherited {
  readonly variables: readonly NamedValue[];
  readonly secrets: readonly SecretAlias[];
}
