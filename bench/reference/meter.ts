/**
 * Replies to each message with the CPU time that this process has used, in microseconds. The benchmark loads this
 * module into the server's process.
 */
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
// Lets the server exit even while the channel to its parent process is open.
process.channel?.unref();
