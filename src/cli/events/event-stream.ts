/** Reads server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */

export interface StreamEvent {
  readonly name: string;
  readonly data: string;
  readonly id: string | null;
}

/** Yields the events and skips comments. Ends when the stream ends. */
export async function* readEvents(stream: AsyncIterable<Uint8Array>): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split(/\r\n\r\n|\n\n|\r\r/);
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = parseEvent(block);
      if (event !== null) yield event;
    }
  }
}

function parseEvent(block: string): StreamEvent | null {
  const fields = block.split(/\r\n|\n|\r/).map((line) => {
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    return { name, value };
  });
  const data = fields.filter(({ name }) => name === 'data').map(({ value }) => value);
  if (data.length === 0) return null;
  const last = (wanted: string) => fields.findLast(({ name }) => name === wanted)?.value;
  return { name: last('event') ?? 'message', data: data.join('\n'), id: last('id') ?? null };
}
