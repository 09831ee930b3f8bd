/** Ignores a closed pipe, because a reader such as `head` closes the pipe when it has read enough. */
export function ignoreClosedPipe(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
}
