/** Opens a database for the tests of one file. It is open from the first test until the last. */
import { createRecordWrites, createStores, type Database } from '../../src/models';
import type { Stores } from '../../src/models/stores';
import type { Clock } from '../../src/platform/clock';
import { type CheckRecorder, createCheckRecorder } from '../../src/services/results/record-check';
import { openTestDatabase, type TestDatabase } from './test-database';

export interface SuiteStores {
  readonly database: Database;
  readonly stores: Stores;
  readonly recorder: CheckRecorder;
}

/**
 * Opens the database before the tests and closes it after them. The fields of the result can be read only after the
 * tests have started.
 */
export function withStores(clock?: Clock): SuiteStores {
  let opened: TestDatabase | undefined;
  let made: SuiteStores;
  beforeAll(async () => {
    opened = await openTestDatabase();
    const { database } = opened;
    const stores = createStores(database, clock);
    made = { database, stores, recorder: createCheckRecorder(createRecordWrites(database, clock)) };
  });
  afterAll(() => opened?.close());
  return {
    get database() {
      return made.database;
    },
    get stores() {
      return made.stores;
    },
    get recorder() {
      return made.recorder;
    },
  };
}
