/** Defines a tool of the Model Context Protocol. Independent of the transport. */
import { z } from 'zod';
import type { AskV1 } from './ask-v1';

/** `write` only adds objects. `destructive` may change or remove existing objects. */
export type ToolEffect = 'read' | 'write' | 'destructive';

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect: ToolEffect;
  readonly inputSchema: Record<string, unknown>;
  /** Returns problems with the arguments, or the response of /v1. */
  readonly call: (ask: AskV1, sent: unknown) => Promise<ToolOutcome>;
}

export type ToolOutcome =
  | { readonly value: unknown }
  | { readonly problems: readonly { readonly path: string; readonly message: string }[] };

interface ToolSpec<Shape extends z.ZodType> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect?: ToolEffect;
  readonly input: Shape;
  readonly carryOut: (ask: AskV1, input: z.output<Shape>) => Promise<unknown>;
}

/** Creates a tool. If `effect` is absent, the tool only reads. */
export function defineTool<Shape extends z.ZodType>({
  input,
  carryOut,
  effect = 'read',
  ...words
}: ToolSpec<Shape>): Tool {
  return {
    ...words,
    effect,
    inputSchema: z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }),
    call: async (ask, sent) => {
      const parsed = input.safeParse(sent ?? {});
      if (parsed.success) return { value: await carryOut(ask, parsed.data) };
      const problems = parsed.error.issues.map(({ path, message }) => ({
        path: path.join('.'),
        message,
      }));
      return { problems };
    },
  };
}
