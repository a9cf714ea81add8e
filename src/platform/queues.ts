/** Queues by name: of work in one, each begins when the one before has ended. Within a process only. */

export type Enqueue = <Value>(name: string, work: () => Promise<Value>) => Promise<Value>;

/** Queues of different names go on side by side; what fails holds up nobody. */
export function createQueues(): Enqueue {
  const lastOf = new Map<string, Promise<unknown>>();
  return (name, work) => {
    const own = (lastOf.get(name) ?? Promise.resolve()).then(work);
    const ended = own.catch(() => undefined);
    lastOf.set(name, ended);
    void ended.then(() => {
      if (lastOf.get(name) === ended) lastOf.delete(name);
    });
    return own;
  };
}
