/** Assertions on a page that are retried until they hold. */
import { waitUntil } from '../../support/wait-until';

type Read<Value> = () => Promise<Value>;

interface Eventually<Value> {
  readonly toBe: (wanted: Value) => Promise<void>;
  readonly toEqual: (wanted: Value) => Promise<void>;
  readonly toMatch: (wanted: RegExp) => Promise<void>;
  readonly toMatchObject: (wanted: object) => Promise<void>;
}

/** Retries the assertion until it holds. If it does not hold in time, fails with the last difference. */
export function eventually<Value>(read: Read<Value>): Eventually<Value> {
  const holds = async (assert: (value: Value) => void): Promise<void> => {
    let last: unknown;
    const probe = async (): Promise<boolean> => {
      try {
        assert(await read());
        return true;
      } catch (error) {
        last = error;
        return false;
      }
    };
    await waitUntil('what is expected of a page', probe).catch((error: unknown) => {
      throw last ?? error;
    });
  };
  return {
    toBe: (wanted) => holds((value) => expect(value).toBe(wanted)),
    toEqual: (wanted) => holds((value) => expect(value).toEqual(wanted)),
    toMatch: (wanted) => holds((value) => expect(value).toMatch(wanted)),
    toMatchObject: (wanted) => holds((value) => expect(value).toMatchObject(wanted)),
  };
}
