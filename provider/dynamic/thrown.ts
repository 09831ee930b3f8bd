import { Refusal } from "../../platform/client/refusal";
import { MissingSettings, WrongSettings } from "../config";
import { InitFailedError } from "../lifecycle/init-failed";

const EXPECTED = [Refusal, MissingSettings, WrongSettings, InitFailedError];

/** Whether the message says it all; anything else is a defect, of which the stack matters. */
export const isExpected = (thrown: unknown): thrown is Error => EXPECTED.some((kind) => thrown instanceof kind);

/** Makes Pulumi, which prints `${error}: ${error.stack}`, print the message of what was expected and no stack. */
export async function withoutStack<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (isExpected(thrown)) Object.assign(thrown, { stack: thrown.message, toString: () => "dbplatform" });
    throw thrown;
  }
}
