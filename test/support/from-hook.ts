/** A placeholder for an object that a hook of the suite opens later. It closes nothing. */

type Hook = (act: () => Promise<void>) => void;

/** Stands for the result of `open`; it must not be used before the hook has run. */
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
