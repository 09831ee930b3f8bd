/**
 * Answers each message with the processor time that this process has used, in microseconds. The module is loaded before
 * a server.
 */
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
// Lets the server exit while the channel to its parent is open.
process.channel?.unref();
