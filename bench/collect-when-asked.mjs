/* Loaded into the program that is measured: collects garbage when the bench asks, and answers with the bytes that are left. */

process.on('message', (message) => {
  if (message !== 'collect') return;
  globalThis.gc();
  // What the first collection finalizes, the second one frees.
  setImmediate(() => {
    globalThis.gc();
    const { heapUsed, external } = process.memoryUsage();
    process.send(heapUsed + external);
  });
});
// The program ends as it would without this channel.
process.channel?.unref();
