import type { GroupRow } from "../store/schema";
import type { Handlers } from "./handler";

/** Wire-facts 6, 13.14: the current map. */
const LOCATIONS: Readonly<Record<string, string>> = {
  "aws-ap-northeast-1": "AWS AP NorthEast (Tokyo)",
  "aws-ap-south-1": "AWS AP South (Mumbai)",
  "aws-eu-west-1": "AWS EU West (Ireland)",
  "aws-us-east-1": "AWS US East (Virginia)",
  "aws-us-east-2": "AWS US East (Ohio)",
  "aws-us-west-2": "AWS US West (Oregon)",
};

export const isLocation = (code: string): boolean => Object.hasOwn(LOCATIONS, code);

/** Of a group, or of a database in it: the primary one first. */
export const locationsOf = ({
  location,
  other_locations,
}: Pick<GroupRow, "location" | "other_locations">): string[] => [
  location,
  ...(JSON.parse(other_locations) as string[]),
];

export const location: Pick<Handlers, "listLocations"> = {
  listLocations: () => ({ locations: { ...LOCATIONS } }),
};
