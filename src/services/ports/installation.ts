/** What the process that answers knows of itself. */

/** The process, and the database that it uses. */
export interface Installation {
  readonly version: string;
  readonly nodeVersion: string;
  /** null where every part runs for itself. */
  readonly dataFolder: string | null;
  /** Room where the data folder is; null where there is none, or it can't be asked. */
  readonly readFreeBytes: () => Promise<number | null>;
  readonly describeDatabase: () => Promise<{
    readonly version: string;
    readonly isEmbedded: boolean;
  }>;
}
