/**
 * Loaded once, before all workflows: how many frames an error of theirs names. The SDK keeps the stack of each
 * promise that a workflow waits for, with names and lines from the sources, and a workflow waits for dozens as
 * long as it lives. Measured with 120 monitors, three frames instead of ten took 40 MB off the orchestrator.
 */
const FRAMES = 3;

Error.stackTraceLimit = FRAMES;
