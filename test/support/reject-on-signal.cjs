// Preloaded into a process of the service. SIGUSR2 then causes an unhandled rejection in this process.
process.on('SIGUSR2', () => {
  void Promise.reject(new Error('nobody waits for this promise'));
});
