/** Loaded before a server. Answers each message with the microseconds of processor time that the process has used. */
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
// Allows the server to exit while the channel to its parent is open.
process.channel?.unref();
