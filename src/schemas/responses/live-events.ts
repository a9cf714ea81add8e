/** The stream of live changes as /v1 returns it. */
import { z } from 'zod';

export const liveEvents = z.string().meta({
  example: 'event:change\ndata:{"kind":"incident","id":"inc_01arz3ndektsv4rrffq69g5fav"}\n\n',
});
