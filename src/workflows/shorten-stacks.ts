/**
 * Loaded once, before all workflows: limits the stack frames of their errors. The SDK keeps the stack of every
 * promise that a workflow awaits, with names and lines from the sources, and a workflow awaits dozens as long as
 * it lives. Measured with 120 monitors, three frames instead of ten saved 40 MB in the orchestrator.
 */
const FRAMES = 3;

Error.stackTraceLimit = FRAMES;
