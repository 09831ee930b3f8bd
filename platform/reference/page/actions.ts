import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Organization } from "../credentials/membership";
import { refuse } from "../messages";
import { findDatabaseById } from "../operations/database";
import { findGroupById } from "../operations/group";
import type { ReferenceApi } from "../reference-api";
import type { Services } from "../services";
import type { PlatformCaller, PlatformRequest } from "./caller";
import { errorIn } from "./caller";
import { CLOCK, parseClockField } from "./clock";
import { undoNote, undoNoteStillHolds } from "./deleted";
import { counted, type Report, type SubmittedForm } from "./elements";
import { deleteGroupFormPlace, NEW_GROUP_PLACE, newDatabaseIn, OPENED } from "./groups";
import { SQL_PLACE, TOKEN_PLACE, tokenElement } from "./opened-database";
import { RESET, SETTINGS } from "./organization";
import type { SentRequest } from "./shell-line";
import { SNAPSHOTS, snapshotItemPlace } from "./snapshots";
import type { SqlConsole } from "./sql-console";
import { sqlResultsReport } from "./sql-results";
import type { ViewOptions } from "./view";

/** The result of an action, as the page shows it. */
interface ActionResult {
  readonly status: ContentfulStatusCode;
  /** The place of the report. */
  readonly place: string;
  readonly report: Report;
  /** Errors in parts of an action that succeeded as a whole, by place. */
  readonly failures?: Readonly<Record<string, string>>;
  /** Changes of what the page shows. */
  readonly wanted?: Partial<ViewOptions>;
}

interface Submission {
  readonly form: SubmittedForm;
  readonly organization: Organization;
  /** IP address of the browser. */
  readonly address: string;
}

type Action = (submitted: Submission) => Promise<ActionResult>;

interface PlatformAction<Answer> {
  readonly request: PlatformRequest;
  /** The place of an error. */
  readonly place: string;
  readonly done: (answer: Answer, now: Date) => Omit<ActionResult, "status" | "report"> & { readonly message: string };
}

