/** Provides a placeholder for an object that a hook of the suite opens later. Does not close the object. */

type Hook = (act: () => Promise<void>) => void;

/** Returns a placeholder for the result of `open`. It must not be used before the hook has run. */
export function fromHook<Opened extends object>(hook: Hook, open: () => Promise<Opened>): Opened {
  let opened: Opened | undefined;
  hook(async () => {
    opened = await open();
  });
  const current = (): Opened => {
    if (opened === undefined) throw new Error('it is opened by a hook, which has not run');
    return opened;
  };
  return new Proxy<Opened>(Object.create(null), { get: (_, name) => Reflect.get(current(), name) });
}
