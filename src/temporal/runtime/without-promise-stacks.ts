/**
 * Preloaded (`node --require`) into orchestrators, so that it also runs in the SDK's thread for workflows. There the SDK
 * would capture and keep a stack trace for each promise of each workflow. Stack traces of errors are not affected.
 */
import { promiseHooks } from 'node:v8';

const stop = (): void => undefined;

promiseHooks.createHook = () => stop;