/** Returns the actions of the page's forms, by the last part of their address. */
export function actionsOf(
  services: Services,
  { caller, sqlConsole }: { caller: PlatformCaller; sqlConsole: SqlConsole | undefined },
): Readonly<Record<string, Action>> {
  /** Sends one request to the platform, and reports what came back. */
  const onPlatform =
    <Answer>(describe: (form: SubmittedForm, organization: Organization) => PlatformAction<Answer>): Action =>
    async ({ form, organization }) => {
      const { request: wanted, place, done } = describe(form, organization);
      const { status, body, request, time } = await caller.call(organization, wanted);
      if (status !== 200) return { status, place, report: { message: errorIn(body), request, typed: form } };
      const { message, ...rest } = done(body as Answer, time);
      return { status, ...rest, report: { message, request, isDone: true } };
    };

  /** Refuses a deletion of which the page said that it can be undone, if that is no longer so. */
  const asShown =
    (place: (form: SubmittedForm) => string, deletion: Action): Action =>
    async (submitted) => {
      const { form, organization } = submitted;
      if (undoNoteStillHolds(form, organization)) return deletion(submitted);
      const note = undoNote({ organization, now: await services.clock.now() });
      const message = `Nothing was deleted, because the page had said that it can be restored. ${note}`;
      return { status: 409, place: place(form), report: { message } };
    };

  /** Reports that an object is live where the platform only says that it cannot be restored. */
  const unlessLive =
    (
      find: (...wanted: Parameters<typeof findDatabaseById>) => Promise<{ readonly name: string } | undefined>,
      shown: (id: string) => Pick<ActionResult, "place" | "wanted">,
      restoration: Action,
    ): Action =>
    async (submitted) => {
      const { form, organization } = submitted;
      const { object: id = "" } = form;
      const done = await restoration(submitted);
      const live = done.status === 404 && (await services.store.read((state) => find(state, { organization }, id)));
      if (!live) return done;
      return { ...done, ...shown(id), report: { ...done.report, message: `${live.name} is not deleted.` } };
    };

  const deleteGroup = onPlatform<{ group: { uuid: string; name: string } }>(({ of: groupName = "" }, organization) => ({
    request: { operation: "deleteGroup", params: { organizationSlug: organization.slug, groupName } },
    place: deleteGroupFormPlace(groupName),
    done: ({ group }, now) => ({
      place: `deleted-${group.uuid}`,
      message: `Group ${group.name} was deleted. ${undoNote({ organization, now })}`,
      wanted: { group: undefined },
    }),
  }));

  return {
    "create-group": onPlatform<{ group: { uuid: string; name: string } }>(({ name = "", location = "" }, { slug }) => ({
      request: {
        operation: "createGroup",
        params: { organizationSlug: slug },
        body: { name: name.trim(), location },
      },
      place: NEW_GROUP_PLACE,
      done: ({ group }) => ({
        place: `group-${group.uuid}`,
        message: `Group ${group.name} was created in ${location}.`,
      }),
    })),

    // The platform deletes groups by name alone, and another group can have the name by now.
    "delete-group": asShown(
      ({ of = "" }) => deleteGroupFormPlace(of),
      async (submitted) => {
        const { object: id = "", of = "" } = submitted.form;
        const accessScope = { organization: submitted.organization };
        const group = await services.store.read((state) => findGroupById(state, accessScope, id));
        if (group?.name === of) return deleteGroup(submitted);
        const message = `Nothing was deleted, because the group ${of} that the page showed no longer exists.`;
        return { status: 404, place: `group-${id}`, report: { message } };
      },
    ),

    "create-database": onPlatform<{ database: { DbId: string; Name: string } }>(
      ({ name = "", in: group = "" }, { slug }) => ({
        request: {
          operation: "createDatabase",
          params: { organizationSlug: slug },
          body: { name: name.trim(), group },
        },
        place: newDatabaseIn(group),
        done: ({ database }) => ({
          place: OPENED,
          message: `Database ${database.Name} was created in group ${group}.`,
          wanted: { database: database.DbId },
        }),
      }),
    ),

    "delete-database": asShown(
      () => OPENED,
      onPlatform<{ database: string }>(({ object: id = "" }, organization) => ({
        request: {
          operation: "deleteDatabaseById",
          params: { organizationId: organization.id, databaseId: id },
        },
        place: OPENED,
        done: ({ database }, now) => ({
          place: `deleted-${id}`,
          message: `Database ${database} was deleted. ${undoNote({ organization, now })}`,
          wanted: { database: undefined },
        }),
      })),
    ),

    "restore-database": unlessLive(
      findDatabaseById,
      (id) => ({ place: OPENED, wanted: { database: id } }),
      onPlatform<{ database: { Name: string; group: string } }>(({ object: id = "", name }, organization) => ({
        request: {
          operation: "restoreDatabase",
          params: { organizationId: organization.id, databaseId: id },
          ...(name !== undefined && { body: { name: name.trim() } }),
        },
        place: `deleted-${id}`,
        done: ({ database }) => ({
          place: OPENED,
          message: `${database.Name} was restored in group ${database.group}.`,
          wanted: { database: id },
        }),
      })),
    ),

    "restore-group": unlessLive(
      findGroupById,
      (id) => ({ place: `group-${id}` }),
      onPlatform<{ group: { name: string }; databases: unknown[]; failures: Record<string, string> }>(
        ({ object: id = "" }, organization) => ({
          request: { operation: "restoreGroup", params: { organizationId: organization.id, groupId: id } },
          place: `deleted-${id}`,
          done: ({ group, databases, failures }) => ({
            place: `group-${id}`,
            message: `Group ${group.name} was restored with ${counted(databases.length, "database")}.`,
            failures: Object.fromEntries(
              Object.entries(failures).map(([databaseId, message]) => [`deleted-${databaseId}`, message]),
            ),
          }),
        }),
      ),
    ),

    "set-plan": onPlatform(({ plan = "" }, { slug }) => ({
      request: { operation: "updateSubscription", params: { organizationSlug: slug }, body: { plan } },
      place: SETTINGS,
      done: () => ({ place: SETTINGS, message: `${slug} is on the plan ${plan} now.` }),
    })),

    "set-recovery": onPlatform((form, { slug }) => {
      const restore_enabled = form.restore_enabled === "true";
      return {
        request: {
          operation: "updateOrganization",
          params: { organizationSlug: slug },
          body: { restore_enabled },
        },
        place: SETTINGS,
        done: () => ({ place: SETTINGS, message: `Recovery is ${restore_enabled ? "enabled" : "disabled"} now.` }),
      };
    }),

    async "create-token"(submitted) {
      const { object: id = "", of = "", expiration = "", authorization = "" } = submitted.form;
      const { status, body, request } = await caller.call(submitted.organization, {
        operation: "createDatabaseTokenById",
        params: { organizationId: submitted.organization.id, databaseId: id },
        query: { expiration, authorization },
      });
      if (status !== 200) return { status, place: TOKEN_PLACE, report: { message: errorIn(body), request } };
      const message = `A ${authorization} token of ${of} was created. It is shown only once.`;
      const once = tokenElement((body as { jwt: string }).jwt);
      return { status, place: TOKEN_PLACE, report: { message, request, once, isDone: true } };
    },

    async sql({ form, organization, address }) {
      const { object: id = "", statement = "", writes, form: formId } = form;
      const database = await services.store.read((state) => findDatabaseById(state, { organization }, id));
      if (!database) throw refuse.databaseIdNotFound({ id });
      if (!sqlConsole) throw refuse.noSuchPath();
      const wanted = { script: statement, writes: writes !== undefined, address, form: formId };
      const { message, status, request, ...outcome } = await sqlConsole.run(organization, database, wanted);
      const report = message === undefined ? sqlResultsReport(outcome) : { message };
      return { status, place: SQL_PLACE, report: { ...report, typed: form, ...(request && { request }) } };
    },
  };
}

