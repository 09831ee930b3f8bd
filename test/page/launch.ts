import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import sparticuz from "@sparticuz/chromium";
import { type Browser, chromium } from "playwright-core";

/**
 * Launches Chromium or Chrome from PATH, or else the Chromium from npm. Omits the arguments that the npm package
 * recommends, because those arguments relax the browser's security rules.
 */
export async function launch(): Promise<Browser> {
  const own = ["chromium", "chromium-browser", "google-chrome"].flatMap(onPath)[0];
  const executablePath = own ?? (await sparticuz.executablePath());
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"], headless: true });
}

const onPath = (program: string): string[] =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, program))
    .filter((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
