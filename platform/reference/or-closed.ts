/** Closes what was opened if the rest fails, and then rethrows the error. */
export async function orClosed<T>(opened: { close(): Promise<void> } | undefined, rest: () => Promise<T>): Promise<T> {
  try {
    return await rest();
  } catch (thrown) {
    await opened?.close();
    throw thrown;
  }
}
