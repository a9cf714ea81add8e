/**
 * Shared by tests of single steps: a runner, and a target that records the requests it gets. Both are created before
 * the first test of a file and closed after the last one.
 */
import type { StepInputs, StepRunner, StepRunnerOptions } from '../../../src/checks/step-runner';
import type { StepDefinition } from '../../../src/contracts/definition';
import type { StepOutcome } from '../../../src/contracts/outcome';
import {
  type Received,
  type RecordingTarget,
  type Respond,
  startRecordingTarget,
} from '../../support/recording-target';
import { buildDefinition, buildRunner } from '../../support/step-builder';

/** Defaults for each step. A test can override them. */
export interface StepTargetOptions {
  /** The path at the target. The default is its root. */
  readonly path?: string;
  readonly step?: Partial<StepDefinition>;
  readonly variables?: Readonly<Record<string, string>>;
  readonly inputs?: Partial<StepInputs>;
  readonly runner?: Partial<StepRunnerOptions>;
  /** How the target responds. The default is an empty response. */
  readonly respond?: Respond;
}

export interface StepTarget {
  readonly target: Omit<RecordingTarget, 'close'> & {
    /** How the target responds. A change is valid until the next test. */
    respond: Respond;
  };
  readonly run: (
    changes?: Partial<StepDefinition>,
    inputs?: Partial<StepInputs>,
  ) => Promise<StepOutcome>;
  /** Returns the newest request. Throws if there was none. */
  readonly lastReceived: () => Received;
}

export function withStepTarget(options: StepTargetOptions = {}): StepTarget {
  const { path = '/', respond = (_, response) => response.end() } = options;
  const received: Received[] = [];
  let runner: StepRunner;
  let server: RecordingTarget;
  const target = {
    respond,
    received,
    get origin() {
      return server.origin;
    },
    get port() {
      return server.port;
    },
  };

  beforeAll(async () => {
    runner = buildRunner(options.runner);
    server = await startRecordingTarget((one, response) => {
      received.push(one);
      target.respond(one, response);
    });
  });
  afterAll(() => Promise.all([runner.close(), server.close()]));
  beforeEach(() => {
    received.length = 0;
    target.respond = respond;
  });

  return {
    target,
    run: (changes = {}, inputs = {}) => {
      const step = { url: `${target.origin}${path}`, ...options.step, ...changes };
      const definition = buildDefinition(step, options.variables);
      return runner.runStep(definition, 0, { slotMs: 0, ...options.inputs, ...inputs });
    },
    lastReceived: () => {
      const last = received.at(-1);
      if (last === undefined) throw new Error('nothing was received');
      return last;
    },
  };
}
