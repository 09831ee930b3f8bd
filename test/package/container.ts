import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { freePort } from "../free-port";

/** Whether this machine can run an image without a container engine, which takes Linux and root. */
export const canRunImages = process.platform === "linux" && process.getuid?.() === 0;

interface Instruction {
  readonly name: string;
  /** The options, such as `from` of `--from=prepared`. */
  readonly options: Readonly<Record<string, string>>;
  /** The arguments: the elements of a JSON array, or words. */
  readonly words: readonly string[];
}

/** Parses the instructions of a Containerfile that needs no shell. */
function instructionsIn(text: string): Instruction[] {
  return text
    .split("\n")
    .filter((line) => /^[A-Z]/.test(line))
    .map((line) => {
      const [, name = "", flags = "", rest = ""] = /^([A-Z]+) ((?:--\S+ )*)(.*)$/.exec(line) ?? [];
      const options = Object.fromEntries(
        [...flags.matchAll(/--([\w-]+)=(\S+)/g)].map(([, option = "", value = ""]) => [option, value]),
      );
      return { name, options, words: rest.startsWith("[") ? JSON.parse(rest) : rest.split(" ") };
    });
}

/** An image, built as its Containerfile says, but from a base with the Node.js of this process instead of the named one. */
export class Image {
  readonly root: string;
  readonly command: readonly string[];
  readonly health: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly user: string;
  readonly workdir: string;
  readonly volume: string;

  /**
   * @param file Path of the Containerfile.
   * @param context Path of the folder from which it copies files.
   */
  constructor(file: string, context: string) {
    const folder = mkdtempSync(join(tmpdir(), "image-"));
    const stages = new Map<string, string>();
    let root = "";
    let workdir = "/";
    let user = "";
    let last = new Map<string, Instruction>();
    const environment: Record<string, string> = {};
    for (const each of instructionsIn(readFileSync(file, "utf8"))) {
      const { name, words, options } = each;
      if (name === "FROM") {
        root = join(folder, words[2] ?? "image");
        stages.set(words[2] ?? "image", root);
        makeBase(root);
        last = new Map();
      } else if (name === "WORKDIR") {
        workdir = words[0] ?? "";
        mkdirSync(join(root, workdir), { recursive: true });
      } else if (name === "USER") user = words[0] ?? "";
      else if (name === "COPY")
        copy(options, words, { root, workdir, from: stages.get(options.from ?? "") ?? context });
      else if (name === "RUN") runIn({ root, user, workdir }, words);
      else if (name === "ENV") environment[words[0]?.split("=")[0] ?? ""] = /="(.*)"/.exec(words.join(" "))?.[1] ?? "";
      last.set(name, each);
    }
    const wordsOf = (name: string) => last.get(name)?.words ?? [];
    this.root = root;
    this.command = wordsOf("ENTRYPOINT");
    this.health = JSON.parse(wordsOf("HEALTHCHECK").slice(1).join(" "));
    this.environment = environment;
    this.user = user;
    this.workdir = workdir;
    this.volume = wordsOf("VOLUME")[0] ?? "";
  }

  /** Makes a new volume, which begins as the folder of the image does. */
  newVolume(): string {
    const volume = mkdtempSync(join(tmpdir(), "volume-"));
    onTestFinished(() => rmSync(volume, { recursive: true, force: true }));
    const { mode, uid, gid } = statSync(join(this.root, this.volume));
    chmodSync(volume, mode);
    chownSync(volume, uid, gid);
    return volume;
  }

  remove(): void {
    rmSync(dirname(this.root), { recursive: true, force: true });
  }
}

