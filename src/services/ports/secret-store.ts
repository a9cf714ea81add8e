/** What use cases ask of the database about secrets; implemented by src/models. */
import type { SecretRow, SecretUse } from './rows';

export interface SecretStore {
  /** False when the name is there already. */
  readonly create: (accountId: string, secret: SecretRow) => Promise<boolean>;
  /** Replaces the secret when its stored version is still `expectedVersion`; false otherwise. */
  readonly replace: (
    accountId: string,
    secret: SecretRow,
    expectedVersion: number,
  ) => Promise<boolean>;
  readonly findMany: (accountId: string, names: readonly string[]) => Promise<readonly SecretRow[]>;
  /** By name, beginning behind the given one. */
  readonly list: (
    accountId: string,
    query: { readonly limit: number; readonly afterName: string | null },
  ) => Promise<{ readonly rows: readonly SecretRow[]; readonly hasMore: boolean }>;
  /** Removes it when the stored version is still `expectedVersion`; false when it is not, or gone. */
  readonly remove: (accountId: string, name: string, expectedVersion: number) => Promise<boolean>;
  /** Monitors and scenarios in force that name one of these secrets. */
  readonly findUses: (accountId: string, names: readonly string[]) => Promise<readonly SecretUse[]>;
}
