/** Follows the recipe for a phase of the response time, with a toy phase. A test must import this module before any source. */
import { applyChanges, type Changes } from './recipe';

export const TOY_PHASE: Changes = {
  'src/contracts/outcome.ts': [{ after: 'export const PHASE_FIELDS = [', text: "'toyMs', " }],
  'src/checks/phase-clock.ts': [
    { after: '    timings: () => ({\n', text: "      toyMs: sumPhases('prepare'),\n" },
  ],
  'src/models/results/compact-outcome.ts': [{ after: '  downloadMs: 4,\n', text: '  toyMs: 6,\n' }],
  'src/api/operator/metrics-text.ts': [
    { after: "  downloadMs: 'transfer',\n", text: "  toyMs: 'toy',\n" },
  ],
  'src/dashboard/shared/results/words.ts': [
    { after: "  downloadMs: 'Download',\n", text: "  toyMs: 'Toy',\n" },
  ],
  'src/api/v1/resources/result-columns.ts': [
    {
      after: '  responseTimeMs: ({ responseTimeMs }) => responseTimeMs,\n',
      text: '  toyMs: ({ timings }) => timings?.toyMs ?? null,\n',
    },
  ],
};

applyChanges(TOY_PHASE);
