/** Runs `rest`. If `rest` fails, closes `opened` and rethrows the error. */
export async function orClosed<T>(opened: { close(): Promise<void> } | undefined, rest: () => Promise<T>): Promise<T> {
  try {
    return await rest();
  } catch (thrown) {
    await opened?.close();
    throw thrown;
  }
}
