// Preloaded into a process of ours: SIGUSR2 causes an unhandled rejection there.
process.on('SIGUSR2', () => {
  void Promise.reject(new Error('nobody waits for this promise'));
});
