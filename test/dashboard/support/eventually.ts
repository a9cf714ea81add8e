/** Assertions on what a page shows sooner or later: each looks again until it holds. */
import { waitUntil } from '../../support/wait-until';

type Read<Value> = () => Promise<Value>;

interface Eventually<Value> {
  readonly toBe: (wanted: Value) => Promise<void>;
  readonly toEqual: (wanted: Value) => Promise<void>;
  readonly toMatch: (wanted: RegExp) => Promise<void>;
  readonly toMatchObject: (wanted: object) => Promise<void>;
}

/** Fails with the last difference when it does not come to hold. */
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
