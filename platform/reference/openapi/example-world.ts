import { createHash } from "node:crypto";
import { mintCredential } from "../credentials/credential";
import { findOrganization } from "../credentials/membership";
import { Signer } from "../credentials/signer";
import { listTokens } from "../credentials/tokens";
import { repeatableIds } from "../ids";
import { changeDatabase } from "../operations/database";
import type { OperationServices } from "../requests/perform";
import { insertSeed } from "../seed/insert";
import { Seed } from "../seed/seed";
import { openSqliteStore } from "../store/sqlite";
import type { Store } from "../store/store";
import { Clock } from "../time/clock";

const NOON = new Date("2026-03-01T12:00:00.000Z");

const exampleUuid = (number: number): string => `0eb771dd-6906-41ee-8553-eaa7715aea${String(number).padStart(2, "0")}`;

export const UUIDS = {
  organization: exampleUuid(1),
  group: exampleUuid(2),
  deletedGroup: exampleUuid(3),
  database: exampleUuid(4),
  deletedDatabase: exampleUuid(5),
};

export const SEED: Seed = {
  users: [{ username: "ada" }, { username: "max" }, { username: "zoe" }],
  organizations: [
    {
      slug: "acme",
      id: UUIDS.organization,
      members: [
        { username: "ada", role: "owner" },
        { username: "max", role: "member" },
      ],
      groups: [
        { name: "default", uuid: UUIDS.group, other_locations: ["aws-us-west-2"] },
        { name: "spring-sale", uuid: UUIDS.deletedGroup, deleted_at: "-2d" },
      ],
      databases: [
        { name: "orders", uuid: UUIDS.database },
        { name: "newsletter", uuid: UUIDS.deletedDatabase, deleted_at: "-1d" },
        { name: "sale-prices", group: "spring-sale" },
      ],
      invites: [{ email: "lea@acme.example" }],
      tokens: [{ name: "pipeline", user: "ada", group: "default", scopes: ["read", "db:create"] }],
    },
    { slug: "acme-labs", members: [{ username: "ada", role: "owner" }] },
    { slug: "acme-archive", members: [{ username: "ada", role: "owner" }], groups: [{ name: "default" }] },
  ],
};

export interface ExampleWorld extends OperationServices {
  readonly credential: string;
  readonly tokenId: string;
  close(): Promise<void>;
}

/** Creates a small platform with the same content every time. Every change to the platform is rolled back. */
export async function exampleWorld(): Promise<ExampleWorld> {
  const store = await openSqliteStore(":memory:");
  await new Clock(store).set(NOON);
  // Signs with a key that no server uses, so that every server rejects the tokens in examples, even with
  // `--deterministic`.
  const bytes = async () => createHash("sha256").update("examples").digest();
  const signer = await Signer.of(store, { ...repeatableIds, bytes });
  const minting = { signer, ids: repeatableIds };
  await insertSeed(store, minting, { seed: Seed.parse(SEED) });
  // Adds a location directly in the store, because a seed cannot add locations to a single database.
  await store.transaction([UUIDS.organization], (state) =>
    changeDatabase(state, UUIDS.database, { added_locations: JSON.stringify(["aws-eu-west-1"]) }),
  );
  const minted = await mintCredential(store, minting, { organization: null, user: "ada", name: "laptop" });
  const [token] = await store.read(async (state) => {
    const organization = await findOrganization(state, { id: UUIDS.organization });
    return organization ? listTokens(state, { organization }) : [];
  });
  const tokenId = token?.id ?? "";
  return { ...minting, tokenId, store: undoingStore(store), credential: minted, close: () => store.close() };
}

class Undone extends Error {
  constructor(readonly value: unknown) {
    super("done, and undone");
  }
}

/** Wraps a store so that every transaction returns its result and is then rolled back. */
const undoingStore = (store: Store): Store => ({
  ...store,
  async transaction<T>(organizations: readonly string[] | "all", work: Parameters<typeof store.transaction<T>>[1]) {
    try {
      return await store.transaction<T>(organizations, async (state) => {
        throw new Undone(await work(state));
      });
    } catch (thrown) {
      if (thrown instanceof Undone) return thrown.value as T;
      throw thrown;
    }
  },
});
