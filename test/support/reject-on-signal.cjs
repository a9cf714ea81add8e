// Preloaded into a process of ours: SIGUSR2 brings a rejection there that nothing handles.
process.on('SIGUSR2', () => {
  void Promise.reject(new Error('nobody waits for this promise'));
});