/** Makes a root folder with Node.js, the libraries that it loads, and nothing else to run, as in a distroless image. */
function makeBase(root: string): void {
  for (const name of ["dev", "etc", "nodejs/bin", "proc", "tmp"]) mkdirSync(join(root, name), { recursive: true });
  chmodSync(join(root, "tmp"), 0o1777);
  writeFileSync(join(root, "etc/passwd"), "nonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin\n");
  copyFileSync(process.execPath, join(root, "nodejs/bin/node"));
  const libraries = execFileSync("ldd", [process.execPath], { encoding: "utf8" }).matchAll(/(\/\S+) \(0x/g);
  for (const [, library = ""] of libraries) {
    mkdirSync(join(root, dirname(library)), { recursive: true });
    copyFileSync(library, join(root, library));
  }
}

function copy(
  { chown = "0:0", chmod }: Instruction["options"],
  words: readonly string[],
  { root, workdir, from }: { readonly root: string; readonly workdir: string; readonly from: string },
): void {
  const sources = words.slice(0, -1);
  const last = words.at(-1) ?? "";
  for (const source of sources) {
    const path = join(from, source);
    const target = join(root, resolve(workdir, last));
    const isInside = !statSync(path).isDirectory() && (last.endsWith("/") || sources.length > 1);
    const copied = isInside ? join(target, basename(source)) : target;
    mkdirSync(dirname(copied), { recursive: true });
    const before = target === `${root}/` ? statSync(root) : undefined;
    execFileSync("cp", ["-a", "--no-target-directory", path, copied]);
    const entries = before ? execFileSync("ls", [path], { encoding: "utf8" }).trim().split("\n") : [""];
    for (const entry of entries) execFileSync("chown", ["-R", chown, join(copied, entry)]);
    if (before) chmodSync(root, before.mode);
    if (chmod) chmodSync(copied, Number.parseInt(chmod, 8));
  }
}

interface Place {
  readonly root: string;
  readonly user: string;
  readonly workdir: string;
}

/** The arguments of `unshare` that run a command in a root folder as a user. */
const inRoot = ({ root, user, workdir }: Place, command: readonly string[]): string[] => {
  const [uid = "", gid = ""] = user.split(":");
  return ["--root", root, "--wd", workdir, "--setgid", gid, "--setuid", uid, "--", ...command];
};

const DEVICES = 'mount --rbind /dev "$ROOT/dev"';

const runIn = (place: Place, command: readonly string[]): string =>
  execFileSync("unshare", ["--mount", "sh", "-ec", `${DEVICES}; exec unshare "$@"`, "sh", ...inRoot(place, command)], {
    env: { PATH: process.env.PATH, ROOT: place.root },
    encoding: "utf8",
  });

/** Mounts the root read-only, and beside it what a container engine mounts. */
const MOUNTED = [
  'mount --bind "$ROOT" "$ROOT"',
  'mount --bind "$VOLUME" "$ROOT$AT"',
  'mount -t proc proc "$ROOT/proc"',
  DEVICES,
  'mount -o remount,bind,ro "$ROOT"',
].join("; ");

export interface ContainerOptions {
  readonly volume: string;
  /** The user and group, as in `docker run --user`. By default, those of the image. */
  readonly user?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Starts the command of an image as the first process of a container: with a read-only root, one volume, no environment
 * but its own, and no rights. It shares the network of this machine, so that its port is another one.
 */
export class ImageContainer {
  readonly #image: Image;
  readonly #outer: ChildProcess;
  readonly #place: Place;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #port: number;
  readonly ended: Promise<number | null>;
  /** Everything that the command has printed. */
  output = "";

  private constructor(image: Image, port: number, { volume, user = image.user, environment = {} }: ContainerOptions) {
    this.#image = image;
    this.#port = port;
    this.#place = { root: image.root, user, workdir: image.workdir };
    this.#environment = {
      PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
      ...image.environment,
      ...environment,
    };
    const command = inRoot(this.#place, this.#onPort(image.command));
    const script = `${MOUNTED}; unset ROOT VOLUME AT; exec unshare "$@"`;
    this.#outer = spawn(
      "unshare",
      ["--mount", "--pid", "--fork", "--kill-child", "sh", "-ec", script, "sh", ...command],
      {
        env: { ...this.#environment, ROOT: image.root, VOLUME: volume, AT: image.volume },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    for (const stream of [this.#outer.stdout, this.#outer.stderr])
      stream?.on("data", (chunk) => {
        this.output += chunk;
      });
    this.ended = once(this.#outer, "close").then(([code]) => code);
    onTestFinished(() => void this.#outer.kill("SIGKILL"));
  }

  static async start(image: Image, wanted: ContainerOptions): Promise<ImageContainer> {
    return new ImageContainer(image, await freePort(), wanted);
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Runs the image's health check until it succeeds, and returns whether it did before the command ended. */
  async healthy(): Promise<boolean> {
    let isRunning = true;
    void this.ended.then(() => {
      isRunning = false;
    });
    while (isRunning) if ((await this.#exec(this.#onPort(this.#image.health))).code === 0) return true;
    return false;
  }

  /** Runs another command in the container, and returns its output. */
  async run(...command: readonly string[]): Promise<string> {
    const { code, output } = await this.#exec(command);
    if (code !== 0) throw new Error(`${command.join(" ")}: ${code}: ${output}`);
    return output;
  }

  /** Sends a signal to the first process, and returns its exit code. */
  async stop(signal: NodeJS.Signals): Promise<number | null> {
    const { pid } = this.#outer;
    const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ");
    process.kill(Number(first), signal);
    return this.ended;
  }

  async #exec(command: readonly string[]): Promise<{ code: number | null; output: string }> {
    const child = spawn(
      "unshare",
      ["--mount", "sh", "-ec", `${DEVICES}; unset ROOT; exec unshare "$@"`, "sh", ...inRoot(this.#place, command)],
      {
        env: { ...this.#environment, ROOT: this.#image.root },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        output += chunk;
      });
    const [code] = await once(child, "close");
    return { code, output };
  }

  /** Replaces the port of the image, which another program on this machine may use. */
  #onPort(command: readonly string[]): string[] {
    return command.map((word) => word.replaceAll(IMAGE_PORT, String(this.#port)));
  }
}

const IMAGE_PORT = "8080";
