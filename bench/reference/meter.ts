/** Loaded before a server: tells, when it is asked, the microseconds of processor time that the process has used. */
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
// A server ends when it has nothing left to do.
process.channel?.unref();
