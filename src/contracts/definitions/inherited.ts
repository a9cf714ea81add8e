/** Values that a definition takes from its environment and account. Types only. */
import type { NamedValue } from '../definition';

/** An alias in `{{secret:alias}}`, and the secret of the account that it names. */
export interface SecretAlias {
  readonly alias: string;
  readonly name: string;
}

/** The values that the definition uses. Secrets are given by name, without their values. */
export interface Inherited {
  readonly variables: readonly NamedValue[];
  readonly secrets: readonly SecretAlias[];
}
