// Imported for its side effect: an unhandled error is reported in one sentence (exit code 1).
process.on('uncaughtException', (error) => {
  console.error(`Unexpected error: ${error.message}`);
  process.exit(1);
});