/** The result of an action on the server itself, such as a reset. */
interface ServerActionResult {
  readonly message: string;
  readonly request: SentRequest;
  /** The place of the report, if it is not the place of errors. */
  readonly place?: string;
  /** Whether all records were replaced, so that the page may show objects that are gone. */
  readonly isReplaced?: true;
}

interface ServerAction {
  /** The place of an error. */
  readonly place: (form: SubmittedForm) => string;
  readonly run: (form: SubmittedForm, api: ReferenceApi) => Promise<ServerActionResult>;
}

/** The actions that the platform does not have, by the last part of their address. They need no organization. */
export const SERVER_ACTIONS: Readonly<Record<string, ServerAction>> = {
  clock: {
    place: () => CLOCK,
    run: async (form, { clock }) => ({ message: "", request: await moveClock(form, clock) }),
  },

  reset: {
    place: () => RESET,
    async run(_form, api) {
      await api.reset();
      const message = "Everything was reset to the initial data.";
      return { message, request: serverRequest("POST", "/reset"), place: SETTINGS, isReplaced: true };
    },
  },

  "save-snapshot": {
    place: () => SNAPSHOTS,
    async run({ name = "" }, api) {
      const saved = await api.save(name.trim());
      const message = `Snapshot ${saved.name} was saved.`;
      return { message, request: serverRequest("POST", "/snapshots", { name: saved.name }) };
    },
  },

  "load-snapshot": {
    place: ({ of = "" }) => snapshotItemPlace(of),
    async run({ of = "" }, api) {
      await api.load(of);
      const request = serverRequest("POST", `/snapshots/${encodeURIComponent(of)}/load`);
      return { message: `Snapshot ${of} was loaded.`, request, place: SNAPSHOTS, isReplaced: true };
    },
  },

  "delete-snapshot": {
    place: ({ of = "" }) => snapshotItemPlace(of),
    async run({ of = "" }, api) {
      await api.deleteSnapshot(of);
      const request = serverRequest("DELETE", `/snapshots/${encodeURIComponent(of)}`);
      return { message: `Snapshot ${of} was deleted.`, request, place: SNAPSHOTS };
    },
  },
};

/** Returns a request to the reference API's own routes. */
const serverRequest = (method: string, path: string, body?: object): SentRequest => ({
  method,
  path: `/_reference${path}`,
  body,
});

/** Moves, stops or starts the clock, and returns the request that does the same. */
async function moveClock(
  { advance, set = "", do: what }: SubmittedForm,
  clock: ReferenceApi["clock"],
): Promise<SentRequest> {
  if (advance !== undefined) {
    const seconds = Number(advance);
    await clock.advance(seconds);
    return serverRequest("POST", "/clock/advance", { seconds });
  }
  if (what === "freeze") {
    await clock.freeze();
    return serverRequest("POST", "/clock/freeze");
  }
  if (what === "run") {
    await clock.run();
    return serverRequest("POST", "/clock/run");
  }
  const now = parseClockField(set);
  await clock.set(now);
  return serverRequest("PUT", "/clock", { now: now.toISOString() });
}
