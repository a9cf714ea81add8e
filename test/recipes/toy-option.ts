/** Follows the recipe for a request option, with a toy option. A test must import this module before any source. */
import { applyChanges, type Changes } from './recipe';

export const TOY_OPTION: Changes = {
  'src/contracts/definition.ts': [
    { after: '  readonly sendTraceparent: boolean;\n', text: '  readonly sendToy: boolean;\n' },
  ],
  'src/schemas/request-options.ts': [
    {
      after: 'export const requestOptionShapes = {\n',
      text: "  sendToy: z.boolean().meta({ description: 'true: requests carry a toy' }),\n",
    },
    {
      after: 'export const requestOptionFields = {\n',
      text: '  sendToy: requestOptionShapes.sendToy.default(false),\n',
    },
    { after: '  const { timeoutMs, ', text: 'sendToy, ' },
    { after: '  return { timeoutMs, ', text: 'sendToy, ' },
  ],
  'src/dashboard/shared/definition/request-options.ts': [
    {
      after: 'OptionTexts<typeof requestOptions> = {\n',
      text: "  sendToy: { label: 'Send a toy' },\n",
    },
  ],
  'src/checks/render-request.ts': [
    {
      after: '  const defaults: NamedValue[] = [\n',
      text: "    ...(step.sendToy ? [{ name: 'x-toy', value: '1' }] : []),\n",
    },
  ],
};

applyChanges(TOY_OPTION);
