/** Named queues within one process. Jobs in the same queue run one after another. */

export type Enqueue = <Value>(name: string, work: () => Promise<Value>) => Promise<Value>;

/** Creates the queues. Different queues run in parallel. A failed job does not block its queue. */
export function createQueues(): Enqueue {
  const lastByName = new Map<string, Promise<unknown>>();
  return (name, work) => {
    const own = (lastByName.get(name) ?? Promise.resolve()).then(work);
    const ended = own.catch(() => undefined);
    lastByName.set(name, ended);
    void ended.then(() => {
      if (lastByName.get(name) === ended) lastByName.delete(name);
    });
    return own;
  };
}
