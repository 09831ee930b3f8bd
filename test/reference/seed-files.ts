import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { readContent } from "../../platform/reference/seed/content";
import { Seed } from "../../platform/reference/seed/seed";

export const ORDERS = "0eb771dd-6906-11ee-8553-eaa7715aeaf2";

export const SEED = `
users:
  - username: ada
  - username: vera
organizations:
  - slug: acme
    plan: pro
    members:
      - { username: ada, role: owner }
      - { username: vera, role: viewer }
    groups:
      - name: default
      - { name: shop, location: aws-eu-west-1, deleted_at: 2026-02-28T12:00:00Z }
    databases:
      - { name: live, size_limit: 1gb, allowed_ips: [10.0.0.0/8] }
      - { name: orders, group: shop, uuid: ${ORDERS} }
      - { name: gone, group: shop, deleted_at: 2026-02-27T00:00:00Z }
    tokens:
      - { name: ci, user: ada, group: default, scopes: [read-only] }
      - { name: vera-laptop, user: vera }
`;

export const FAMILY = `
users: [{ username: ada }]
organizations:
  - slug: acme
    members: [{ username: ada, role: owner }]
    groups: [{ name: default, other_locations: [aws-eu-west-1, aws-us-west-2], delete_protection: true }]
    databases:
      - { name: copy, parent: orders, branched_at: -1d12h, deleted_at: -36h }
      - { name: orders, uuid: ${ORDERS}, storage_bytes: 5000000000 }
      - { name: other-copy, parent: ${ORDERS} }
    invites:
      - { email: Eve@users.example, role: admin, created_at: -1d }
      - { email: mallory@users.example }
    audit_logs:
      - { code: group-create, author: max, created_at: -3d, data: { group: default } }
      - { code: db-create, author: ada, origin: web }
`;

export const readSeed = (path: string) => readContent(path, Seed, "seed");

export let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "seed-"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

export async function file(text: string): Promise<string> {
  const path = join(folder, "seed.yaml");
  await writeFile(path, text);
  return path;
}
