/** Named queues within one process. Jobs in the same queue run one after another. */

export type Enqueue = <Value>(name: string, work: () => Promise<Value>) => Promise<Value>;

/** Creates the queues. Different queues run in parallel. A failed job does not block its queue. */
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
